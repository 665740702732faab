-- Runs with the schema as its search_path.

-- Each label that goes is removed by its whole key. Of several, the server would look through all labels of the owner, as long as it
-- has no statistics on the table. Labels that stay are not written.
CREATE OR REPLACE FUNCTION labels_update() RETURNS trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
	before bigint := micros(old.at, old.created_at);
	gone text;
BEGIN
	FOREACH gone IN ARRAY old.labels || ''::text LOOP
		CONTINUE WHEN TG_OP = 'UPDATE' AND before = micros(new.at, new.created_at) AND gone = ANY (new.labels || ''::text);
		DELETE FROM labels l WHERE l.owner = old.owner AND l.kind = old.kind AND l.label = gone AND l.at = before AND l.id = old.id;
	END LOOP;
	IF TG_OP = 'UPDATE' THEN
		INSERT INTO labels
			SELECT new.owner, new.kind, l, micros(new.at, new.created_at), new.id FROM unnest(new.labels || ''::text) l
			ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END $$;
