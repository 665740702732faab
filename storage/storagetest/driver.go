// Package storagetest is the conformance suite for drivers of package storage. It tests every
// promise of its interfaces. The test of a driver calls one function for each interface:
//
//	var driver = storagetest.StoreDriver{
//		Open: func(place string) (storage.Store, error) { return sqlite.Open(place, sqlite.Options{}) },
//		Place: func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "motion.db") },
//	}
//
//	func TestStore(t *testing.T)       { storagetest.Store(t, driver) }
//	func BenchmarkStore(b *testing.B) { storagetest.BenchStore(b, driver) }
//
// Blobs and BenchBlobs do the same for files, Queue, JobCreator and BenchQueue for jobs, and
// AnswerKeeper for answers. Set StoreDriver.Exclusive if only one process can open a store at a
// time. Faults makes faults in the calls of drivers, to test what stands on them.
package storagetest

import (
	"io"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// StoreDriver describes the stores under test.
type StoreDriver struct {
	// Open opens the store at a place. The suite closes a store that has a method Close() error. Required.
	Open func(place string) (storage.Store, error)

	// Place returns a new place without records: a path or an address. It may skip the test. Nil means that the driver keeps its
	// records in memory: every Open returns a new store, and tests of persistence are skipped.
	Place func(tb testing.TB) string

	// Exclusive means that only one process at a time can open a place, and only once, as with
	// bbolt and badger. The suite then closes a store before it opens the place again.
	Exclusive bool
}

// empty opens a store without records and closes it when the test ends.
func (d StoreDriver) empty(tb testing.TB) storage.Store {
	tb.Helper()
	place := ""
	if d.Place != nil {
		place = d.Place(tb)
	}
	return d.open(tb, place)
}

// open opens a store and closes it when the test ends.
func (d StoreDriver) open(tb testing.TB, place string) storage.Store {
	tb.Helper()
	s, err := d.Open(place)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { shut(tb, s) })
	return s
}

// shut closes x if it has a method Close.
func shut(tb testing.TB, s any) {
	tb.Helper()
	if c, ok := s.(io.Closer); ok {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	}
}

// Store tests a storage.Store.
func Store(t *testing.T, d StoreDriver) {
	if untilKilled(t, d.Open, writeSteps) {
		return
	}
	for _, c := range []struct {
		name string
		test func(*testing.T, storage.Store)
	}{
		{"create and get", createAndGet},
		{"values", values},
		{"large results", largeResults},
		{"ownership", ownership},
		{"update", update},
		{"delete", deletion},
		{"list", list},
		{"list against a model", listModel},
		{"labels", labels},
		{"labels that are refused", badLabels},
		{"lists by label and time", labelModel},
		{"delete several", deleteSeveral},
		{"scan", scan},
		{"changed", changed},
		{"scan while records are made", scanWhileMade},
		{"unfinished", unfinished},
		{"unfinished while records change", unfinishedChanges},
		{"ended context", endedContext},
		{"context that ends on the way", contextEnds},
		{"compare and set", func(t *testing.T, s storage.Store) { compareAndSet(t, s, s, 1000) }},
		{"compare and set without a status", func(t *testing.T, s storage.Store) { compareAndSetMedia(t, s, s, 1000) }},
		{"many at once", func(t *testing.T, s storage.Store) { manyAtOnce(t, s, s) }},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, d.empty(t)) })
	}
	if d.Place == nil {
		return
	}
	t.Run("reopen", func(t *testing.T) { reopen(t, d) })
	t.Run("crash", func(t *testing.T) { crash(t, d) })
	if d.Exclusive {
		return
	}
	twice := func(t *testing.T) (a, b storage.Store) {
		place := d.Place(t)
		return d.open(t, place), d.open(t, place)
	}
	t.Run("compare and set, opened twice", func(t *testing.T) { a, b := twice(t); compareAndSet(t, a, b, 1000) })
	t.Run("compare and set without a status, opened twice", func(t *testing.T) { a, b := twice(t); compareAndSetMedia(t, a, b, 1000) })
	t.Run("many at once, opened twice", func(t *testing.T) { a, b := twice(t); manyAtOnce(t, a, b) })
	t.Run("opened by many at once", func(t *testing.T) { openedAtOnce(t, d) })
}
