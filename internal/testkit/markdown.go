package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Block is a fenced block.
type Block struct {
	Kind string // the word after the fence, such as "go", "sh" or "output"
	Text string
	Line int // of its first line of text, from 1
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// Blocks returns the fenced blocks of a document.
func Blocks(doc string) []Block {
	var blocks []Block
	for _, m := range fence.FindAllStringSubmatchIndex(doc, -1) {
		blocks = append(blocks, Block{doc[m[2]:m[3]], doc[m[4]:m[5]], 1 + strings.Count(doc[:m[4]], "\n")})
	}
	return blocks
}

// Documents returns the paths of the project's pages for users. It runs in the root of the repository.
func Documents() ([]string, error) {
	all := []string{"README.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "internal/lab/*.md", "cmd/*/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("no document matches %s", pattern)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// EachDocument calls check with the blocks of each document, in a subtest of its name. It leaves out the
// documents whose commands need Jupyter kernels or a cluster: tests of their own run those.
func EachDocument(t *testing.T, check func(t *testing.T, blocks []Block)) {
	t.Helper()
	paths, err := Documents()
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
			check(t, Blocks(string(b)))
		})
	}
}
