-- Runs with the schema as its search_path.

ALTER TABLE records
	ADD COLUMN at timestamptz, -- NULL: created_at
	ADD COLUMN labels text[] COLLATE "C"; -- NULL: none

UPDATE records SET labels = '{?}'; -- storage.Unlabelled

-- The records of each label, in the order of their time: see storage/internal/driver/postings.go.
CREATE TABLE postings (
	owner   text COLLATE "C" NOT NULL,
	kind    text COLLATE "C" NOT NULL,
	label   text COLLATE "C" NOT NULL, -- '': all records
	low     bytea NOT NULL,            -- no entry is below it; empty in the first block
	entries bytea NOT NULL,            -- at and id of each, 8 bytes big-endian, the first bit of at inverted; at least one
	PRIMARY KEY (owner, kind, label, low)
) WITH (fillfactor = 50);
ALTER TABLE postings ALTER entries SET STORAGE PLAIN;

CREATE FUNCTION entry(at timestamptz, id bigint) RETURNS bytea LANGUAGE sql IMMUTABLE
	AS $$ SELECT int8send(round(extract(epoch FROM at) * 1000000)::bigint # (-9223372036854775808)::bigint) || int8send(id) $$;

INSERT INTO postings
	SELECT owner, kind, label, CASE WHEN block = 0 THEN '' ELSE (array_agg(e ORDER BY e))[1] END, string_agg(e, '' ORDER BY e)
	FROM (
		SELECT owner, kind, entry(created_at, id) AS e,
			(row_number() OVER (PARTITION BY owner, kind ORDER BY created_at, id) - 1) / 240 AS block
		FROM records) r CROSS JOIN unnest('{"",?}'::text[]) label
	GROUP BY owner, kind, label, block;

-- Adds an entry to the postings of a label, or takes it out. Blocks are split as SQLite's are.
CREATE FUNCTION post(of_owner text, of_kind text, of_label text, e bytea, adds boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	b postings;
	first integer := 0; -- of the entries that may be e, then where e is or belongs
	past integer;
	mid integer;
	there boolean;
BEGIN
	SELECT * INTO b FROM postings p
		WHERE p.owner = of_owner AND p.kind = of_kind AND p.label = of_label AND p.low <= e ORDER BY p.low DESC LIMIT 1;
	IF NOT FOUND THEN
		IF adds THEN
			INSERT INTO postings VALUES (of_owner, of_kind, of_label, '', e);
		END IF;
		RETURN;
	END IF;
	past := length(b.entries) / 16;
	WHILE first < past LOOP
		mid := CASE WHEN first = 0 AND past * 16 = length(b.entries) THEN past - 1 ELSE (first + past) / 2 END;
		IF substr(b.entries, mid * 16 + 1, 16) < e THEN
			first := mid + 1;
		ELSE
			past := mid;
		END IF;
	END LOOP;
	there := substr(b.entries, first * 16 + 1, 16) = e;
	IF there = adds THEN
		RETURN;
	ELSIF there AND length(b.entries) = 16 THEN
		DELETE FROM postings p WHERE p.owner = of_owner AND p.kind = of_kind AND p.label = of_label AND p.low = b.low;
		RETURN;
	ELSIF there THEN
		b.entries := substr(b.entries, 1, first * 16) || substr(b.entries, first * 16 + 17);
	ELSIF length(b.entries) = 3840 AND first = 240 THEN -- most are: blocks stay full
		INSERT INTO postings VALUES (of_owner, of_kind, of_label, e, e);
		RETURN;
	ELSE
		b.entries := substr(b.entries, 1, first * 16) || e || substr(b.entries, first * 16 + 1);
		IF length(b.entries) > 3840 THEN
			INSERT INTO postings VALUES (of_owner, of_kind, of_label, substr(b.entries, 1921, 16), substr(b.entries, 1921));
			b.entries := substr(b.entries, 1, 1920);
		END IF;
	END IF;
	UPDATE postings p SET entries = b.entries WHERE p.owner = of_owner AND p.kind = of_kind AND p.label = of_label AND p.low = b.low;
END $$;

-- One transaction at a time changes the postings of an owner and kind. Its lock is taken before those of the counts: the
-- triggers run in the order of their names, those for each row first.
CREATE FUNCTION hold(of_owner text, of_kind text) RETURNS void LANGUAGE sql
	AS $$ SELECT pg_advisory_xact_lock(hashtextextended(current_schema || ' ' || of_owner || ' ' || of_kind, 1)) $$;

CREATE FUNCTION a_post_insert() RETURNS trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
	PERFORM hold(k.owner, k.kind) FROM (SELECT DISTINCT owner, kind FROM fresh ORDER BY 1, 2) k;
	PERFORM post(r.owner, r.kind, l, entry(coalesce(r.at, r.created_at), r.id), true) FROM fresh r, unnest(r.labels || ''::text) l;
	RETURN NULL;
END $$;

CREATE FUNCTION a_post_delete() RETURNS trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
	PERFORM hold(k.owner, k.kind) FROM (SELECT DISTINCT owner, kind FROM stale ORDER BY 1, 2) k;
	PERFORM post(r.owner, r.kind, l, entry(coalesce(r.at, r.created_at), r.id), false) FROM stale r, unnest(r.labels || ''::text) l;
	RETURN NULL;
END $$;

CREATE FUNCTION a_post_update() RETURNS trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
	before bytea := entry(coalesce(old.at, old.created_at), old.id);
	after bytea := entry(coalesce(new.at, new.created_at), new.id);
BEGIN
	PERFORM hold(new.owner, new.kind);
	PERFORM post(old.owner, old.kind, l, before, false) FROM unnest(old.labels || ''::text) l
		WHERE before <> after OR l <> ALL (new.labels || ''::text);
	PERFORM post(new.owner, new.kind, l, after, true) FROM unnest(new.labels || ''::text) l
		WHERE before <> after OR l <> ALL (old.labels || ''::text);
	RETURN NULL;
END $$;

CREATE TRIGGER a_post_insert AFTER INSERT ON records
	REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION a_post_insert();
CREATE TRIGGER a_post_delete AFTER DELETE ON records
	REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION a_post_delete();
CREATE TRIGGER a_post_update AFTER UPDATE OF at, labels ON records FOR EACH ROW EXECUTE FUNCTION a_post_update();

-- The blocks of the labels from first to last, with entries from one on and before another one. Without
-- statistics on the table, the server would read all of it.
CREATE FUNCTION posted(of_owner text, of_kind text, first text, last text, since bytea, til bytea)
	RETURNS TABLE (label text, entries bytea)
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	SET enable_hashjoin = off SET enable_mergejoin = off
	AS $$
		SELECT p.label, p.entries FROM postings p
		WHERE p.owner = of_owner AND p.kind = of_kind AND p.label BETWEEN first AND last AND p.low < til
			AND p.low >= coalesce((SELECT q.low FROM postings q
				WHERE q.owner = of_owner AND q.kind = of_kind AND first = last AND q.label = first AND q.low <= since
				ORDER BY q.low DESC LIMIT 1), '')
		ORDER BY p.label, p.low
	$$;

-- How many entries each block of a label has, the latest first, and the entries of some blocks.
CREATE FUNCTION lengths(of_owner text, of_kind text, of_label text) RETURNS integer[]
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	AS $$
		SELECT array_agg(n) FROM (
			SELECT length(entries) / 16 AS n FROM postings
			WHERE owner = of_owner AND kind = of_kind AND label = of_label ORDER BY low DESC) p
	$$;
CREATE FUNCTION blocks(of_owner text, of_kind text, of_label text, skip bigint, most bigint) RETURNS SETOF bytea
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	AS $$
		SELECT entries FROM postings
		WHERE owner = of_owner AND kind = of_kind AND label = of_label ORDER BY low DESC LIMIT most OFFSET skip
	$$;

-- The records with a status, or all others, whichever are fewer; at least one row.
CREATE FUNCTION in_status(of_owner text, of_kind text, of_status text) RETURNS TABLE (has boolean, id bigint)
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	SET enable_hashjoin = off SET enable_mergejoin = off
	AS $$
		WITH c AS MATERIALIZED (
			SELECT status, n FROM counts WHERE owner = of_owner AND kind = of_kind AND shift = 62 AND block = 0
		), side AS MATERIALIZED (
			SELECT coalesce(sum(n) FILTER (WHERE status = of_status) * 2, 0) <= coalesce(sum(n), 0) AS has FROM c
		)
		SELECT side.has, r.id
		FROM side LEFT JOIN LATERAL (
			SELECT r.id FROM c, records r
			WHERE r.owner = of_owner AND r.kind = of_kind AND r.status = c.status AND (c.status = of_status) = side.has
		) r ON true
	$$;

-- Locks the records in one order, so that no two calls wait for each other.
CREATE FUNCTION remove(owners text[], kinds text[], ids bigint[]) RETURNS bigint
	LANGUAGE sql VOLATILE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	SET enable_hashjoin = off SET enable_mergejoin = off
	AS $$
		WITH doomed AS MATERIALIZED (
			SELECT r.seq FROM unnest(owners, kinds, ids) k (owner, kind, id), records r
			WHERE r.owner = k.owner AND r.kind = k.kind AND r.id = k.id ORDER BY r.kind, r.id FOR UPDATE OF r
		), gone AS (
			DELETE FROM records WHERE seq IN (SELECT seq FROM doomed) RETURNING seq
		)
		SELECT count(*) FROM gone
	$$;
