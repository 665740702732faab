package driver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/bodymotion/motion/storage"
)

// A database finds records by At and Labels in postings: for each owner, kind and label, and for the label "" that
// every record has, the entries of the records in ascending order, in blocks of at most blockSize bytes. A list reads
// the postings of its labels and intersects them, so that its total is exact, and the last page as quick as the first.

const (
	entrySize = 16
	blockSize = 240 * entrySize // a row of SQLite fits into a page of 4 KiB
)

// Entry stands for a record. Entries, and their bytes, are in the order of At and, within one, of ID.
type Entry struct{ At, ID uint64 }

// EntryOf returns the entry of a record.
func EntryOf(at time.Time, id int64) Entry { return Entry{uint64(at.UnixMicro()) ^ 1<<63, uint64(id)} }

// Bytes returns an entry as blocks have it: big-endian.
func (e Entry) Bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, e.At), e.ID)
}

func (e Entry) compare(o Entry) int { return cmp.Or(cmp.Compare(e.At, o.At), cmp.Compare(e.ID, o.ID)) }

// entryAt returns the first entry of a block.
func entryAt(block []byte) Entry {
	return Entry{binary.BigEndian.Uint64(block), binary.BigEndian.Uint64(block[8:])}
}

// Append adds the entries of a block.
func Append(entries []Entry, block []byte) []Entry {
	for ; len(block) >= entrySize; block = block[entrySize:] {
		entries = append(entries, entryAt(block))
	}
	return entries
}

