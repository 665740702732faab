-- For the latest changes among the records of an owner.
CREATE INDEX records_changed ON records (owner, updated_at);
