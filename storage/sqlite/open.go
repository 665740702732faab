package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/storage"
)

// Options of a Store. The zero value is ready to use.
type Options struct {
	// Wait is how long a call waits while other processes write, before it returns
	// storage.ErrUnavailable; default 5 s. The calls of one Store wait for each
	// other as long as their contexts last.
	Wait time.Duration
}

// Store is a storage.Store in a SQLite file. Open returns one.
type Store struct {
	// SQLite has one writer at a time: writes queue for the one connection of the
	// first pool, in the order in which they came and while their contexts last.
	writer, reader *sql.DB

	nextID, insert, update, status, remove *sql.Stmt // of writer
	setResult, dropResult                  *sql.Stmt // of writer
	get, total, totalOf, leap              *sql.Stmt // of reader
	page, pageOf, newest, unfinished, scan *sql.Stmt // of reader
	changed                                *sql.Stmt // of reader
}

var _ storage.Store = (*Store)(nil)

// readers is how many calls of a Store read at the same time; more wait.
const readers = 4

// Open opens the SQLite file at path; it and its folder are made where they do not
// exist, readable by their owner only. A file of an older version of this package is
// brought up to date, which programs that have it open and know the older one only need
// not bear: end them first. A file of a newer version, or of another program, is
// storage.ErrInvalid and stays as it is. The caller closes the Store.
func Open(path string, opt Options) (*Store, error) {
	if opt.Wait <= 0 {
		opt.Wait = 5 * time.Second
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s, err := open(path, opt)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

func open(path string, opt Options) (*Store, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	s := &Store{}
	var err error
	if s.writer, err = pool(path, opt, 1, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA journal_size_limit=67108864"); err != nil {
		return nil, err
	}
	if s.reader, err = pool(path, opt, readers, "PRAGMA query_only=ON"); err != nil {
		return nil, errors.Join(err, s.writer.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), opt.Wait+time.Second)
	defer cancel()
	err = migrate(ctx, s.writer, migrations())
	if err == nil {
		err = s.prepare(ctx)
	}
	if err == nil {
		err = sameMode(path, path+"-shm")
	}
	if err != nil {
		return nil, errors.Join(kind(ctx, err), s.Close())
	}
	return s, nil
}

// create makes an empty file where there is none: SQLite would make one that everybody
// may read.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// sameMode gives the file beside the one at path, which SQLite has made, the same mode:
// it holds no records, but who can open it can lock it. A file of another user stays.
func sameMode(path, beside string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	err = os.Chmod(beside, info.Mode())
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// address returns the path as SQLite takes it, with the wish that the log has the mode
// of the file.
func address(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // a drive of Windows
	}
	return u.String() + "?modeof=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20")
}

// pool returns a pool of at most n connections that stay open.
func pool(path string, opt Options, n int, pragmas string) (*sql.DB, error) {
	db, err := driver.Open(address(path), func(c *sqlite3.Conn) error {
		if err := c.BusyTimeout(opt.Wait); err != nil {
			return err
		}
		return c.Exec(pragmas)
	})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// prepare prepares every statement.
func (s *Store) prepare(ctx context.Context) error {
	for _, p := range []struct {
		stmt  **sql.Stmt
		db    *sql.DB
		query string
	}{
		{&s.nextID, s.writer, nextIDSQL},
		{&s.insert, s.writer, insertSQL},
		{&s.update, s.writer, updateSQL},
		{&s.status, s.writer, statusSQL},
		{&s.remove, s.writer, removeSQL},
		{&s.setResult, s.writer, setResultSQL},
		{&s.dropResult, s.writer, dropResultSQL},
		{&s.get, s.reader, getSQL},
		{&s.total, s.reader, totalSQL},
		{&s.totalOf, s.reader, totalOfSQL},
		{&s.leap, s.reader, leapSQL},
		{&s.page, s.reader, pageSQL},
		{&s.pageOf, s.reader, pageOfSQL},
		{&s.newest, s.reader, newestSQL},
		{&s.unfinished, s.reader, unfinishedSQL},
		{&s.scan, s.reader, scanSQL},
		{&s.changed, s.reader, changedSQL},
	} {
		var err error
		if *p.stmt, err = p.db.PrepareContext(ctx, p.query); err != nil {
			return err
		}
	}
	return nil
}

// Close waits for the calls that are running and closes the file. Calls that come later
// fail.
func (s *Store) Close() error { return errors.Join(s.reader.Close(), s.writer.Close()) }
