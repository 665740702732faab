-- Runs with the schema as its search_path.

ALTER TABLE records
	ADD COLUMN at timestamptz, -- NULL: created_at
	ADD COLUMN labels text[] COLLATE "C"; -- NULL: none

-- Locks the records in one order, so that no two calls wait for each other. Without statistics on the table, the
-- server would read all of it.
CREATE FUNCTION remove(owners text[], kinds text[], ids bigint[]) RETURNS bigint
	LANGUAGE sql VOLATILE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
	AS $$
		WITH doomed AS MATERIALIZED (
			SELECT r.seq FROM unnest($1, $2, $3) k (owner, kind, id), records r
			WHERE r.owner = k.owner AND r.kind = k.kind AND r.id = k.id ORDER BY r.kind, r.id FOR UPDATE OF r
		), gone AS (
			DELETE FROM records WHERE seq IN (SELECT seq FROM doomed) RETURNING seq
		)
		SELECT count(*) FROM gone
	$$;
