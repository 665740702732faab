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
