// Command size prints how large the product is, in all and by folder: its lines of Go, and the names that it
// exports. The product is what hosts build: no tests, examples, programs or support of tests.
//
//	go run ./internal/house/size
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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

// aside matches the folders that are no part of the product.
var aside = regexp.MustCompile(`^(\..+|testdata|examples|cmd|storagetest|inferencetest|internal/(lab|testkit))$`)

// count returns the size of each folder of the product below root.
func count(root string) (map[string]size, error) {
	folders := map[string]size{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (aside.MatchString(path) || aside.MatchString(d.Name())) {
			return fs.SkipDir
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
func exported(file *ast.File) int {
	n := 0
	add := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || receiver(d.Recv.List[0].Type).IsExported() {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
	}
	return n
}

// receiver returns the name of a method's type.
func receiver(of ast.Expr) *ast.Ident {
	switch t := of.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t
	}
	return ast.NewIdent("_")
}

// total returns the size of all folders together.
func total(folders map[string]size) size {
	all := size{}
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
