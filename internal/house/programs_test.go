package house_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// first are the packages that one meets first. The doc of each begins with a program.
var first = []string{
	".", "keypoint", "keypoint/clean", "keypoint/quality", "keypoint/correct", "keypoint/formats", "keypoint/space", "say", "analyze", "analyze/study",
	"analyze/exercise", "analyze/trend", "analyze/gait", "analyze/jump", "compare", "draw", "draw/chart", "draw/sheet", "draw/report", "draw/mp4",
	"inference", "inference/pose", "inference/ffmpeg", "inference/live", "inference/movenet", "inference/onnx", "storage", "storage/sqlite", "storage/file",
	"storage/memory", "httpapi", "httpapi/live", "httpapi/viewer", "httpapi/webhook",
}

// around are what the programs of the docs do not declare.
var around = map[string]string{
	"ctx": "context.Context", "seq": "keypoint.Sequence", "a": "keypoint.Sequence", "b": "keypoint.Sequence",
	"source": "keypoint.Sequence", "target": "keypoint.Sequence", "cleaned": "keypoint.Sequence", "changes": "clean.Report", "keypoints": "keypoint.Sequence", "frame": "keypoint.Frame", "data": "[]byte",
	"report": "quality.Report", "judged": "quality.Report", "sessions": "[]trend.Recording", "rules": "[]analyze.Rule", "w": "io.Writer", "file": "*os.File",
	"size": "image.Point", "picture": "*image.RGBA", "pictures": "[]*image.RGBA", "frames": "[]image.Image", "img": "image.Image", "est": "*pose.Estimator",
	"estimator": "*pose.Estimator", "secret": "string", "service": "*motion.Service", "mux": "*http.ServeMux", "descriptor": "onnx.Descriptor",
	"detector": "inference.Finder", "tokens": "*httpapi.Credentials", "endpoints": "func(context.Context, string) ([]webhook.Endpoint, error)",
}

// run are the pure packages of first, whose programs are run with the values of testdata/programs.
var run = first[slices.Index(first, "keypoint") : slices.Index(first, "draw/report")+1]

// values are what the programs of pure packages work with. PACKAGE.NAME is that of one program.
var values = map[string]string{
	"seq": `filmed("squat_90_slow")`, "source": `filmed("squat_90_slow")`, "target": `filmed("squat_60")`, "keypoints": `filmed("squat_90_slow")`,
	"analyze/gait.seq": `filmed("walk_across_90")`, "analyze/jump.seq": `filmed("jump_90_120fps")`, "a": "around(1.7, 4.7)", "b": "around(4.9, -0.9)",
	"cleaned": "func() keypoint.Sequence { seq, _ := repaired(); return seq }()", "changes": "func() clean.Report { _, report := repaired(); return report }()",
	"data": "data()", "report": "assessed()", "judged": "assessed()", "sessions": "sessions()", "rules": "rules()", "w": "io.Discard", "file": "table()",
	"frame": `filmed("squat_90_slow").Frames[0]`, "picture": "picture()", "pictures": "map[int]image.Image{}", "frames": "frames()",
}

// standard are the packages of the standard library that the programs use.
var standard = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "image": "image", "io": "io", "json": "encoding/json", "log": "log", "os": "os",
	"png": "image/png", "time": "time",
}

