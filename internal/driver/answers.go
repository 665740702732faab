package driver

import (
	"bytes"
	"cmp"
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
)

// maxBytes bounds the memory of a Answers.
const maxBytes = 64 << 20

// Lapsed is how long a reservation stays known that has lapsed.
const Lapsed = 24 * time.Hour

// CheckAnswer checks the arguments of ReserveAnswer.
func CheckAnswer(r storage.Request, keys int) error {
	if r.Owner == "" || keys < 1 {
		return fmt.Errorf("%w reservation: the owner is required, and at least one key", storage.ErrInvalid)
	}
	return nil
}

// Answers is a storage.AnswerKeeper in about 64 MiB of memory at most: when it is full, the oldest
// reservations are removed. The zero value is ready to use.
type Answers struct {
	mu    sync.Mutex
	last  int64 // ID
	byKey map[name]*list.Element
	byID  map[int64]*list.Element
	order list.List      // of *entry, the oldest reservation in front
	count map[string]int // of the entries of each owner
	bytes int
}

var _ storage.AnswerKeeper = (*Answers)(nil)

type name struct{ owner, key string }

// entry is a reservation, and later its answer.
type entry struct {
	name
	id      int64
	hash    [32]byte
	expires time.Time
	answer  []byte // nil while the request is in progress
}

// size returns the approximate memory use of an entry.
func (e *entry) size() int { return 500 + len(e.owner) + len(e.key) + len(e.answer) }

func (t *Answers) ReserveAnswer(ctx context.Context, r storage.Request, lease time.Duration, keys int) (storage.Reservation, error) {
	if err := cmp.Or(ctx.Err(), CheckAnswer(r, keys)); err != nil {
		return storage.Reservation{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil {
		t.byKey, t.byID, t.count = map[name]*list.Element{}, map[int64]*list.Element{}, map[string]int{}
	}
	now, lapsed := time.Now(), false
	if at := t.byKey[name{r.Owner, r.Key}]; at != nil {
		if e := at.Value.(*entry); now.Before(e.expires) {
			return storage.Reservation{Hash: e.hash, Answer: bytes.Clone(e.answer)}, nil
		}
		t.remove(at)
		lapsed = true
	}
	t.last++
	e := &entry{name: name{r.Owner, r.Key}, id: t.last, hash: r.Hash, expires: now.Add(lease)}
	at := t.order.PushBack(e)
	t.byKey[e.name], t.byID[e.id] = at, at
	t.bytes += e.size()
	if t.count[e.owner]++; t.count[e.owner] > keys {
		oldest := t.order.Front()
		for oldest.Value.(*entry).owner != e.owner {
			oldest = oldest.Next()
		}
		t.remove(oldest)
	}
	t.fit()
	return storage.Reservation{ID: e.id, Hash: e.hash, Lapsed: lapsed}, nil
}

func (t *Answers) KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error {
	return t.change(ctx, id, func(_ *list.Element, e *entry) {
		t.bytes -= e.size()
		e.answer, e.expires = bytes.Clone(answer), time.Now().Add(keep)
		t.bytes += e.size()
		t.fit()
	})
}

func (t *Answers) ReleaseAnswer(ctx context.Context, id int64) error {
	return t.change(ctx, id, func(at *list.Element, _ *entry) { t.remove(at) })
}

// change calls fn for a reservation without an answer, if there is one.
func (t *Answers) change(ctx context.Context, id int64, fn func(*list.Element, *entry)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.byID[id]; at != nil && at.Value.(*entry).answer == nil {
		fn(at, at.Value.(*entry))
	}
	return nil
}

func (t *Answers) ForgetAnswers(ctx context.Context, owner string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for at := t.order.Front(); at != nil; at = at.Next() {
		if e := at.Value.(*entry); e.owner == owner && e.answer != nil {
			t.bytes -= len(e.answer)
			e.hash, e.answer, e.expires = [32]byte{}, nil, time.Now()
		}
	}
	return nil
}

func (t *Answers) ExpireAnswers(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for at := t.order.Front(); at != nil; {
		next := at.Next()
		if e := at.Value.(*entry); !now.Before(e.expires) && (e.answer != nil || now.Sub(e.expires) > Lapsed) {
			t.remove(at)
		}
		at = next
	}
	return ctx.Err()
}

// fit removes the oldest entries until the rest fits.
func (t *Answers) fit() {
	for t.bytes > maxBytes {
		t.remove(t.order.Front())
	}
}

func (t *Answers) remove(at *list.Element) {
	e := t.order.Remove(at).(*entry)
	delete(t.byKey, e.name)
	delete(t.byID, e.id)
	t.bytes -= e.size()
	if t.count[e.owner]--; t.count[e.owner] == 0 {
		delete(t.count, e.owner)
	}
}
