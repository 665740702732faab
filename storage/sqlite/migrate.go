package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/ncruces/go-sqlite3"

	"github.com/bodymotion/motion/storage"
)

// applicationID marks a file as one of this package: "motn".
const applicationID = 0x6d6f746e

//go:embed migrations/*.sql
var files embed.FS

// migrations returns the scripts that bring a file from each version to the next one,
// the first from an empty file.
func migrations() []string {
	names, err := fs.Glob(files, "migrations/*.sql") // in the order of their numbers
	if err != nil {
		panic(err) // the pattern is wrong
	}
	var scripts []string
	for _, name := range names {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		scripts = append(scripts, string(b))
	}
	return scripts
}

// migrate brings a file to the version that the scripts lead to. Several processes may
// do so at once.
func migrate(ctx context.Context, db *sql.DB, scripts []string) error {
	at, err := version(ctx, db, len(scripts))
	if err != nil {
		return err // before anything is changed
	}
	if err := useWAL(ctx, db); err != nil || at == len(scripts) {
		return err // without waiting for who writes
	}
	tx, err := db.BeginTx(ctx, immediate)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	at, err = version(ctx, tx, len(scripts))
	if err != nil || at == len(scripts) {
		return err
	}
	for _, script := range scripts[at:] {
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

// version returns the version of a file, 0 for an empty one. A file of another program
// and one whose version is above known are errors.
func version(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, known int) (int, error) {
	var application, version, tables int
	err := q.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&application, &version, &tables)
	switch {
	case errors.Is(err, sqlite3.NOTADB):
		return 0, fmt.Errorf("%w file: it is no SQLite file", storage.ErrInvalid)
	case err != nil:
		return 0, err
	case application == 0 && version == 0 && tables == 0:
		return 0, nil
	case application != applicationID:
		return 0, fmt.Errorf("%w file: it is a SQLite file of another program", storage.ErrInvalid)
	case version > known:
		return 0, fmt.Errorf("%w file: its version is %d and this program knows versions up to %d: use a newer program", storage.ErrInvalid, version, known)
	}
	return version, nil
}

// useWAL makes SQLite write ahead, in which readers and the writer do not wait for each
// other. The file keeps this setting.
func useWAL(ctx context.Context, db *sql.DB) error {
	for {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
		// SQLite does not wait where two processes change the mode at once.
		if errors.Is(err, sqlite3.BUSY) && ctx.Err() == nil {
			continue
		}
		if err == nil && mode != "wal" {
			return fmt.Errorf("SQLite cannot write ahead here and uses %q: the file must lie on a local disk", mode)
		}
		return err
	}
}
