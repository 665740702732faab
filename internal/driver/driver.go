// Package driver holds what the drivers of package storage have in common: the checks of arguments, the texts of errors, the
// migration scripts of databases, and Answers, which also serves Services whose Store keeps none.
package driver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bodymotion/motion/internal/reading"
	"github.com/bodymotion/motion/storage"
)

// CheckNew checks the argument of Store.Create.
func CheckNew(r storage.Record) error {
	if r.Owner == "" || r.Kind == "" {
		return fmt.Errorf("%w record: owner and kind are required", storage.ErrInvalid)
	}
	return CheckLabels(r)
}

// CheckLabels checks the argument of Store.Update.
func CheckLabels(r storage.Record) error {
	if len(r.Labels) > storage.MaxLabels {
		return fmt.Errorf("%w labels: %d, want at most %d", storage.ErrInvalid, len(r.Labels), storage.MaxLabels)
	}
	for i, l := range r.Labels {
		switch {
		case l == "" || len(l) > 200:
			return fmt.Errorf("%w label: it has %d bytes, want 1 to 200", storage.ErrInvalid, len(l))
		case !utf8.ValidString(l) || strings.ContainsRune(l, 0):
			return fmt.Errorf("%w label %q: want UTF-8 without a zero byte", storage.ErrInvalid, l)
		case i > 0 && l <= r.Labels[i-1]:
			return fmt.Errorf("%w labels: %q comes after %q, want them sorted and none twice", storage.ErrInvalid, l, r.Labels[i-1])
		}
	}
	return nil
}

// CheckFilter checks the argument of Store.List.
func CheckFilter(f storage.Filter) error {
	if f.Offset < 0 || f.Limit < 1 {
		return fmt.Errorf("%w filter: offset %d and limit %d, want at least 0 and 1", storage.ErrInvalid, f.Offset, f.Limit)
	}
	if slices.Contains(f.Labels, "") || slices.Contains(f.Begins, "") {
		return fmt.Errorf("%w filter: a label is empty", storage.ErrInvalid)
	}
	return nil
}

// ByAt reports whether a filter selects by At or Labels, so that the latest At is first.
func ByAt(f storage.Filter) bool {
	return len(f.Labels) > 0 || len(f.Begins) > 0 || !f.From.IsZero() || !f.To.IsZero()
}

// Match reports whether a filter selects a record.
func Match(f storage.Filter, r *storage.Record) bool {
	none := func(l string) bool { return !has(r.Labels, l, l) }
	noneBegins := func(l string) bool { return !has(r.Labels, l, Last(l)) }
	return (f.Status == "" || r.Status == f.Status) && !r.At.Before(f.From) && (f.To.IsZero() || r.At.Before(f.To)) &&
		!slices.ContainsFunc(f.Labels, none) && !slices.ContainsFunc(f.Begins, noneBegins)
}

// has reports whether one of the sorted labels lies from first to last.
func has(labels []string, first, last string) bool {
	i, _ := slices.BinarySearch(labels, first)
	return i < len(labels) && labels[i] <= last
}

// Last returns a text that no label with that beginning comes after.
func Last(beginning string) string { return beginning + strings.Repeat("\U0010FFFF", 50) }

// LatestFirst orders records by At, and by ID within one.
func LatestFirst(a, b *storage.Record) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
}

// When returns At as it is kept: CreatedAt if it is zero.
func When(r storage.Record) time.Time {
	return cmp.Or(r.At.UTC().Truncate(time.Microsecond), r.CreatedAt)
}

// CheckPositive checks the limit of Store.Scan and Store.Changed, and the number of handlers of Queue.Work.
func CheckPositive(what string, n int) error {
	if n < 1 {
		return fmt.Errorf("%w %s: %d, want at least 1", storage.ErrInvalid, what, n)
	}
	return nil
}

// NotFound is the error for a record that does not exist or belongs to another owner.
func NotFound(key storage.Key) error {
	return fmt.Errorf("%s/%d: %w", key.Kind, key.ID, storage.ErrNotFound)
}

// Gone returns nil if a Delete of these keys has found one of them, and else NotFound.
func Gone(found bool, keys []storage.Key) error {
	switch {
	case found:
		return nil
	case len(keys) == 0:
		return fmt.Errorf("no record: %w", storage.ErrNotFound)
	}
	return NotFound(keys[0])
}

// Only returns the record that a query for a key has found, or NotFound.
func Only(key storage.Key, found []storage.Record, err error) (storage.Record, error) {
	if err == nil && len(found) == 0 {
		err = NotFound(key)
	}
	if err != nil {
		return storage.Record{}, err
	}
	return found[0], nil
}

