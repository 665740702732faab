package house_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unshown are functions and methods that no Example calls: methods that an interface of Go or of this module asks for, and what
// needs a network of another module, or the internet.
var unshown = strings.Fields(`Error Is Unwrap String MarshalJSON MarshalText UnmarshalJSON UnmarshalText ServeHTTP ProbeImage DecodeImage
	lite.Model pose.Accurate onnxruntime.Install`)

// TestExamples: an Example with output calls each function of the library's module, and one of its own package each method.
func TestExamples(t *testing.T) {
	var packages []*doc.Package
	called := map[string]bool{} // PACKAGE.FUNCTION, and of each package .METHOD
	for _, path := range list(t, exec.Command("go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`, "./...")) {
		dir := "." + strings.TrimPrefix(path, module)
		if strings.Contains(dir+"/", "/internal/") {
			continue
		}
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		for _, e := range doc.Examples(files...) {
			ast.Inspect(e.Code, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok || e.Output == "" {
					return true
				}
				called[dir+"."+s.Sel.Name] = true
				if x, ok := s.X.(*ast.Ident); ok {
					called[x.Name+"."+s.Sel.Name] = true
				}
				return true
			})
		}
		documented, err := doc.NewFromFiles(fset, files, dir)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, documented)
	}
	for _, p := range packages {
		functions, methods := p.Funcs, []*doc.Func(nil)
		for _, typ := range p.Types {
			functions, methods = append(functions, typ.Funcs...), append(methods, typ.Methods...)
		}
		for _, f := range functions {
			if name := p.Name + "." + f.Name; !called[name] && !slices.Contains(unshown, name) {
				t.Errorf("no Example calls %s", name)
			}
		}
		for _, f := range methods {
			if !called[p.ImportPath+"."+f.Name] && !slices.Contains(unshown, f.Name) {
				t.Errorf("no Example of package %s calls %s.%s", p.Name, f.Recv, f.Name)
			}
		}
	}
}
