-- The last id that was given, by kind: ids are never given again.
CREATE TABLE ids (
	kind TEXT PRIMARY KEY,
	last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
	seq        INTEGER PRIMARY KEY, -- in the order in which records were made, over all kinds
	owner      TEXT NOT NULL,
	kind       TEXT NOT NULL,
	id         INTEGER NOT NULL,
	created_at INTEGER NOT NULL, -- microseconds since 1970, UTC
	updated_at INTEGER NOT NULL,
	status     TEXT NOT NULL,
	failure    TEXT NOT NULL,
	attempts   INTEGER NOT NULL,
	data       BLOB
) STRICT;

CREATE UNIQUE INDEX records_id ON records (owner, kind, id);
CREATE INDEX records_status ON records (owner, kind, status, id);
CREATE INDEX records_unfinished ON records (seq) WHERE status IN ('UNPROCESSED', 'PROCESSING');

-- Results are large: lists must not walk over them.
CREATE TABLE results (
	seq    INTEGER PRIMARY KEY, -- of the record
	result BLOB NOT NULL
) STRICT;

-- How many records there are, by blocks of neighbouring ids. A list looks up its total
-- here, and leaps to a page far behind over whole blocks instead of over their records.
CREATE TABLE counts (
	owner  TEXT NOT NULL,
	kind   TEXT NOT NULL,
	shift  INTEGER NOT NULL, -- a block is the ids with the same id >> shift; 62: all
	block  INTEGER NOT NULL, -- id >> shift
	status TEXT NOT NULL,
	n      INTEGER NOT NULL, -- 1 or more
	PRIMARY KEY (owner, kind, shift, block, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER records_insert AFTER INSERT ON records BEGIN
	INSERT INTO counts VALUES
		(new.owner, new.kind, 7, new.id >> 7, new.status, 1),
		(new.owner, new.kind, 14, new.id >> 14, new.status, 1),
		(new.owner, new.kind, 21, new.id >> 21, new.status, 1),
		(new.owner, new.kind, 62, 0, new.status, 1)
		ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER records_status AFTER UPDATE OF status ON records WHEN new.status <> old.status BEGIN
	INSERT INTO counts VALUES
		(old.owner, old.kind, 7, old.id >> 7, old.status, 0),
		(old.owner, old.kind, 14, old.id >> 14, old.status, 0),
		(old.owner, old.kind, 21, old.id >> 21, old.status, 0),
		(old.owner, old.kind, 62, 0, old.status, 0)
		ON CONFLICT DO UPDATE SET n = n - 1;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 7 AND block = old.id >> 7
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 14 AND block = old.id >> 14
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 21 AND block = old.id >> 21
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 62 AND block = 0
		AND status = old.status AND n = 0;
	INSERT INTO counts VALUES
		(new.owner, new.kind, 7, new.id >> 7, new.status, 1),
		(new.owner, new.kind, 14, new.id >> 14, new.status, 1),
		(new.owner, new.kind, 21, new.id >> 21, new.status, 1),
		(new.owner, new.kind, 62, 0, new.status, 1)
		ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER records_delete AFTER DELETE ON records BEGIN
	DELETE FROM results WHERE seq = old.seq;
	INSERT INTO counts VALUES
		(old.owner, old.kind, 7, old.id >> 7, old.status, 0),
		(old.owner, old.kind, 14, old.id >> 14, old.status, 0),
		(old.owner, old.kind, 21, old.id >> 21, old.status, 0),
		(old.owner, old.kind, 62, 0, old.status, 0)
		ON CONFLICT DO UPDATE SET n = n - 1;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 7 AND block = old.id >> 7
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 14 AND block = old.id >> 14
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 21 AND block = old.id >> 21
		AND status = old.status AND n = 0;
	DELETE FROM counts WHERE owner = old.owner AND kind = old.kind AND shift = 62 AND block = 0
		AND status = old.status AND n = 0;
END;

-- For what looks at the records of all owners.
CREATE UNIQUE INDEX records_kind ON records (kind, id);

-- For the latest changes among the records of an owner.
CREATE INDEX records_changed ON records (owner, updated_at);

-- The answers to requests that clients may repeat, and the reservations of those in progress.
CREATE TABLE answers (
	seq        INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again
	owner      TEXT NOT NULL,
	key        TEXT NOT NULL,
	hash       BLOB NOT NULL,
	expires_at INTEGER NOT NULL, -- microseconds since 1970, UTC
	answer     BLOB
) STRICT;

CREATE UNIQUE INDEX answers_key ON answers (owner, key);
CREATE INDEX answers_owner ON answers (owner, seq);
CREATE INDEX answers_expires ON answers (expires_at);
