package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// errorTable returns the first cells of the rows of a section of docs/reference/errors.md, without
// their back quotes.
func errorTable(t *testing.T, section string) []string {
	t.Helper()
	b, err := os.ReadFile("docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(b), "\n## "+section+"\n")
	if !ok {
		t.Fatalf("docs/reference/errors.md has no section %q", section)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var cells []string
	for line := range strings.Lines(rest) {
		row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || len(row) < 3 {
			continue
		}
		for i := range row {
			if strings.TrimSpace(row[i]) == "" {
				t.Errorf("%s: the row %q has an empty cell", section, line)
			}
		}
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(row[0]), "`", ""))
	}
	return cells[min(1, len(cells)):] // without the head
}

// source parses the Go files of folders without their tests.
func source(t *testing.T, folders ...string) []*ast.File {
	t.Helper()
	var files []*ast.File
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no Go files in %s (%v)", folder, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	return files
}

var verb = regexp.MustCompile(`%[+#]?[a-z]|\n`)

// words returns the text of an expression, with an ellipsis for variable parts.
func words(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			break
		}
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			return "…"
		}
		return verb.ReplaceAllString(strings.ReplaceAll(s, "%%", "%"), "…")
	case *ast.BinaryExpr:
		return words(e.X) + words(e.Y)
	case *ast.CallExpr:
		if len(e.Args) > 0 && slices.Contains([]string{"Sprintf", "Errorf", "New", "Sprint"}, selector(e.Fun)) {
			return words(e.Args[0])
		}
	}
	return "…"
}

// selector returns the last name of a called expression.
func selector(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// sameTexts compares the texts in the source with those in the table.
func sameTexts(t *testing.T, section string, inSource map[string]bool) {
	t.Helper()
	documented := errorTable(t, section)
	for _, d := range documented {
		if !inSource[d] {
			t.Errorf("docs/reference/errors.md, %s: the source has no %q", section, d)
		}
	}
	for s := range inSource {
		if !slices.Contains(documented, s) {
			t.Errorf("docs/reference/errors.md, %s: the table lacks %q", section, s)
		}
	}
	if len(inSource) < 3 {
		t.Errorf("%s: only %d errors were found in the source", section, len(inSource))
	}
}

// TestErrorsInGo compares the table of errors in Go with the exported ones.
func TestErrorsInGo(t *testing.T) {
	found, fields := map[string]bool{}, map[string]*ast.StructType{}
	for _, line := range goListAll(t, "{{.Dir}} {{.Name}} {{.ImportPath}}") {
		f := strings.Split(line, " ")
		dir, err := filepath.Rel(must(os.Getwd()), f[0])
		if err != nil || strings.Contains(f[2], "/internal/") || strings.Contains(f[2], "/examples/") || f[1] == "main" {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(f[2], module), "/")
		if name == "" {
			name = "motion"
		}
		for _, file := range source(t, dir) {
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.ValueSpec:
							for _, n := range s.Names {
								if strings.HasPrefix(n.Name, "Err") {
									found[name+"."+n.Name] = true
								}
							}
						case *ast.TypeSpec:
							if of, ok := s.Type.(*ast.StructType); ok {
								fields[name+"."+s.Name.Name] = of
							}
							if s.Name.Name == "Error" || s.Name.Name == "Errors" {
								found[name+"."+s.Name.Name] = true
							}
						}
					}
				case *ast.FuncDecl: // a type with the method Error
					if d.Recv != nil && d.Name.Name == "Error" && d.Type.Params.NumFields() == 0 {
						of := d.Recv.List[0].Type
						if p, ok := of.(*ast.StarExpr); ok {
							of = p.X
						}
						if n := selector(of); ast.IsExported(n) {
							found[name+"."+n] = true
						}
					}
				}
			}
		}
	}
	sameTexts(t, "In Go", found)
	checkFields(t, fields)
}

// checkFields checks that what the table says of an error that is a struct names fields of it.
func checkFields(t *testing.T, types map[string]*ast.StructType) {
	t.Helper()
	b, err := os.ReadFile("docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(line, " | ")
		of := types[strings.Trim(cells[0], "| `")]
		if of == nil {
			continue
		}
		for _, m := range regexp.MustCompile("`([A-Z][A-Za-z]*)`").FindAllStringSubmatch(cells[1], -1) {
			checked++
			if !slices.ContainsFunc(of.Fields.List, func(f *ast.Field) bool {
				return slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == m[1] })
			}) {
				t.Errorf("docs/reference/errors.md: %s has no field %s", cells[0], m[1])
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d fields were checked", checked)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestErrorsOfTheAPI compares the table of statuses with those of problems in the source.
func TestErrorsOfTheAPI(t *testing.T) {
	found := map[string]bool{}
	add := func(status ast.Expr) {
		if name := selector(status); strings.HasPrefix(name, "Status") {
			found[strconv.Itoa(statusByName(t, name))] = true
		}
	}
	for _, f := range source(t, "httpapi", "httpapi/internal/wire", "httpapi/live") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if selector(n.Type) != "Problem" {
					break
				}
				for i, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && selector(kv.Key) == "Status" {
						add(kv.Value)
					} else if !ok && i == 0 {
						add(e)
					}
				}
			case *ast.CallExpr:
				if name := selector(n.Fun); name == "Refuse" || name == "Later" {
					add(n.Args[0])
				}
			}
			return true
		})
	}
	sameTexts(t, "In the API", found)
}

// statusByName returns the value of a constant of net/http.
func statusByName(t *testing.T, name string) int {
	t.Helper()
	for code := 100; code < 600; code++ {
		text := strings.NewReplacer(" ", "", "-", "", "'", "").Replace(http.StatusText(code))
		if text != "" && strings.EqualFold("Status"+text, name) {
			return code
		}
	}
	t.Fatalf("net/http has no %s", name)
	return 0
}

// TestErrorsOfRecords compares the table of failureDetail with the source.
func TestErrorsOfRecords(t *testing.T) {
	found := map[string]bool{}
	sentence := regexp.MustCompile(`^(The|There) .*[.…]$`)
	for _, f := range source(t, ".", "internal/worker") {
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(*ast.BasicLit); ok {
				if s := words(e); sentence.MatchString(s) {
					found[s] = true
				}
			}
			return true
		})
	}
	sameTexts(t, "In records", found)
}
