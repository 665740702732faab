package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// own returns the name of a function's t, b, f or tb, and "" if it takes none.
func own(f *ast.FuncType) string {
	for _, p := range f.Params.List {
		of := p.Type
		if pointer, ok := of.(*ast.StarExpr); ok {
			of = pointer.X
		}
		s, ok := of.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"T", "B", "F", "TB"}, s.Sel.Name) {
			continue
		}
		if len(p.Names) == 0 {
			return "_"
		}
		return p.Names[0].Name
	}
	return ""
}

// uses returns where a t of this name is used: given to a function, or told something. Its context may be had.
func uses(body ast.Node, t string) (places []token.Pos) {
	isT := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == t
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return own(n.Type) != t
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); slices.ContainsFunc(n.Args, isT) || ok && isT(s.X) && s.Sel.Name != "Context" {
				places = append(places, n.Pos())
			}
		}
		return true
	})
	return places
}

// mentions reports whether something has a name in it.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// borrowed returns where the subtests of a function use its t, of this name, instead of their own: in themselves, in closures
// that they name, and in those of tables.
func borrowed(body ast.Node, t string) (places []token.Pos) {
	var subtests, tabled []ast.Node
	named, table := map[string]ast.Node{}, token.NoPos // the end of the table that is looked through
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, v := range n.Rhs {
				if f, ok := v.(*ast.FuncLit); ok && own(f.Type) == "" {
					if name, ok := n.Lhs[i].(*ast.Ident); ok {
						named[name.Name] = f.Body
					}
				}
			}
		case *ast.CompositeLit:
			table = max(table, n.End())
		case *ast.FuncLit:
			if inner := own(n.Type); inner != "" {
				subtests = append(subtests, n.Body)
				places = append(places, borrowed(n.Body, inner)...)
				if inner != t {
					places = append(places, uses(n.Body, t)...)
				}
				return false
			}
			if n.Pos() < table {
				tabled = append(tabled, n.Body)
			}
		}
		return true
	})
	if subtests == nil {
		return nil
	}
	for _, body := range tabled {
		places = append(places, uses(body, t)...)
	}
	for run := append(subtests, tabled...); len(run) > 0; run = run[1:] {
		for name, body := range named {
			if mentions(run[0], name) {
				delete(named, name)
				places = append(places, uses(body, t)...)
				run = append(run, body)
			}
		}
	}
	return places
}

// TestSubtests checks that subtests use their own t: a parent that is skipped or ended by a subtest is a failure of all of it.
func TestSubtests(t *testing.T) {
	const example = `package p
func TestBoth(t *testing.T) {
	first := func() { testkit.Data(t, "1") }
	second := func() { first() }
	third := func() { testkit.Data(t, "good") }
	third()
	own := func(t *testing.T) { testkit.Data(t, "good") }
	for _, c := range []func(){func() { testkit.Data(t, "2") }, func() { t.Context() }} {
		t.Run("a", func(t *testing.T) {
			c()
			second()
			own(t)
			t.Run("b", func(inner *testing.T) { t.Fatal("3") })
			rapid.Check(t, func(t *rapid.T) { t.Fatal("good") })
			testkit.Data(t, "good")
		})
	}
}
func TestNone(t *testing.T) {
	first := func() { testkit.Data(t, "good") }
	first()
}
`
	find := func(path string, text []byte) (lines []string) {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && own(f.Type) != "" {
				for _, at := range borrowed(f.Body, own(f.Type)) {
					lines = append(lines, files.Position(at).String())
				}
			}
		}
		slices.Sort(lines)
		return slices.Compact(lines)
	}
	if found := strings.Join(find("p", []byte(example)), " "); found != "p:13:40 p:3:20 p:8:38" {
		t.Errorf("found %s in the example", found)
	}
	eachFile(t, func(path string, text []byte) {
		for _, line := range find(path, text) {
			t.Errorf("%s: a subtest uses the t of its parent", line)
		}
	}, ".go")
}
