package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit/recorded"
)

// Recorded returns the clips of recorded people, in order.
func Recorded(t testing.TB) (list []*recorded.Clip) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), "internal/testkit/testdata/recorded/*.json.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no clips of recorded people (%v)", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := recorded.Read(data)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, c)
	}
	return list
}
