package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// applicationID marks a file as one of this package: "motn".
const applicationID = 0x6d6f746e

//go:embed migrations/*.sql
var files embed.FS

// migrations returns the scripts, each of which migrates a file to the next version.
func migrations() []string { return driver.Migrations(files) }

// migrate runs the scripts that a file has not seen, all or none. Several processes may do so at once. ctx can end it before the
// first script: those of a large file take longer than anybody should wait for another process.
func migrate(ctx context.Context, db *sql.DB, scripts []string) error {
	todo, err := pending(ctx, db, scripts)
	if err != nil {
		return err // before anything is changed
	}
	if err := useWAL(ctx, db); err != nil || len(todo) == 0 {
		return err // without waiting for writers
	}
	ctx = context.WithoutCancel(ctx) // SQLite waits for other processes as long as Options.Wait
	tx, err := db.BeginTx(ctx, immediate)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	todo, err = pending(ctx, tx, scripts)
	if err != nil || len(todo) == 0 {
		return err
	}
	for _, script := range todo {
		if _, err := tx.ExecContext(ctx, script); err != nil {
			return err
		}
	}
	mark := fmt.Sprintf("PRAGMA user_version=%d; PRAGMA application_id=%d", len(scripts), applicationID)
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return err
	}
	return tx.Commit()
}

// pending returns the scripts that a file has not seen, all for an empty file. A file of
// another program and one of a newer version are errors.
func pending(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, scripts []string) ([]string, error) {
	var application, version, tables int
	err := q.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&application, &version, &tables)
	switch {
	case errors.Is(err, sqlite3.NOTADB):
		return nil, fmt.Errorf("%w file: it is no SQLite file", storage.ErrInvalid)
	case err != nil:
		return nil, err
	case application == 0 && version == 0 && tables == 0:
		return scripts, nil
	case application != applicationID:
		return nil, fmt.Errorf("%w file: it is a SQLite file of another program", storage.ErrInvalid)
	}
	return driver.Pending(scripts, "file", version)
}

// useWAL selects the write-ahead log, with which readers and the writer do not wait for each other. The file keeps this setting.
func useWAL(ctx context.Context, db *sql.DB) error {
	for {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
		// SQLite does not wait for another process that changes the mode.
		if errors.Is(err, sqlite3.BUSY) && ctx.Err() == nil {
			continue
		}
		if err == nil && mode != "wal" {
			return fmt.Errorf("SQLite cannot use its write-ahead log here, only %q: the file must be on a local disk", mode)
		}
		return err
	}
}
