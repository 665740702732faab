package house_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// maxLines is the maximum length of a file.
const maxLines = 500

// eachFile calls check with each file of one of these kinds.
func eachFile(t *testing.T, check func(path string, text []byte), kinds ...string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !slices.Contains(kinds, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		check(path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFileLengths checks the length of all programs and style sheets, tests too.
func TestFileLengths(t *testing.T) {
	n := 0
	eachFile(t, func(path string, text []byte) {
		n++
		if lines := bytes.Count(text, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, at most %d are allowed", path, lines, maxLines)
		}
	}, ".go", ".js", ".mjs", ".css")
	if n < 500 {
		t.Errorf("only %d files were found", n)
	}
}

// maxWords is how many words the pages of docs have in all. It falls; a page that says more says something less elsewhere.
const maxWords = 24_000

// TestWords counts the words of the pages: what has a letter or a digit.
func TestWords(t *testing.T) {
	words := 0
	eachFile(t, func(path string, text []byte) {
		if !strings.HasPrefix(filepath.ToSlash(path), "docs/") {
			return
		}
		for _, word := range strings.Fields(string(text)) {
			if strings.ContainsFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
				words++
			}
		}
	}, ".md")
	if words > maxWords || words < maxWords/2 {
		t.Errorf("docs has %d words, at most %d are allowed", words, maxWords)
	}
}

// maxColumns is the width of a line of JavaScript and CSS, to which their formatter breaks what can be broken.
const maxColumns = 140

// TestScriptWidths checks the width of all scripts and style sheets, tests too. Whether they are formatted, the stage scripts of .ci/run
// checks. The style of reports is left out: each report contains it.
func TestScriptWidths(t *testing.T) {
	config, err := os.ReadFile(".ci/prettier.json")
	if want := `"printWidth": ` + strconv.Itoa(maxColumns) + ","; err != nil || !strings.Contains(string(config), want) {
		t.Errorf("the formatter has another width than %s: %s (%v)", want, config, err)
	}
	n := 0
	eachFile(t, func(path string, text []byte) {
		if path == "draw/report/style.css" {
			return
		}
		n++
		for i, line := range strings.Split(string(text), "\n") {
			if columns := utf8.RuneCountInString(line); columns > maxColumns {
				t.Errorf("%s:%d: the line has %d columns, at most %d are allowed", path, i+1, columns, maxColumns)
			}
		}
	}, ".js", ".mjs", ".ts", ".css")
	if n < 80 {
		t.Errorf("only %d scripts were found", n)
	}
}

// aliases returns the exported names of a file that only stand for types and variables of internal packages,
// which its users cannot read about. Constants, and errors, which are compared, say all by themselves.
func aliases(text []byte) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	internal := map[string]bool{}
	for _, imp := range file.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return nil, err
		}
		if strings.Contains(path, "/internal/") {
			name := path[strings.LastIndex(path, "/")+1:]
			if imp.Name != nil {
				name = imp.Name.Name
			}
			internal[name] = true
		}
	}
	var found []string
	add := func(name *ast.Ident, means ast.Expr) {
		if of, ok := means.(*ast.IndexExpr); ok {
			means = of.X
		}
		if of, ok := means.(*ast.SelectorExpr); ok && name.IsExported() {
			if pkg, ok := of.X.(*ast.Ident); ok && internal[pkg.Name] {
				found = append(found, name.Name)
			}
		}
	}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				add(s.Name, s.Type)
			case *ast.ValueSpec:
				for i, name := range s.Names {
					if d.Tok == token.VAR && i < len(s.Values) && !strings.HasPrefix(name.Name, "Err") {
						add(name, s.Values[i])
					}
				}
			}
		}
	}
	return found, nil
}

// TestInternalAliases checks that what the library exports is declared where its users can read it.
func TestInternalAliases(t *testing.T) {
	const seen = "package p\nimport (\n\"a/b\"\nx \"a/internal/b\"\n\"a/internal/c\"\n)\ntype A = x.T\ntype B = b.T\ntype C = c.T[int]\ntype d = c.T\ntype E struct{ c.T }\nvar F, G, ErrI = b.V, x.V, x.V\nconst J = x.J\ntype H c.T\n"
	if found, err := aliases([]byte(seen)); err != nil || !slices.Equal(found, []string{"A", "C", "G", "H"}) {
		t.Errorf("found %q (%v) in the example", found, err)
	}
	eachFile(t, func(path string, text []byte) {
		if strings.Contains(path, "internal/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		found, err := aliases(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			t.Errorf("%s: %s is the name of something internal", path, name)
		}
	}, ".go")
}

// TestSkips checks that a test says by testkit what it lacks, which lists it: only what -short leaves out is
// skipped otherwise, and cases that a property cannot use.
func TestSkips(t *testing.T) {
	skips := regexp.MustCompile(`\b\w+\.Skip(f|Now)?\(`)
	allowed := map[string]string{
		"analyze/properties_test.go": "rays too short", "compare/compare_test.go": "no torso", "compare/properties_test.go": "no torso",
		"keypoint/clean/sides_test.go":                   "nothing is exchanged",
		"storage/storagetest/backlog.go":                 "the queue is no Counter", // a suite for others too
		"cmd/motion/internal/server/leave_linux_test.go": "t.SkipNow()",             // as the process inside did, which has said why
	}
	eachFile(t, func(path string, text []byte) {
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			at := skips.FindString(line)
			if at == "" || strings.HasPrefix(at, "testkit.") || path == "internal/testkit/testkit.go" || path == "internal/house/files_test.go" {
				continue
			}
			if reason, ok := allowed[path]; ok && strings.Contains(line, reason) {
				continue
			}
			if i == 0 || !strings.Contains(lines[i-1], "testing.Short()") {
				t.Errorf("%s:%d: %s does not say what is missing by testkit.Skip", path, i+1, strings.TrimSpace(line))
			}
		}
	}, ".go")
}
