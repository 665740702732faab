// Package markdown finds the project's documents and the blocks of code in them.
package markdown

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
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
	all := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "examples/*/README.md"} {
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
