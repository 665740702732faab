// Command size prints how large the product is, in all and by folder: its lines of Go, and the names that it exports. The product
// is the library's own module: a folder with a go.mod of its own is no part of it, and tests and their support are none.
//
//	go run ./internal/lab/size
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// size is how large a folder is.
type size struct{ lines, names int }

// aside matches the folders of the module that are no part of the product.
var aside = regexp.MustCompile(`^(\..+|testdata|internal/testkit)$`)

// count returns the size of each folder of the product below root.
func count(root string) (map[string]size, error) {
	folders := map[string]size{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." {
			if _, err := os.Stat(filepath.Join(root, path, "go.mod")); err == nil || aside.MatchString(path) || aside.MatchString(d.Name()) {
				return fs.SkipDir
			}
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		of := folders[filepath.Dir(path)]
		of.lines += bytes.Count(text, []byte("\n"))
		if !strings.Contains(path, "internal/") && file.Name.Name != "main" {
			of.names += exported(file)
		}
		folders[filepath.Dir(path)] = of
		return nil
	})
	return folders, err
}

// exported returns how many names a file exports: those at its top level, and methods of exported types.
func exported(file *ast.File) (n int) {
	ast.FileExports(file)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*")) {
				n++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					n += len(values.Names) - 1
				}
				n++
			}
		}
	}
	return n
}

// total returns the size of all folders together.
func total(folders map[string]size) (all size) {
	for _, of := range folders {
		all.lines += of.lines
		all.names += of.names
	}
	return all
}

func main() {
	log.SetFlags(0)
	folders, err := count(".")
	if err != nil {
		log.Fatal(err)
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		fmt.Printf("%6d %4d  %s\n", folders[dir].lines, folders[dir].names, dir)
	}
	all := total(folders)
	fmt.Printf("%6d lines, %d exported names\n", all.lines, all.names)
}
