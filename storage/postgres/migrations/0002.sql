-- For what looks at the records of all owners.
CREATE UNIQUE INDEX records_kind ON records (kind, id);

-- While the server knows nothing of the table's contents, it would sort all that is left.
CREATE FUNCTION scan(of_kind text, after bigint, most integer) RETURNS SETOF records
	LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off
	AS 'SELECT * FROM records WHERE kind = $1 AND id > $2 ORDER BY id LIMIT $3';
