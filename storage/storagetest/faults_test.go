package storagetest_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/storagetest"
)

// What has no faults keeps every promise, wrapped or not.
func TestFaultsNone(t *testing.T) {
	f := &storagetest.Faults{Choose: storagetest.Nth(0, storagetest.Fail)}
	t.Run("store", func(t *testing.T) {
		storagetest.Store(t, storagetest.StoreDriver{Open: func(string) (storage.Store, error) {
			return f.Store(memory.NewStore(memory.StoreOptions{})), nil
		}})
	})
	t.Run("queue", func(t *testing.T) {
		storagetest.Queue(t, func(*testing.T) storage.Queue { return f.Queue(memory.NewQueue(memory.QueueOptions{})) })
	})
	t.Run("abilities", func(t *testing.T) {
		if _, ok := storage.As[storage.AnswerKeeper](f.Store(memory.NewStore(memory.StoreOptions{}))); !ok {
			t.Error("the store keeps no answers")
		}
		if _, ok := storage.As[storage.Counter](f.Queue(memory.NewQueue(memory.QueueOptions{}))); !ok {
			t.Error("the queue does not count")
		}
		if _, ok := storage.As[storage.JobCreator](f.Queue(memory.NewQueue(memory.QueueOptions{}))); ok {
			t.Error("the queue creates records, which memory.Queue does not")
		}
	})
}

var image = storage.Record{Key: storage.Key{Owner: "alice", Kind: storage.Images}}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault storagetest.Fault
		kept  int // records
		err   error
	}{
		{storagetest.None, 1, nil},
		{storagetest.Fail, 0, storage.ErrUnavailable},
		{storagetest.Lose, 1, storage.ErrUnavailable},
		{storagetest.Delay, 1, nil},
		{storagetest.Hang, 0, context.DeadlineExceeded},
	} {
		t.Run(c.fault.String(), func(t *testing.T) {
			f := &storagetest.Faults{Choose: storagetest.Nth(1, c.fault), Pause: time.Millisecond}
			store := f.Store(memory.NewStore(memory.StoreOptions{}))
			ctx := t.Context()
			if c.fault == storagetest.Hang {
				var cancel func()
				ctx, cancel = context.WithTimeout(ctx, time.Millisecond)
				defer cancel()
			}
			if _, err := store.Create(ctx, image); !errors.Is(err, c.err) {
				t.Errorf("create: %v, want %v", err, c.err)
			}
			list, total, err := store.List(t.Context(), "alice", storage.Images, storage.Filter{Limit: 9})
			if err != nil || total != c.kept || len(list) != c.kept {
				t.Errorf("list: %d of %d, %v, want %d", len(list), total, err, c.kept)
			}
		})
	}
}

// A host may have errors of its own.
func TestFaultsErr(t *testing.T) {
	own := errors.New("own")
	var seen []storagetest.Call
	f := &storagetest.Faults{Err: own, Choose: func(c storagetest.Call) storagetest.Fault {
		seen = append(seen, c)
		if c.Name == "Blob.Read" && c.N == 2 {
			return storagetest.Lose
		}
		return storagetest.None
	}}
	blobs := f.Blobs(memory.NewBlobs(memory.BlobsOptions{}))
	if _, err := blobs.Put(t.Context(), "a", strings.NewReader("text"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	b, err := blobs.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	text := make([]byte, 2)
	if n, err := b.Read(text); n != 2 || err != nil {
		t.Errorf("the first read: %d, %v", n, err)
	}
	if n, err := b.Read(text); n != 0 || !errors.Is(err, own) {
		t.Errorf("the second read: %d, %v", n, err)
	}
	if rest, err := io.ReadAll(b); len(rest) != 0 || err != nil {
		t.Errorf("lost bytes came again: %q, %v", rest, err)
	}
	want := []storagetest.Call{{Name: "Blobs.Put", N: 1, All: 1}, {Name: "Blobs.Open", N: 1, All: 2}, {Name: "Blob.Read", N: 1, All: 3}}
	if !slices.Equal(seen[:3], want) {
		t.Errorf("calls %v, want %v", seen[:3], want)
	}
}

// The answer of a handler is lost: the queue hands out the job again.
func TestFaultsHandle(t *testing.T) {
	f := &storagetest.Faults{Choose: storagetest.Nth(2, storagetest.Lose)}
	queue := f.Queue(memory.NewQueue(memory.QueueOptions{}))
	if err := queue.Push(t.Context(), storage.Job{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 1}}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	times := 0
	err := queue.Work(ctx, 1, func(context.Context, storage.Job) error {
		if times++; times == 2 {
			stop()
		}
		return nil
	})
	if err != nil || times != 2 {
		t.Errorf("handled %d times, %v", times, err)
	}
}

func TestChance(t *testing.T) {
	choose := func(seed uint64) (list []storagetest.Fault) {
		f := storagetest.Chance(seed, 0.25, storagetest.Fail, storagetest.Lose)
		for range 1000 {
			list = append(list, f(storagetest.Call{}))
		}
		return list
	}
	one := choose(1)
	if !slices.Equal(one, choose(1)) || slices.Equal(one, choose(2)) {
		t.Error("faults do not follow from the seed")
	}
	count := map[storagetest.Fault]int{}
	for _, f := range one {
		count[f]++
	}
	if count[storagetest.None] < 650 || count[storagetest.Fail] < 50 || count[storagetest.Lose] < 50 || len(count) != 3 {
		t.Errorf("chosen: %v", count)
	}
}