// place returns where the bytes of an entry are in a block, or belong.
func place(block, entry []byte) (at int, found bool) {
	low, high := 0, len(block)/entrySize
	for low < high {
		mid := (low + high) / 2
		switch c := bytes.Compare(block[mid*entrySize:][:entrySize], entry); {
		case c == 0:
			return mid * entrySize, true
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return low * entrySize, false
}

// Put adds an entry to a block. If that is full, the entries from next on are a block of their own.
func Put(block, entry []byte) (with, next []byte) {
	at, found := place(block, entry)
	if found {
		return block, nil
	}
	with = slices.Insert(bytes.Clone(block), at, entry...)
	switch {
	case len(with) <= blockSize:
		return with, nil
	case at == len(block): // most are: blocks stay full
		return with[:at], with[at:]
	}
	half := len(with) / entrySize / 2 * entrySize
	return with[:half], with[half:]
}

// Cut takes an entry out of a block.
func Cut(block, entry []byte) []byte {
	at, found := place(block, entry)
	if !found {
		return block
	}
	return slices.Delete(bytes.Clone(block), at, at+entrySize)
}

// Span is a range of labels, both ends included.
type Span struct{ First, Last string }

// Spans returns what a record must have a label of each of to be in a list.
func Spans(f storage.Filter) (spans []Span) {
	for _, l := range f.Labels {
		spans = append(spans, Span{l, l})
	}
	for _, b := range f.Begins {
		spans = append(spans, Span{b, Last(b)})
	}
	if spans == nil {
		spans = []Span{{}}
	}
	return spans
}

// Bounds returns the first entry that From allows, and the first that To does not.
func Bounds(f storage.Filter) (from, to Entry) {
	bound := func(t time.Time) Entry { return EntryOf(t.Add(time.Microsecond-1), 0) }
	to = Entry{^uint64(0), ^uint64(0)}
	if !f.To.IsZero() {
		to = bound(f.To)
	}
	if !f.From.IsZero() {
		from = bound(f.From)
	}
	return from, to
}

// first returns the entries within the bounds of a filter that are in a span.
func first(ctx context.Context, ix Index, f storage.Filter, span Span) ([]Entry, error) {
	var runs [][]Entry
	var last []byte
	err := ix.Read(ctx, f, span, func(label, block []byte) {
		if runs == nil || !bytes.Equal(label, last) {
			runs, last = append(runs, nil), append(last[:0], label...)
		}
		runs[len(runs)-1] = Append(runs[len(runs)-1], block)
	})
	from, to := Bounds(f)
	all := merged(runs)
	low, _ := slices.BinarySearchFunc(all, from, Entry.compare)
	high, _ := slices.BinarySearchFunc(all, to, Entry.compare)
	return all[low:max(low, high)], err
}

// those returns the entries, which are ascending, that are in a span, too.
func those(ctx context.Context, ix Index, f storage.Filter, span Span, found []Entry) ([]Entry, error) {
	has := make([]bool, len(found))
	err := ix.Read(ctx, f, span, func(_, block []byte) {
		i, _ := slices.BinarySearchFunc(found, entryAt(block), Entry.compare)
		for ; len(block) >= entrySize; block = block[entrySize:] {
			e := entryAt(block)
			for i < len(found) && found[i].compare(e) < 0 {
				i++
			}
			if i == len(found) {
				return
			}
			has[i] = has[i] || found[i] == e
		}
	})
	rest := found[:0]
	for i, e := range found {
		if has[i] {
			rest = append(rest, e)
		}
	}
	return rest, err
}

// merged returns what is in any of some ascending runs, ascending.
func merged(runs [][]Entry) []Entry {
	for len(runs) > 1 {
		var next [][]Entry
		for pair := range slices.Chunk(runs, 2) {
			if len(pair) == 2 {
				pair[0] = either(pair[0], pair[1])
			}
			next = append(next, pair[0])
		}
		runs = next
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

func either(a, b []Entry) []Entry {
	list := make([]Entry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		c := a[0].compare(b[0])
		if c <= 0 {
			list, a = append(list, a[0]), a[1:]
		} else {
			list = append(list, b[0])
		}
		if c >= 0 {
			b = b[1:]
		}
	}
	return append(append(list, a...), b...)
}

// Index reads the postings and the records of an owner and kind.
type Index interface {
	// Sizes returns about how many blocks there are in each of some spans.
	Sizes(ctx context.Context, spans []Span) ([]int, error)
	// Read calls fn with the blocks of a span, those of a label in ascending order, which are valid until fn returns.
	// It may leave out those that are not within the bounds of the filter.
	Read(ctx context.Context, f storage.Filter, span Span, fn func(label, block []byte)) error
	// Lengths returns how many entries each block of a label has, the latest first.
	Lengths(ctx context.Context, label string) ([]int, error)
	// Blocks returns the entries, ascending, of some blocks of a label: n from the position first on.
	Blocks(ctx context.Context, label string, first, n int) ([]Entry, error)
	// InStatus returns a function that reports whether a record has a status.
	InStatus(ctx context.Context, status storage.Status) (func(Entry) bool, error)
	// Records returns those of some records that exist, in any order.
	Records(ctx context.Context, ids []int64) ([]storage.Record, error)
}

// fewRecords are read to see whether they match, instead of further postings.
const fewRecords = 100

// List is Store.List for a filter that selects by At or Labels.
func List(ctx context.Context, ix Index, f storage.Filter) (page []storage.Record, total int, err error) {
	if len(f.Labels) == 1 && len(f.Begins) == 0 && f.Status == "" && f.From.IsZero() && f.To.IsZero() {
		return listLabel(ctx, ix, f)
	}
	spans := Spans(f)
	if len(spans) > 1 {
		sizes, err := ix.Sizes(ctx, spans)
		if err != nil {
			return nil, 0, err
		}
		size := map[Span]int{}
		for i, s := range spans {
			size[s] = sizes[i]
		}
		slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(size[a], size[b]) })
	}
	found, err := first(ctx, ix, f, spans[0])
	if err != nil {
		return nil, 0, err
	}
	if more := len(spans) > 1 || f.Status != ""; more && len(found) <= fewRecords {
		all, err := records(ctx, ix, found)
		all = slices.DeleteFunc(all, func(r storage.Record) bool { return !Match(f, &r) })
		rest := all[min(f.Offset, len(all)):]
		return rest[:min(f.Limit, len(rest))], len(all), err
	}
	for _, span := range spans[1:] {
		if found, err = those(ctx, ix, f, span, found); err != nil {
			return nil, 0, err
		}
	}
	slices.Reverse(found)
	if f.Status != "" {
		has, err := ix.InStatus(ctx, f.Status)
		if err != nil {
			return nil, 0, err
		}
		found = slices.DeleteFunc(found, func(e Entry) bool { return !has(e) })
	}
	rest := found[min(f.Offset, len(found)):]
	page, err = records(ctx, ix, rest[:min(f.Limit, len(rest))])
	return page, len(found), err
}

// listLabel is List for a single label: of all blocks but those of the page, it reads the lengths alone.
func listLabel(ctx context.Context, ix Index, f storage.Filter) (page []storage.Record, total int, err error) {
	lengths, err := ix.Lengths(ctx, f.Labels[0])
	if err != nil {
		return nil, 0, err
	}
	first, n, skip := 0, 0, f.Offset
	for i, length := range lengths {
		if total+length <= f.Offset {
			first, skip = i+1, skip-length
		} else if total-f.Offset < f.Limit {
			n = i + 1 - first
		}
		total += length
	}
	if n == 0 {
		return nil, total, nil
	}
	found, err := ix.Blocks(ctx, f.Labels[0], first, n)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(found)
	found = found[min(skip, len(found)):]
	page, err = records(ctx, ix, found[:min(f.Limit, len(found))])
	return page, total, err
}

// records returns the records of some entries, the latest first.
func records(ctx context.Context, ix Index, entries []Entry) ([]storage.Record, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(entries))
	for i, e := range entries {
		ids[i] = int64(e.ID)
	}
	list, err := ix.Records(ctx, ids)
	slices.SortFunc(list, func(a, b storage.Record) int { return LatestFirst(&a, &b) })
	return list, err
}

// Postings returns the labels whose postings have a record: its own and "".
func Postings(r storage.Record) []string { return append([]string{""}, r.Labels...) }

// Relabelled returns the labels whose postings a record leaves, and those that it joins, when it gets other labels or
// another time.
func Relabelled(old, now storage.Record) (left, joined []string) {
	left, joined = Postings(old), Postings(now)
	if old.At.Equal(now.At) {
		left = slices.DeleteFunc(left, func(l string) bool { return l == "" || has(now.Labels, l, l) })
		joined = slices.DeleteFunc(joined, func(l string) bool { return l == "" || has(old.Labels, l, l) })
	}
	return left, joined
}
