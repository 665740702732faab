-- Runs with the schema as its search_path.

-- The last id that was given, by kind: ids are never given again.
CREATE TABLE ids (
	kind text COLLATE "C" PRIMARY KEY,
	last bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE records (
	seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- about the order in which records were made, over all kinds
	owner      text COLLATE "C" NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	id         bigint NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	status     text COLLATE "C" NOT NULL,
	failure    text NOT NULL,
	attempts   bigint NOT NULL,
	data       bytea
);

CREATE UNIQUE INDEX records_id ON records (owner, kind, id);
-- The status comes first, so that the server does not take this index for a record's key
-- while it knows nothing of the table's contents.
CREATE INDEX records_status ON records (status, owner, kind, id);
CREATE INDEX records_unfinished ON records (seq) WHERE status IN ('UNPROCESSED', 'PROCESSING');

-- Results are large: lists must not walk over them.
CREATE TABLE results (
	seq    bigint PRIMARY KEY REFERENCES records ON DELETE CASCADE,
	result bytea NOT NULL
);

-- How many records there are, by blocks of neighbouring ids. A list looks up its total
-- here, and leaps to a page far behind over whole blocks instead of over their records.
-- A count that has come down to 0 stays: most go up again, and in place.
CREATE TABLE counts (
	owner  text COLLATE "C" NOT NULL,
	kind   text COLLATE "C" NOT NULL,
	shift  integer NOT NULL, -- a block is the ids with the same id >> shift; 62: all
	block  bigint NOT NULL,  -- id >> shift
	status text COLLATE "C" NOT NULL,
	n      bigint NOT NULL,
	PRIMARY KEY (owner, kind, shift, block, status)
) WITH (fillfactor = 50);

-- Each trigger changes counts in the order of their key, so that no two transactions wait
-- for each other.
CREATE FUNCTION count_insert() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	INSERT INTO counts AS c
		SELECT r.owner, r.kind, s, r.id >> s, r.status, count(*)
		FROM fresh r, unnest('{7,14,21,62}'::integer[]) s
		GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
		ON CONFLICT (owner, kind, shift, block, status) DO UPDATE SET n = c.n + excluded.n;
	RETURN NULL;
END $$;

CREATE FUNCTION count_update() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	INSERT INTO counts AS c
		SELECT r.owner, r.kind, s, r.id >> s, r.status, sum(r.n)
		FROM (SELECT owner, kind, id, status, -1 AS n FROM stale UNION ALL
			SELECT owner, kind, id, status, 1 FROM fresh) r, unnest('{7,14,21,62}'::integer[]) s
		GROUP BY 1, 2, 3, 4, 5 HAVING sum(r.n) <> 0 ORDER BY 1, 2, 3, 4, 5
		ON CONFLICT (owner, kind, shift, block, status) DO UPDATE SET n = c.n + excluded.n;
	RETURN NULL;
END $$;

CREATE FUNCTION count_delete() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	INSERT INTO counts AS c
		SELECT r.owner, r.kind, s, r.id >> s, r.status, -count(*)
		FROM stale r, unnest('{7,14,21,62}'::integer[]) s
		GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
		ON CONFLICT (owner, kind, shift, block, status) DO UPDATE SET n = c.n + excluded.n;
	RETURN NULL;
END $$;

CREATE TRIGGER count_insert AFTER INSERT ON records
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_insert();
CREATE TRIGGER count_update AFTER UPDATE ON records
	REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_update();
CREATE TRIGGER count_delete AFTER DELETE ON records
	REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_delete();

-- Passes over whole blocks of records, newest first, as long as they lie before the record
-- with that offset. It returns the largest id that is left and how many records to skip from
-- there; NULL where there are no more records than offset. A status of '' is any.
CREATE FUNCTION leap(of_owner text, of_kind text, of_status text, skip bigint, OUT newest bigint, OUT rest bigint)
	LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
	oldest bigint := 0;
	s integer;
	found_block bigint;
BEGIN
	newest := 9223372036854775807;
	rest := skip;
	FOREACH s IN ARRAY '{21,14,7}'::integer[] LOOP
		EXIT WHEN rest < 128; -- not worth a query
		SELECT b.block, rest - (b.upto - b.n) INTO found_block, rest FROM (
			SELECT c.block, sum(c.n) AS n, sum(sum(c.n)) OVER (ORDER BY c.block DESC) AS upto
			FROM counts c
			WHERE c.owner = of_owner AND c.kind = of_kind AND c.shift = s
				AND c.block BETWEEN oldest >> s AND newest >> s AND (of_status = '' OR c.status = of_status)
			GROUP BY c.block) b
		WHERE b.upto > rest ORDER BY b.block DESC LIMIT 1;
		IF found_block IS NULL THEN
			newest := NULL;
			RETURN;
		END IF;
		oldest := found_block << s;
		newest := oldest + (1::bigint << s) - 1;
	END LOOP;
END $$;

-- For what looks at the records of all owners.
CREATE UNIQUE INDEX records_kind ON records (kind, id);

-- While the server knows nothing of the table's contents, it would sort all that is left.
CREATE FUNCTION scan(of_kind text, after bigint, most integer) RETURNS SETOF records
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	AS 'SELECT * FROM records WHERE kind = $1 AND id > $2 ORDER BY id LIMIT $3';

-- For the latest changes among the records of an owner.
CREATE INDEX records_changed ON records (owner, updated_at);

-- Without statistics on the table, the server would sort all records of the owner.
CREATE FUNCTION changed(of_owner text, since timestamptz, most integer) RETURNS SETOF records
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off SET enable_sort = off
	AS 'SELECT * FROM records WHERE owner = $1 AND updated_at >= $2 ORDER BY updated_at DESC LIMIT $3';

-- The answers to requests that clients may repeat, and the reservations of those in progress.
CREATE TABLE answers (
	seq        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
	owner      text COLLATE "C" NOT NULL,
	key        text COLLATE "C" NOT NULL,
	hash       bytea NOT NULL,
	expires_at timestamptz NOT NULL,
	answer     bytea
);

CREATE UNIQUE INDEX answers_key ON answers (owner, key);
CREATE INDEX answers_owner ON answers (owner, seq);
CREATE INDEX answers_expires ON answers (expires_at);
