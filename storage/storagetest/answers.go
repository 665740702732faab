package storagetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// AnswerKeeper tests a storage.AnswerKeeper: what the driver opens is one, or wraps one.
func AnswerKeeper(t *testing.T, d StoreDriver) {
	for _, c := range []struct {
		name string
		test func(*testing.T, storage.AnswerKeeper)
	}{
		{"reserve, keep, release", reserveAndKeep},
		{"owners", answersOfOwners},
		{"time", answersLapse},
		{"forget", answersForgotten},
		{"the last keys stay", lastKeysStay},
		{"invalid", invalidRequests},
		{"ended context", answersEndedContext},
		{"one of many", func(t *testing.T, k storage.AnswerKeeper) { oneReserves(t, k, k) }},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, keeperOf(t, d.empty(t))) })
	}
	if d.Place == nil {
		return
	}
	t.Run("reopen", func(t *testing.T) { answersReopen(t, d) })
	if d.Exclusive {
		return
	}
	t.Run("one of many, opened twice", func(t *testing.T) {
		place := d.Place(t)
		oneReserves(t, keeperOf(t, d.open(t, place)), keeperOf(t, d.open(t, place)))
	})
}

func keeperOf(t *testing.T, s storage.Store) storage.AnswerKeeper {
	t.Helper()
	k, ok := storage.As[storage.AnswerKeeper](s)
	if !ok {
		t.Fatalf("%T is no storage.AnswerKeeper", s)
	}
	return k
}

const (
	day      = 24 * time.Hour
	manyKeys = 1000
)

func request(owner, key string) storage.Request {
	return storage.Request{Owner: owner, Key: key, Hash: [32]byte{1, 2, 31: 3}}
}

// reserve wants a new reservation.
func reserve(t *testing.T, k storage.AnswerKeeper, r storage.Request, lease time.Duration) int64 {
	t.Helper()
	got, err := k.ReserveAnswer(t.Context(), r, lease, manyKeys)
	if err != nil || got.ID == 0 {
		t.Fatalf("%s of %s: %+v (%v), want a reservation", r.Key, r.Owner, got, err)
	}
	return got.ID
}

// taken wants what is kept for a key.
func taken(t *testing.T, k storage.AnswerKeeper, r storage.Request, answer string) {
	t.Helper()
	other := r
	other.Hash = [32]byte{9}
	got, err := k.ReserveAnswer(t.Context(), other, day, manyKeys)
	if err != nil || got.ID != 0 || got.Hash != r.Hash || string(got.Answer) != answer || (got.Answer == nil) != (answer == "") {
		t.Errorf("%s of %s: %+v (%v), want the answer %q", r.Key, r.Owner, got, err, answer)
	}
}

func keep(t *testing.T, k storage.AnswerKeeper, id int64, answer string, ttl time.Duration) {
	t.Helper()
	b := []byte(answer)
	if err := k.KeepAnswer(t.Context(), id, b, ttl); err != nil {
		t.Fatal(err)
	}
	clear(b) // the store must not share it
}

