package testkit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit"
)

const doc = "# A title, of two!\n\n[one](other.md#two-words) `[no](link)` <img src=\"p.png\">\n\n```sh\ngo run . # [no](link)\n```\n\n## Same\n## Same\n\n```output\nx\n```\n"

func TestDocument(t *testing.T) {
	want := []testkit.Block{{Kind: "sh", Text: "go run . # [no](link)\n", Line: 6}, {Kind: "output", Text: "x\n", Line: 13}}
	if diff := cmp.Diff(want, testkit.Blocks(doc)); diff != "" {
		t.Error(diff)
	}
}
