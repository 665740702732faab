package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// What is in the file is there again for the next process.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "records-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "motion.db")
	ctx := context.Background()

	store, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"squat", "jump"} {
		_, err := store.Create(ctx, storage.Record{
			Key:  storage.Key{Owner: "alice", Kind: storage.Movies},
			Data: fmt.Appendf(nil, `{"name":%q}`, name),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := store.Close(); err != nil {
		fmt.Println(err)
		return
	}

	if store, err = sqlite.Open(path, sqlite.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	records, total, err := store.List(ctx, "alice", storage.Movies, storage.Filter{Limit: 20})
	fmt.Println(total, err)
	for _, r := range records {
		fmt.Printf("%s %d: %s\n", r.Kind, r.ID, r.Data)
	}
	// Output:
	// 2 <nil>
	// movies 2: {"name":"jump"}
	// movies 1: {"name":"squat"}
}
