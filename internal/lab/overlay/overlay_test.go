// Package overlay runs the tests of packages that hosts import with dependencies that hosts should not
// fetch: PostgreSQL and S3. ../overlay.json adds the files of testdata to those packages. From the root of
// a checkout:
//
//	go test -overlay internal/lab/overlay.json .
package overlay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// goTest runs go test with the overlay in the root of the repository.
func goTest(t *testing.T, args ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs tests of other packages once more, not run with -short")
	}
	args = append([]string{"test", "-overlay", "internal/lab/overlay.json", "-v"}, args...)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = testkit.Root(t)
	if out, err := exec.Command("go", "env", "GOWORK").Output(); err != nil || filepath.Base(strings.TrimSpace(string(out))) != "go.work" {
		testkit.Skip(t, "go.work")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestServers runs the tests that use all kinds of storage, with PostgreSQL and S3.
func TestServers(t *testing.T) {
	names := callers(t, testkit.Root(t), "places")
	if len(names) < 3 {
		t.Fatalf("only %v go over all places", names)
	}
	out := goTest(t, "-run", "^("+strings.Join(names, "|")+")$/^postgres_and_s3$", ".")
	for _, name := range names {
		line := ": " + name + "/postgres_and_s3 ("
		if strings.Contains(out, "--- SKIP"+line) {
			testkit.Skip(t, "PostgreSQL or an S3 server")
		}
		if !strings.Contains(out, "--- PASS"+line) {
			t.Errorf("%s has not passed", name)
		}
	}
}

// callers returns the tests in a folder that call a function.
func callers(t *testing.T, dir, function string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == function && !slices.Contains(names, f.Name.Name) {
						names = append(names, f.Name.Name)
					}
				}
				return true
			})
		}
	}
	return names
}
