package sqlite

import (
	"cmp"
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
	// Wait is how long a call waits for other processes that write before it returns storage.ErrUnavailable; default
	// 5 s. Calls of one Store wait for each other as long as their contexts last.
	Wait time.Duration
}

// Store is what Open returns. The time of List grows with Limit and hardly with Offset and the number of records; by At or Labels
// it grows with the number of records that have them, unless another label of the filter has few. Unfinished leaves out records
// created during the call, and may leave out those that finish before their turn. ForgetAnswers also empties the write-ahead log,
// unless others read for longer than Options.Wait: what was deleted before is in none of the files then.
type Store interface {
	storage.Store
	storage.AnswerKeeper
	storage.Relabeler

	// Check returns storage.ErrUnavailable if the disk is full: a write has failed, and another one fails now, or there is no
	// room to be kept back for deletions.
	Check(ctx context.Context) error

	// Close waits for running calls and closes the file. Later calls fail.
	Close() error
}

type store struct {
	// SQLite has one writer at a time: writer is a pool of one connection, for which writes queue in FIFO order until their contexts end.
	writer, reader *sql.DB

	prepared map[string]*sql.Stmt // by query
	room     room                 // for deletions
}

// readers is the number of calls of a Store that read at the same time; more wait.
const readers = 4

// Open opens the SQLite file at path. It creates the file and its folder if necessary, readable by their owner only. A file of an
// older version of this package is migrated, which takes seconds if it is large; stop programs built with the older version first.
// A file of a newer version, or of another program, is storage.ErrInvalid and stays as it is. The caller closes the Store.
func Open(path string, opt Options) (_ Store, err error) {
	opt.Wait = cmp.Or(max(opt.Wait, 0), 5*time.Second)
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("open %s: %w", path, err)
		}
	}()
	if err := create(path); err != nil {
		return nil, err
	}
	s := &store{prepared: map[string]*sql.Stmt{}, room: room{path: path + "-room"}}
	// What is deleted is overwritten: nothing of an erased person may stay in free pages.
	if s.writer, err = pool(path, opt, 1, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA journal_size_limit=67108864; PRAGMA secure_delete=ON"); err != nil {
		return nil, err
	}
	if s.reader, err = pool(path, opt, readers, "PRAGMA query_only=ON"); err != nil {
		return nil, errors.Join(err, s.writer.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), opt.Wait+time.Second)
	defer cancel()
	err = migrate(ctx, s.writer, migrations())
	if err == nil {
		err = s.prepare()
	}
	if err == nil {
		err = sameMode(path, path+"-shm")
	}
	if err != nil {
		return nil, errors.Join(kind(ctx, err), s.Close())
	}
	s.room.full.Store(s.room.keep() != nil) // deletions may make room: a full disk is no error
	return s, nil
}

// create creates an empty file if there is none. SQLite would create one that everybody can read.
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

// sameMode gives a file that SQLite has created beside the one at path the same mode: it
// holds no records, but everybody who can open it can lock it. It ignores another user's file.
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

// pool returns a pool of at most n connections that stay open.
func pool(path string, opt Options, n int, pragmas string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // a drive of Windows
	}
	address := u.String() + "?modeof=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20") // the log has the mode of the file
	db, err := driver.Open(address, func(c *sqlite3.Conn) error {
		// QPSG, the query planner stability guarantee, keeps SQLite from compiling a query again for each LIMIT.
		_, stable := c.Config(sqlite3.DBCONFIG_ENABLE_QPSG, true)
		return errors.Join(stable, c.BusyTimeout(opt.Wait), c.Exec(pragmas))
	})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// prepare prepares all queries.
func (s *store) prepare() error {
	for db, queries := range map[*sql.DB][]string{
		s.writer: {nextIDSQL, insertSQL, updateSQL, relabelSQL, statusSQL, removeSQL, setResultSQL, dropResultSQL,
			lapseSQL, reserveSQL, answerSQL, surplusSQL, evictSQL, keepSQL, releaseSQL, forgetSQL, expireSQL},
		s.reader: {getSQL, headSQL, totalSQL, leapSQL, pageSQL, pageOfSQL, newestSQL, unfinishedSQL, scanSQL, changedSQL,
			countSQL, labelSQL, labelsSQL, theseSQL},
	} {
		for _, query := range queries {
			stmt, err := db.Prepare(dialect.Replace(query))
			if err != nil {
				return err
			}
			s.prepared[query] = stmt
		}
	}
	return nil
}

// Close waits for connections whose work was interrupted just now, a second at most: nothing is left to do in the folder then.
func (s *store) Close() error {
	err := errors.Join(s.reader.Close(), s.writer.Close())
	for range 1000 {
		if s.reader.Stats().OpenConnections+s.writer.Stats().OpenConnections == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return err
}