// Conflict is the error of an Update of a record with the status is: that status is not from, or the record has changed.
func Conflict(key storage.Key, is, from storage.Status) error {
	if is == from {
		return fmt.Errorf("%s/%d was changed meanwhile: %w", key.Kind, key.ID, storage.ErrConflict)
	}
	return fmt.Errorf("%s/%d is %s, not %s: %w", key.Kind, key.ID, is, from, storage.ErrConflict)
}

// Clone returns r with slices of its own.
func Clone(r storage.Record) storage.Record {
	r.Data, r.Result, r.Labels = bytes.Clone(r.Data), bytes.Clone(r.Result), append([]string(nil), r.Labels...)
	return r
}

// batch is the number of records that Unfinished reads at a time.
const batch = 100

// Unfinished calls fn for the records that read returns: at most limit unfinished ones with a sequence number above
// after, in its order, and the number of the last one. No query is open while fn runs.
func Unfinished(ctx context.Context, fn func(storage.Record) error, read func(after int64, limit int) ([]storage.Record, int64, error)) error {
	for after := int64(0); ; {
		records, last, err := read(after, batch)
		if err == nil {
			err = Each(ctx, records, fn)
		}
		if err != nil || len(records) < batch {
			return err
		}
		after = last
	}
}

// Each calls fn for each item, until fn returns an error or ctx ends.
func Each[T any](ctx context.Context, items []T, fn func(T) error) error {
	for _, x := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(x); err != nil {
			return err
		}
	}
	return nil
}

// CheckBlobKey returns storage.ErrInvalid if a key is not valid for Blobs.
func CheckBlobKey(key string) error {
	bad := func(why string) error { return fmt.Errorf("%w blob key %q: %s", storage.ErrInvalid, key, why) }
	if key == "" || len(key) > 200 {
		return bad("want 1 to 200 bytes")
	}
	for name := range strings.SplitSeq(key, "/") {
		if name == "" || name[0] == '.' {
			return bad("a name is empty or begins with a dot")
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-_") != "" {
			return bad("want a-z, 0-9, '.', '-' and '_' in names separated by '/'")
		}
	}
	return nil
}

// BlobNotFound is the error for a blob that does not exist.
func BlobNotFound(key string) error { return fmt.Errorf("blob %q: %w", key, storage.ErrNotFound) }

// Content reads the content of a blob. It returns Ctx's error when Ctx has ended, and
// storage.ErrTooLarge after more than Limit bytes, and ends as reading.Of does.
type Content struct {
	Ctx   context.Context
	Key   string
	R     io.Reader
	Limit int64 // 0: none
	Size  int64 // bytes read

	guarded io.Reader // R
}

func (c *Content) Read(p []byte) (int, error) {
	if err := c.Ctx.Err(); err != nil {
		return 0, err
	}
	if c.guarded == nil {
		c.guarded = reading.Of(c.R)
	}
	n, err := c.guarded.Read(p)
	if c.Size += int64(n); c.Limit > 0 && c.Size > c.Limit {
		return n, fmt.Errorf("blob %s: %w: more than %d bytes", c.Key, storage.ErrTooLarge, c.Limit)
	}
	return n, err
}

// CheckMD5 compares the MD5 of a blob with PutOptions.MD5.
func CheckMD5(key string, sum [md5.Size]byte, want []byte) error {
	if want != nil && !bytes.Equal(want, sum[:]) {
		return fmt.Errorf("blob %s: %w content: its MD5 is %x, want %x", key, storage.ErrInvalid, sum, want)
	}
	return nil
}

// Migrations returns the files migrations/*.sql of an embedded folder, in the order of their
// names: 0001.sql creates the tables of version 1 in an empty database.
func Migrations(files fs.FS) []string {
	names, _ := fs.Glob(files, "migrations/*.sql") // the pattern is right
	var scripts []string
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // it is embedded
		}
		scripts = append(scripts, string(b))
	}
	return scripts
}

// Pending returns the scripts that a place of the version has not run. A version above theirs,
// made by a newer program, is storage.ErrInvalid.
func Pending(scripts []string, place string, version int) ([]string, error) {
	if version > len(scripts) {
		return nil, fmt.Errorf("%w %s: its version is %d and this program knows versions up to %d: use a newer program",
			storage.ErrInvalid, place, version, len(scripts))
	}
	return scripts[version:], nil
}
