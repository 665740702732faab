package storage_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// Every record belongs to an owner: for others there is none.
func Example() {
	ctx := context.Background()
	var store storage.Store = memory.NewStore(memory.StoreOptions{})
	r, err := store.Create(ctx, storage.Record{
		Key:  storage.Key{Owner: "alice", Kind: storage.Images},
		Data: []byte(`{"name":"squat.jpg"}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := store.Get(ctx, r.Key)
	fmt.Printf("%s %d %s %v\n", again.Kind, again.ID, again.Data, err)

	theirs := r.Key
	theirs.Owner = "bob"
	_, err = store.Get(ctx, theirs)
	fmt.Println(err, errors.Is(err, storage.ErrNotFound))
	// Output:
	// images 1 {"name":"squat.jpg"} <nil>
	// images/1: not found true
}

// Records are polled until their status is final.
func ExampleStatus_Final() {
	for _, s := range []storage.Status{storage.Unprocessed, storage.Processing, storage.Success, storage.Failure} {
		fmt.Println(s, s.Final())
	}
	// Output:
	// UNPROCESSED false
	// PROCESSING false
	// SUCCESS true
	// FAILURE true
}
