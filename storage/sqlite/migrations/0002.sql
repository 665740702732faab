ALTER TABLE records ADD COLUMN at INTEGER; -- microseconds since 1970, UTC; NULL: created_at
ALTER TABLE records ADD COLUMN labels BLOB; -- separated by zero bytes; NULL: none

UPDATE records SET labels = CAST('?' AS BLOB); -- storage.Unlabelled

-- The records of each label, in the order of their time: see storage/internal/driver/postings.go.
CREATE TABLE postings (
	seq     INTEGER PRIMARY KEY,
	owner   TEXT NOT NULL,
	kind    TEXT NOT NULL,
	label   TEXT NOT NULL, -- '': all records
	low     BLOB NOT NULL, -- no entry is below it; empty in the first block
	entries BLOB NOT NULL  -- at and id of each, 8 bytes big-endian, the first bit of at inverted; at least one
) STRICT;

CREATE UNIQUE INDEX postings_low ON postings (owner, kind, label, low);

INSERT INTO postings (owner, kind, label, low, entries)
	SELECT owner, kind, label, iif(block, min(entry), x''), unhex(group_concat(hex(entry), '' ORDER BY entry))
	FROM (
		SELECT owner, kind, unhex(printf('%016X%016X', created_at | -9223372036854775808, id)) AS entry,
			(row_number() OVER (PARTITION BY owner, kind ORDER BY created_at, id) - 1) / 240 AS block
		FROM records)
	CROSS JOIN (SELECT '' AS label UNION ALL SELECT '?')
	GROUP BY owner, kind, label, block;
