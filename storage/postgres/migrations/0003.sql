-- For the latest changes among the records of an owner.
CREATE INDEX records_changed ON records (owner, updated_at);

-- Without statistics on the table, the server would sort all records of the owner.
CREATE FUNCTION changed(of_owner text, since timestamptz, most integer) RETURNS SETOF records
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off SET enable_sort = off
	AS 'SELECT * FROM records WHERE owner = $1 AND updated_at >= $2 ORDER BY updated_at DESC LIMIT $3';
