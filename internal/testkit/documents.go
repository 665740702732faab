package testkit

import (
	"os"
	"testing"

	"github.com/bodymotion/motion/internal/markdown"
)

// EachDocument calls check with the blocks of each document, in a subtest of its name. It leaves out the
// documents whose commands need Jupyter kernels or a cluster: tests of their own run those.
func EachDocument(t *testing.T, check func(t *testing.T, blocks []markdown.Block)) {
	t.Helper()
	paths, err := markdown.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if path == "examples/notebook/README.md" || path == "examples/cluster/README.md" {
			continue
		}
		t.Run(path, func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			check(t, markdown.Blocks(string(b)))
		})
	}
}
