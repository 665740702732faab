// Package markdown finds in the project's documents what can be checked: blocks of code,
// links, and the headings that links lead to. It knows the Markdown that they use, not all.
package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// Block is a fenced block.
type Block struct {
	Kind string // what stands behind the fence, such as "go", "sh" or "output"
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

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	code    = regexp.MustCompile("`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
)

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

// NeedsServers reports whether the commands of a document need Jupyter kernels or a cluster. Tests of
// their own run those commands.
func NeedsServers(path string) bool {
	return path == "examples/notebook/README.md" || path == "examples/cluster/README.md"
}

// Links returns where the links and pictures of a document lead, outside of code.
func Links(doc string) []string {
	var links []string
	for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(fence.ReplaceAllString(doc, ""), ""), -1) {
		links = append(links, m[1]+m[2])
	}
	return links
}

// Anchors returns the names by which the headings of a document can be reached, as GitHub
// makes them.
func Anchors(doc string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(doc, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1])
		for n, free := 0, name; ; n++ {
			if n > 0 {
				free = fmt.Sprintf("%s-%d", name, n)
			}
			if !anchors[free] {
				anchors[free] = true
				break
			}
		}
	}
	return anchors
}

// CheckLinks returns what is wrong with the links of the document at path to files and
// headings. Those to other sites are not followed.
func CheckLinks(path string) ([]string, error) {
	doc, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, l := range Links(string(doc)) {
		if strings.Contains(l, "://") || strings.HasPrefix(l, "mailto:") {
			continue
		}
		file, anchor, hasAnchor := strings.Cut(l, "#")
		to := path
		if file != "" {
			to = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
		}
		text, err := os.ReadFile(to)
		info, statErr := os.Stat(to)
		switch {
		case statErr != nil:
			wrong = append(wrong, fmt.Sprintf("%s: the link %s leads nowhere", path, l))
		case hasAnchor && (err != nil || info.IsDir() || !Anchors(string(text))[anchor]):
			wrong = append(wrong, fmt.Sprintf("%s: there is no heading for the link %s", path, l))
		}
	}
	return wrong, nil
}
