ALTER TABLE records ADD COLUMN at INTEGER; -- microseconds since 1970, UTC; NULL: created_at
ALTER TABLE records ADD COLUMN labels BLOB; -- separated by zero bytes; NULL: none
