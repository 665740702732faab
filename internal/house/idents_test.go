package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestIdentifiers: what the documents call `package.Name`, with further names behind it, is exported by a package of that name, or by the
// type before it. Names of other modules' packages are not looked for.
func TestIdentifiers(t *testing.T) {
	exported := map[string]map[string]bool{} // by the name of the package
	note := func(pkg string, names ...*ast.Ident) {
		for _, id := range names {
			if id.IsExported() {
				exported[pkg][id.Name] = true
			}
		}
	}
	out, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		testkit.Skip(t, "the git checkout")
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "internal/") || strings.Contains(path, "testdata/") || strings.HasPrefix(path, "examples/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if _, gone := err.(*fs.PathError); gone {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		pkg := f.Name.Name
		if exported[pkg] == nil {
			exported[pkg] = map[string]bool{}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				note(pkg, n.Name)
				return false
			case *ast.TypeSpec:
				note(pkg, n.Name)
			case *ast.ValueSpec:
				note(pkg, n.Names...)
			case *ast.Field: // of structs, and methods of interfaces
				note(pkg, n.Names...)
			}
			return true
		})
	}
	paths, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	name := regexp.MustCompile("`(?:[a-z]+/)*([a-z][a-z0-9]*|Service)((?:\\.[A-Z]\\w*)+)")
	exported["Service"] = exported["motion"]
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			names := exported[m[1]]
			if names == nil || m[1] == "main" {
				continue
			}
			n++
			for _, word := range strings.Split(m[2][1:], ".") {
				if !names[word] {
					t.Errorf("%s: no package %s exports %s", path, m[1], word)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d names were found", n)
	}
}