func release(t *testing.T, k storage.AnswerKeeper, id int64) {
	t.Helper()
	if err := k.ReleaseAnswer(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func reserveAndKeep(t *testing.T, k storage.AnswerKeeper) {
	r := request("alice", "k")
	first := reserve(t, k, r, day)
	taken(t, k, r, "")
	release(t, k, first)
	second := reserve(t, k, r, day)
	if second == first {
		t.Errorf("the reservation %d is given again", first)
	}
	// The first one has no right to the key any more.
	keep(t, k, first, "old", day)
	release(t, k, first)
	taken(t, k, r, "")
	keep(t, k, second, "answer\x00\xff", day)
	taken(t, k, r, "answer\x00\xff")
	// An answer stays.
	keep(t, k, second, "another", day)
	release(t, k, second)
	taken(t, k, r, "answer\x00\xff")
	release(t, k, second+1000)
}

func answersOfOwners(t *testing.T, k storage.AnswerKeeper) {
	for _, owner := range []string{"alice", "Alice", "al%ce", "größe 漢字", " "} {
		for _, key := range []string{"k", "K", "k%", " ", "'; --"} {
			keep(t, k, reserve(t, k, request(owner, key), day), owner+key, day)
		}
	}
	taken(t, k, request("Alice", "K"), "AliceK")
	taken(t, k, request("al%ce", "k%"), "al%cek%")
}

// answersLapse: what has lapsed is ignored, also before ExpireAnswers.
func answersLapse(t *testing.T, k storage.AnswerKeeper) {
	r := request("alice", "k")
	late := reserve(t, k, r, 0) // its lease ends at once
	keep(t, k, late, "in time after all", day)
	taken(t, k, r, "in time after all")

	dead := request("alice", "dead")
	lost := reserve(t, k, dead, 0)
	now := reserve(t, k, dead, day)
	if got, err := k.ReserveAnswer(t.Context(), request("alice", "new"), 0, manyKeys); err != nil || got.Lapsed {
		t.Errorf("a new key: %+v (%v)", got, err)
	}
	keep(t, k, lost, "too late", day)
	taken(t, k, dead, "")
	keep(t, k, now, "answer", 0) // its time ends at once
	again := reserve(t, k, dead, day)
	if again == now || again == lost {
		t.Errorf("the reservation %d is given again", again)
	}
	keep(t, k, again, "answer", day)
	lapsed := reserve(t, k, request("alice", "lapsed"), 0)
	if err := k.ExpireAnswers(t.Context()); err != nil {
		t.Fatal(err)
	}
	taken(t, k, r, "in time after all")
	taken(t, k, dead, "answer")
	if got, err := k.ReserveAnswer(t.Context(), request("alice", "lapsed"), day, manyKeys); err != nil || got.ID == 0 || !got.Lapsed {
		t.Errorf("after a reservation that has lapsed: %+v (%v)", got, err)
	}
	keep(t, k, lapsed, "too late", day)
	taken(t, k, request("alice", "lapsed"), "")
}

// answersForgotten: those of one owner, and their requests may have been executed.
func answersForgotten(t *testing.T, k storage.AnswerKeeper) {
	for _, owner := range []string{"alice", "bob"} {
		keep(t, k, reserve(t, k, request(owner, "done"), day), "answer", day)
		reserve(t, k, request(owner, "in progress"), day)
	}
	if err := k.ForgetAnswers(t.Context(), "alice"); err != nil {
		t.Fatal(err)
	}
	taken(t, k, request("bob", "done"), "answer")
	taken(t, k, request("alice", "in progress"), "")
	got, err := k.ReserveAnswer(t.Context(), request("alice", "done"), day, manyKeys)
	if err != nil || got.ID == 0 || !got.Lapsed || got.Answer != nil {
		t.Errorf("after its answer was forgotten: %+v (%v)", got, err)
	}
	keep(t, k, got.ID, "another", day)
	taken(t, k, request("alice", "done"), "another")
}

// lastKeysStay: of each owner the keys that were reserved last.
func lastKeysStay(t *testing.T, k storage.AnswerKeeper) {
	post := func(owner, key string) bool {
		got, err := k.ReserveAnswer(t.Context(), request(owner, key), day, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != 0 {
			keep(t, k, got.ID, "a", day)
		}
		return got.ID != 0
	}
	post("bob", "k0")
	for i := range 9 {
		if !post("alice", fmt.Sprint("k", i)) {
			t.Errorf("k%d is in use", i)
		}
	}
	for _, key := range []string{"k6", "k7", "k8"} {
		if post("alice", key) {
			t.Errorf("%s has gone", key)
		}
	}
	if post("bob", "k0") || !post("alice", "k5") {
		t.Error("the key of another owner has gone, or an old one has stayed")
	}
}

func invalidRequests(t *testing.T, k storage.AnswerKeeper) {
	if _, err := k.ReserveAnswer(t.Context(), request("", "k"), day, 1); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("no owner: %v", err)
	}
	if _, err := k.ReserveAnswer(t.Context(), request("alice", "k"), day, 0); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("no keys: %v", err)
	}
}

func answersEndedContext(t *testing.T, k storage.AnswerKeeper) {
	id := reserve(t, k, request("alice", "k"), day)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := k.ReserveAnswer(ctx, request("alice", "other"), day, 1)
	for name, err := range map[string]error{
		"reserve": err, "keep": k.KeepAnswer(ctx, id, []byte("a"), day), "release": k.ReleaseAnswer(ctx, id), "expire": k.ExpireAnswers(ctx),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	taken(t, k, request("alice", "k"), "")
}

// oneReserves: of concurrent calls for a key, one gets the reservation, and the others in the end its answer.
func oneReserves(t *testing.T, a, b storage.AnswerKeeper) {
	for i := range 20 {
		r := request("alice", fmt.Sprint("k", i))
		var got atomic.Int64
		var wg sync.WaitGroup
		for g := range 8 {
			k := []storage.AnswerKeeper{a, b}[g%2]
			wg.Go(func() {
				found, err := k.ReserveAnswer(t.Context(), r, day, 10)
				if err != nil {
					t.Error(err)
				} else if found.ID != 0 && got.Swap(found.ID) != 0 {
					t.Errorf("%s is reserved twice", r.Key)
				}
			})
		}
		wg.Wait()
		keep(t, b, got.Load(), "answer", day)
		taken(t, a, r, "answer")
	}
}

// answersReopen: what was kept is there after the store was opened again.
func answersReopen(t *testing.T, d StoreDriver) {
	place := d.Place(t)
	s, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	k := keeperOf(t, s)
	keep(t, k, reserve(t, k, request("alice", "k"), day), "answer", day)
	under := reserve(t, k, request("alice", "under way"), day)
	shut(t, s)
	k = keeperOf(t, d.open(t, place))
	taken(t, k, request("alice", "k"), "answer")
	taken(t, k, request("alice", "under way"), "")
	if next := reserve(t, k, request("alice", "next"), day); next <= under {
		t.Errorf("the reservation %d is given after %d", next, under)
	}
}
