-- The labels of a record as JSON, so that triggers can read them.
ALTER TABLE records ADD COLUMN list TEXT; -- NULL: none

UPDATE records SET list = (
	WITH RECURSIVE parts (label, rest) AS (
		SELECT NULL, CAST(labels || x'00' AS BLOB)
		UNION ALL
		SELECT CAST(substr(rest, 1, instr(rest, x'00') - 1) AS TEXT), substr(rest, instr(rest, x'00') + 1) FROM parts WHERE length(rest) > 0
	)
	SELECT json_group_array(label) FROM parts WHERE label IS NOT NULL)
	WHERE labels IS NOT NULL;

ALTER TABLE records DROP COLUMN labels;
ALTER TABLE records RENAME COLUMN list TO labels;

DROP TABLE postings;

-- The records of each label, in the order of their time.
CREATE TABLE labels (
	owner TEXT NOT NULL,
	kind  TEXT NOT NULL,
	label TEXT NOT NULL,    -- '': all records
	at    INTEGER NOT NULL, -- of the record
	id    INTEGER NOT NULL,
	PRIMARY KEY (owner, kind, label, at, id)
) STRICT, WITHOUT ROWID;

INSERT INTO labels
	SELECT r.owner, r.kind, l.value, coalesce(r.at, r.created_at), r.id
	FROM records r, json_each(json_insert(coalesce(r.labels, '[]'), '$[#]', '')) l
	ORDER BY 1, 2, 3, 4, 5;

CREATE TRIGGER labels_insert AFTER INSERT ON records BEGIN
	INSERT INTO labels
		SELECT new.owner, new.kind, value, coalesce(new.at, new.created_at), new.id
		FROM json_each(json_insert(coalesce(new.labels, '[]'), '$[#]', ''));
END;

-- Labels that stay are not written.
CREATE TRIGGER labels_update AFTER UPDATE OF at, labels ON records WHEN new.at IS NOT old.at OR new.labels IS NOT old.labels BEGIN
	DELETE FROM labels WHERE owner = old.owner AND kind = old.kind AND at = coalesce(old.at, old.created_at) AND id = old.id
		AND label IN (SELECT value FROM json_each(json_insert(coalesce(old.labels, '[]'), '$[#]', '')))
		AND NOT (at = coalesce(new.at, new.created_at)
			AND label IN (SELECT value FROM json_each(json_insert(coalesce(new.labels, '[]'), '$[#]', ''))));
	INSERT OR IGNORE INTO labels
		SELECT new.owner, new.kind, value, coalesce(new.at, new.created_at), new.id
		FROM json_each(json_insert(coalesce(new.labels, '[]'), '$[#]', ''));
END;

CREATE TRIGGER labels_delete AFTER DELETE ON records BEGIN
	DELETE FROM labels WHERE owner = old.owner AND kind = old.kind AND at = coalesce(old.at, old.created_at) AND id = old.id
		AND label IN (SELECT value FROM json_each(json_insert(coalesce(old.labels, '[]'), '$[#]', '')));
END;
