package hostile_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write exported_test.go")

// TestTable: exported_test.go has the functions and types that the pure packages export; -update writes it.
func TestTable(t *testing.T) {
	want, err := table("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("exported_test.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("exported_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("exported_test.go is not what the packages export: go test ./internal/house/hostile -run TestTable -update")
	}
}

// table returns the Go source of the maps of functions and of types.
func table(root string) ([]byte, error) {
	funcs, types, imports := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, top := range [...]string{"keypoint", "say", "analyze", "compare", "draw"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || d.Name() == "mp4"): // mp4 runs a program
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			folder = filepath.ToSlash(folder)
			for _, decl := range file.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if name := decl.Name.Name; decl.Recv == nil && ast.IsExported(name) && decl.Type.TypeParams == nil {
						funcs[folder+"."+name], imports[folder] = file.Name.Name+"."+name, true
					}
				case *ast.GenDecl:
					for _, spec := range decl.Specs {
						if spec, ok := spec.(*ast.TypeSpec); ok && ast.IsExported(spec.Name.Name) && spec.TypeParams == nil {
							types[folder+"."+spec.Name.Name], imports[folder] = "reflect.TypeFor["+file.Name.Name+"."+spec.Name.Name+"]()", true
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.WriteString("package hostile_test\n\n// Written by TestTable -update.\n\nimport (\n\"reflect\"\n\n")
	for _, folder := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "%q\n", "github.com/bodymotion/motion/"+folder)
	}
	b.WriteString(")\n\n")
	for _, list := range [...]struct {
		head string
		of   map[string]string
	}{{"var exportedFuncs = map[string]any{\n", funcs}, {"var exportedTypes = map[string]reflect.Type{\n", types}} {
		b.WriteString(list.head)
		for _, name := range slices.Sorted(maps.Keys(list.of)) {
			fmt.Fprintf(&b, "%q: %s,\n", name, list.of[name])
		}
		b.WriteString("}\n\n")
	}
	return format.Source(bytes.TrimSpace(b.Bytes()))
}
