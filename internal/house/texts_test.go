package house_test

import (
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

	"github.com/bodymotion/motion/say"
)

// key is what the code says of a book: a key, or the beginning of keys.
type key struct {
	text  string
	whole bool
}

// saidIn returns the keys that the files of a folder say.
func saidIn(t *testing.T, dir string) (keys []key) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if of, ok := n.(*ast.IndexExpr); ok && name(of.X) == "texts" {
				keys = append(keys, keyOf(of.Index))
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if of, ok := call.Fun.(*ast.SelectorExpr); ok && name(of.X) == "texts" {
				keys = append(keys, keyOf(call.Args[0]))
			}
			return true
		})
	}
	return keys
}

func name(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// keyOf reads a string, or the one that a sum begins with.
func keyOf(e ast.Expr) key {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return key{text, true}
	case *ast.BinaryExpr:
		return key{keyOf(e.X).text, false}
	}
	return key{}
}

var textVerb = regexp.MustCompile(`%[-+# 0]*[0-9.]*(\[\d+\])?[a-z%]`)

// verbs are those of a text with the numbers of their arguments.
func verbs(text string) (list []string) {
	n := 0
	for _, v := range textVerb.FindAllString(text, -1) {
		n++
		if k := strings.Index(v, "["); k >= 0 {
			n, _ = strconv.Atoi(v[k+1 : strings.Index(v, "]")])
		}
		list = append(list, strconv.Itoa(n)+v[len(v)-1:])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestTexts checks the books of texts: what the code says is there, what is there is said, and all languages have the same verbs.
func TestTexts(t *testing.T) {
	books := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "texts.json" {
			return err
		}
		books++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		book, said := say.Open(data), saidIn(t, filepath.Dir(path))
		for _, k := range said {
			if _, ok := book[k.text]; k.whole && !ok {
				t.Errorf("%s lacks %q", path, k.text)
			}
		}
		for name, text := range book {
			used := slices.ContainsFunc(said, func(k key) bool {
				return k.whole && (k.text == name || k.text+".one" == name) || !k.whole && strings.HasPrefix(name, k.text)
			})
			if !used {
				t.Errorf("%s: nothing says %q", path, name)
			}
			if en, ja := verbs(text[say.English]), verbs(text[say.Japanese]); !slices.Equal(en, ja) && !strings.Contains(text[say.English], "%[") {
				t.Errorf("%s: %q has the verbs %v and %v", path, name, en, ja)
			}
		}
		return nil
	})
	if err != nil || books < 5 {
		t.Errorf("%d books, %v", books, err)
	}
}

// TestJapanese checks that the words of the product stand in books, not in Go files.
func TestJapanese(t *testing.T) {
	const most = 2
	var found []string
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "storagetest") {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.ContainsFunc(string(text), func(c rune) bool { return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) > most {
		t.Errorf("%d files have Japanese words, at most %d may: %v %v", len(found), most, found, err)
	}
}
