package driver_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

func TestPending(t *testing.T) {
	scripts := driver.Migrations(fstest.MapFS{
		"migrations/0010.sql":   {Data: []byte("c")},
		"migrations/0002.sql":   {Data: []byte("b")},
		"migrations/0001.sql":   {Data: []byte("a")},
		"migrations/README.md":  {Data: []byte("no script")},
		"migrations/old/01.sql": {Data: []byte("nor this")},
	})
	for version, want := range [][]string{{"a", "b", "c"}, {"b", "c"}, {"c"}, {}} {
		got, err := driver.Pending(scripts, "file", version)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("version %d: %v %s", version, err, diff)
		}
	}
	const want = "invalid file: its version is 4 and this program knows versions up to 3: use a newer program"
	if _, err := driver.Pending(scripts, "file", 4); !errors.Is(err, storage.ErrInvalid) || err.Error() != want {
		t.Errorf("version 4: %v, want %s", err, want)
	}
}

func TestCheckBlobKey(t *testing.T) {
	for key, want := range map[string]string{
		"media/movies/7": "",
		"../passwords":   `invalid blob key "../passwords": a name is empty or begins with a dot`,
		"Movie 7":        `invalid blob key "Movie 7": want a-z, 0-9, '.', '-' and '_' in names separated by '/'`,
	} {
		err := driver.CheckBlobKey(key)
		if errors.Is(err, storage.ErrInvalid) != (want != "") || want != "" && err.Error() != want {
			t.Errorf("%s: %v, want %s", key, err, want)
		}
	}
}