// TestPrograms compiles the program with which the doc of each package begins, all as functions of one program, and runs those of pure
// packages, which give no error.
func TestPrograms(t *testing.T) {
	dir, err := os.MkdirTemp(".", ".readme-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for i, p := range first {
		name := fmt.Sprintf("doc%d", i)
		if err := os.WriteFile(filepath.Join(dir, name+".go"), []byte(asFunction(name, p, beginning(t, p))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var calls strings.Builder
	for _, p := range run {
		fmt.Fprintf(&calls, "\tif err := doc%d(); err != nil {\n\t\tpanic(%q + err.Error())\n\t}\n", slices.Index(first, p), "the program of "+p+": ")
	}
	given, err := os.ReadFile("internal/house/testdata/programs/values.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"main.go": "package main\n\nfunc main() {\n" + calls.String() + "}\n", "values.go": string(given)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	cmd := exec.Command("go", "run", "-gcflags=-e", "./"+dir)
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		text := stderr.String()
		for i, p := range first {
			text = strings.ReplaceAll(text, fmt.Sprintf("doc%d.go", i), "the doc of "+p)
		}
		t.Errorf("%v\n%s", err, text)
	}
}

// beginning returns the first program in the doc of a package.
func beginning(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc == nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		var p comment.Parser
		for _, block := range p.Parse(f.Doc.Text()).Content {
			if code, ok := block.(*comment.Code); ok {
				if n := strings.Count(code.Text, "\n"); n > 10 {
					t.Errorf("the program of %s has %d lines, want 10 at most", dir, n)
				}
				return code.Text
			}
		}
	}
	t.Errorf("the doc of %s has no program", dir)
	return ""
}

// asFunction makes a function of the program of a package. It declares what the program uses and does not declare, and uses what it declares.
func asFunction(name, dir, body string) string {
	body = regexp.MustCompile(`(?m)^…$`).ReplaceAllString(strings.ReplaceAll(body, ", …}", "}"), "")
	paths := map[string]string{}
	for _, p := range append(slices.Clone(first[1:]), "inference/movenet/thunder", "inference/movenet/multipose") {
		paths[filepath.Base(p)] = module + "/" + p
	}
	paths["motion"], paths["live"] = module, module+"/inference/live"
	if dir == "httpapi/live" {
		paths["live"] = module + "/" + dir
	}
	for word, path := range standard {
		paths[word] = path
	}
	declared := map[string]bool{} // whether at the end of the program
	if file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() error {\n"+body+"\n}", 0); err == nil {
		list := file.Decls[0].(*ast.FuncDecl).Body.List
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name != "_" {
						declared[id.Name] = declared[id.Name] || slices.Contains(list, ast.Stmt(n))
					}
				}
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
						declared[id.Name] = declared[id.Name] || false
					}
				}
			case *ast.Field:
				for _, id := range n.Names {
					declared[id.Name] = declared[id.Name] || false
				}
			case *ast.ValueSpec:
				declared[n.Names[0].Name] = true
			}
			return true
		})
	}
	bare := regexp.MustCompile("//.*|\"[^\"\n]*\"").ReplaceAllString(body, "")
	matches := func(text, pattern string) bool { return regexp.MustCompile(`(^|[^\w."])` + pattern).MatchString(text) }
	var f strings.Builder
	fmt.Fprintf(&f, "func %s() error {\n", name)
	for word, kind := range around {
		_, given := declared[word]
		if called := paths[word] != "" && matches(bare, word+`\.[A-Z]\w*[({]`); matches(bare, word+`\b`) && !given && !called {
			if value := cmp.Or(values[dir+"."+word], values[word]); slices.Contains(run, dir) && value != "" {
				fmt.Fprintf(&f, "\tvar %s = %s\n", word, value)
			} else {
				fmt.Fprintf(&f, "\tvar %s %s\n", word, kind)
			}
		}
	}
	f.WriteString(body)
	for word, last := range declared {
		if last {
			fmt.Fprintf(&f, "\t_ = %s\n", word)
		}
	}
	f.WriteString("\treturn nil\n}\n")
	var head strings.Builder
	head.WriteString("package main\n\nimport (\n")
	for word, path := range paths {
		_, given := declared[word]
		text := regexp.MustCompile("//.*|\"[^\"\n]*\"").ReplaceAllString(f.String(), "")
		if !given && !strings.Contains(text, "\tvar "+word+" ") && matches(text, word+`\.[A-Z]`) {
			fmt.Fprintf(&head, "\t%q\n", path)
		}
	}
	return head.String() + ")\n\n" + f.String()
}

// TestFirstProgram runs the program with which the doc of the library begins on the movie of this repository: it says of it what its
// last line tells.
func TestFirstProgram(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	body := beginning(t, ".")
	_, want, told := strings.Cut(strings.TrimSpace(body), "// shown.Summary.Title: ")
	if !told {
		t.Fatalf("the program does not tell what it finds:\n%s", body)
	}
	movie, err := filepath.Abs("httpapi/viewer/squats.mp4")
	if err != nil {
		t.Fatal(err)
	}
	program := asFunction("run", ".", strings.Replace(body, `"squats.mp4"`, strconv.Quote(movie), 1)+"\tif err == nil { print(shown.Summary.Title.String()) }\n")
	program = strings.NewReplacer("var ctx context.Context", "ctx := context.Background()").Replace(program)
	dir, err := os.MkdirTemp(".", ".readme-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program+"\nfunc main() {\n\tif err := run(); err != nil {\n\t\tpanic(err)\n\t}\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./"+dir)
	cmd.Env = append(os.Environ(), "ONNXRUNTIME_LIB="+ortkit.Library(t))
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("the program prints (%v)\n%s\nand its comment says\n%s", err, out, want)
	}
}
