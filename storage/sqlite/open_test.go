package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// TestFiles: the folder is made, the path is taken as it is, and only the owner may read.
func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "fol%20der")
	for _, name := range []string{"a.db", "file:b?mode=ro&x=#1", ":memory:", "größe 1"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?:") {
			continue
		}
		s := open(t, filepath.Join(dir, name))
		if _, err := s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || (runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0) {
			t.Errorf("%s has the mode %v (%v)", e.Name(), info.Mode(), err)
		}
	}
}

// TestRefused: files that are not this package's stay as they are, byte by byte.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("text"), []byte(strings.Repeat("some text\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	exec(t, path("foreign"), "CREATE TABLE records (x)")
	exec(t, path("foreign version"), "PRAGMA user_version = 1")
	newer := open(t, path("newer"))
	if err := newer.Migrate(t.Context(), "CREATE TABLE later (x)", "CREATE TABLE later_still (x)"); err != nil {
		t.Fatal(err)
	}
	if err := newer.Close(); err != nil {
		t.Fatal(err)
	}
	for name, why := range map[string]string{
		"text": "no SQLite file", "foreign": "another program", "foreign version": "another program", "newer": "its version is 5 ",
	} {
		before, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = sqlite.Open(path(name), sqlite.Options{})
		if !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), path(name)) {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.ReadFile(path(name))
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s was changed (%v)", name, err)
		}
	}
	if _, err := sqlite.Open(dir, sqlite.Options{}); err == nil {
		t.Error("a folder is opened as a file")
	}
}

// TestMigrate: a file is brought on once, whole or not at all, and keeps its records.
func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	r, err := s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Migrate(t.Context(), "CREATE TABLE later (x)", "CREATE TABLE later (x)"); err == nil {
		t.Error("a script that fails")
	}
	for range 2 {
		if err := s.Migrate(t.Context(), "CREATE TABLE later (x)"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), r.Key); err != nil {
		t.Error(err)
	}
	// One that has begun is not cut short.
	ctx, cancel := context.WithCancel(t.Context())
	s.Function(t, "cancel", cancel)
	if err := s.Migrate(ctx, "CREATE TABLE later (x)", "SELECT cancel(); CREATE TABLE last (x)"); err != nil || ctx.Err() == nil {
		t.Errorf("a context that ends on the way: %v", err)
	}
	if err := s.Migrate(t.Context()); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("back to a former version: %v", err)
	}
}

// TestSynced: no test can cut the power, but this setting is what the promise hangs on.
func TestSynced(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "x.db"))
	if mode := s.Synchronous(t); mode != 2 {
		t.Errorf("synchronous is %d, want 2, which is FULL", mode)
	}
}

// TestPlans: no query walks over a whole table, sorts, or is prepared more than once.
func TestPlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "x.db"))
	for name, query := range sqlite.Queries {
		for _, step := range s.Plan(t, query) {
			good := strings.HasPrefix(step, "SEARCH ") || step == "SCAN records USING INDEX records_unfinished" ||
				strings.HasSuffix(step, " SUBQUERY 1") || strings.HasSuffix(step, "(subquery-1)") || strings.HasPrefix(step, "SCAN json_each ")
			if !good {
				t.Errorf("%s: %s", name, step)
			}
		}
	}
}

// TestForget: what was deleted before the answers of its owner were forgotten is in no file while the store is still open.
func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "motion.db")
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const name = "Kenjiro Satomura"
	r, err := s.Create(t.Context(), storage.Record{
		Key: storage.Key{Owner: "me", Kind: storage.Subjects}, Data: []byte(name), Result: []byte(name), Labels: []string{"word:" + name},
	})
	if err != nil {
		t.Fatal(err)
	}
	where := func() (found []string) {
		for _, end := range []string{"", "-wal", "-shm", "-room"} {
			if b, err := os.ReadFile(path + end); err == nil && bytes.Contains(b, []byte(name)) {
				found = append(found, end)
			}
		}
		return found
	}
	if len(where()) == 0 {
		t.Fatal("the record is nowhere")
	}
	if err := errors.Join(s.Delete(t.Context(), r.Key), s.ForgetAnswers(t.Context(), "me")); err != nil || where() != nil {
		t.Errorf("it is left in %q (%v)", where(), err)
	}
}

// TestForgetMany: nothing of the records that were deleted among many others is in any file, however pages were split, filled and
// emptied since.
func TestForgetMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "motion.db")
	s := open(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	name := func(id int64) string { return fmt.Sprintf("satomura%05d", id) } // in order; its words are not
	words := func(id int64) []string {
		list := []string{"subject:1"}
		for range 60 {
			list = append(list, fmt.Sprintf("word:%08x %s", random.Uint32(), name(id)))
		}
		slices.Sort(list)
		return list
	}
	var kept, gone []storage.Record
	for id := range int64(240) {
		r, err := s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "me", Kind: storage.Subjects}, Labels: words(id + 1), Data: []byte(name(id + 1))})
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, r)
		if id%3 != 0 {
			continue
		}
		i := random.IntN(len(kept))
		if id%2 == 0 {
			kept[i].Labels = words(kept[i].ID)
			if kept[i], err = s.Update(t.Context(), kept[i], ""); err != nil {
				t.Fatal(err)
			}
			continue
		}
		gone = append(gone, kept[i])
		if err := s.Delete(t.Context(), kept[i].Key); err != nil {
			t.Fatal(err)
		}
		kept = slices.Delete(kept, i, i+1)
	}
	if err := s.ForgetAnswers(t.Context(), "me"); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm", "-room"} {
		b, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range gone {
			if n := bytes.Count(b, []byte(name(r.ID))); n > 0 {
				t.Errorf("%s is %d times in %q", name(r.ID), n, end)
			}
		}
		if n := bytes.Count(b, []byte(name(kept[0].ID))); end == "" && n == 0 {
			t.Error("what was kept is nowhere")
		}
	}
}
