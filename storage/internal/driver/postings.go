package driver

import (
	"bytes"
	"cmp"
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
	blockSize = 120 * entrySize // two rows of SQLite fit into a page of 4 KiB
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

// Append adds the entries of a block.
func Append(entries []Entry, block []byte) []Entry {
	for ; len(block) >= entrySize; block = block[entrySize:] {
		entries = append(entries, Entry{binary.BigEndian.Uint64(block), binary.BigEndian.Uint64(block[8:])})
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

// Meet returns the entries that are within the bounds of a filter and in each of its spans, of which runs has the
// entries of each label. Whoever reads blocks may leave out those that are not within the bounds.
func Meet(f storage.Filter, spans [][][]Entry) []Entry {
	from, to := Bounds(f)
	var all []Entry
	for i, runs := range spans {
		list := merged(runs)
		first, _ := slices.BinarySearchFunc(list, from, Entry.compare)
		last, _ := slices.BinarySearchFunc(list, to, Entry.compare)
		if list = list[first:max(first, last)]; i > 0 {
			list = both(all, list)
		}
		all = list
	}
	return all
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

// both returns what is in both of two ascending lists; the memory is that of the shorter one.
func both(a, b []Entry) []Entry {
	if len(a) > len(b) {
		a, b = b, a
	}
	list := a[:0]
	for _, e := range a {
		for len(b) > 0 && b[0].compare(e) < 0 {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == e {
			list = append(list, e)
		}
	}
	return list
}

// Page returns the IDs of the records on the page of a filter, in their order.
func Page(f storage.Filter, found []Entry) (ids []int64) {
	found = found[:max(len(found)-f.Offset, 0)]
	for _, e := range slices.Backward(found[max(len(found)-f.Limit, 0):]) {
		ids = append(ids, int64(e.ID))
	}
	return ids
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
