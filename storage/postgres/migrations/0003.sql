-- Runs with the schema as its search_path.

DROP TRIGGER a_post_insert ON records; -- nobody writes records from here on
DROP TRIGGER a_post_delete ON records;
DROP TRIGGER a_post_update ON records;
DROP FUNCTION a_post_insert, a_post_delete, a_post_update, post, hold, posted, lengths, blocks, in_status, entry;
DROP TABLE postings;

CREATE FUNCTION micros(at timestamptz, created_at timestamptz) RETURNS bigint LANGUAGE sql STABLE
	AS $$ SELECT round(extract(epoch FROM coalesce(at, created_at)) * 1000000)::bigint $$;

-- The records of each label, in the order of their time.
CREATE TABLE labels (
	owner text COLLATE "C" NOT NULL,
	kind  text COLLATE "C" NOT NULL,
	label text COLLATE "C" NOT NULL, -- '': all records
	at    bigint NOT NULL,           -- of the record, microseconds since 1970, UTC
	id    bigint NOT NULL
);

INSERT INTO labels
	SELECT r.owner, r.kind, l, micros(r.at, r.created_at), r.id FROM records r, unnest(r.labels || ''::text) l;

ALTER TABLE labels ADD PRIMARY KEY (owner, kind, label, at, id);

CREATE FUNCTION labels_insert() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	INSERT INTO labels
		SELECT r.owner, r.kind, l, micros(r.at, r.created_at), r.id FROM fresh r, unnest(r.labels || ''::text) l;
	RETURN NULL;
END $$;

-- Labels that stay are not written. Without statistics on the table, the server would read all of it.
CREATE FUNCTION labels_update() RETURNS trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
	DELETE FROM labels l
		WHERE l.owner = old.owner AND l.kind = old.kind AND l.label = ANY (old.labels || ''::text)
			AND l.at = micros(old.at, old.created_at) AND l.id = old.id
			AND (TG_OP = 'DELETE' OR l.at <> micros(new.at, new.created_at) OR l.label <> ALL (new.labels || ''::text));
	IF TG_OP = 'UPDATE' THEN
		INSERT INTO labels
			SELECT new.owner, new.kind, l, micros(new.at, new.created_at), new.id FROM unnest(new.labels || ''::text) l
			ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END $$;

CREATE TRIGGER labels_insert AFTER INSERT ON records
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION labels_insert();
CREATE TRIGGER labels_update AFTER UPDATE OF at, labels ON records FOR EACH ROW
	WHEN (old.at IS DISTINCT FROM new.at OR old.labels IS DISTINCT FROM new.labels) EXECUTE FUNCTION labels_update();
CREATE TRIGGER labels_delete AFTER DELETE ON records FOR EACH ROW EXECUTE FUNCTION labels_update();
