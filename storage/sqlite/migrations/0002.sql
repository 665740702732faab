-- For what looks at the records of all owners.
CREATE UNIQUE INDEX records_kind ON records (kind, id);
