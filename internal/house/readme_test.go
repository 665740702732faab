package house_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestDocuments checks links, and that every block is of a tested kind.
func TestDocuments(t *testing.T) {
	paths, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		wrong, err := checkLinks(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrong {
			t.Error(w)
		}
	}
	use, err := os.ReadFile("examples/web/testdata/use.ts")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	testkit.EachDocument(t, func(t *testing.T, blocks []testkit.Block) {
		for _, b := range blocks {
			kinds[b.Kind]++
			switch b.Kind {
			case "go", "sh", "output", "text":
			case "json", "python", "r": // TestMigrationExamples sends and compares JSON, TestPythonClient and TestStatistics run the others
				api, tool := strings.HasSuffix(t.Name(), "docs/use/api.md"), strings.HasSuffix(t.Name(), "cmd/motion/README.md")
				if api && b.Kind == "r" || tool && b.Kind == "json" || !api && !tool {
					t.Errorf("line %d: nothing checks %s here", b.Line, b.Kind)
				}
			case "js": // part of a program that a test of examples/web compiles
				for line := range strings.Lines(b.Text) {
					if !strings.Contains(string(use), strings.TrimSpace(line)) {
						t.Errorf("line %d: %q is not in use.ts", b.Line, line)
					}
				}
			default:
				t.Errorf("line %d: nothing checks a block of the kind %q", b.Line, b.Kind)
			}
		}
	})
	if kinds["go"] < 3 || kinds["sh"] < 11 {
		t.Errorf("only these blocks were found: %v", kinds)
	}
}

// imports are the packages in snippets, by name.
var imports = map[string]string{
	"analyze": module + "/analyze", "compare": module + "/compare", "keypoint": module + "/keypoint", "motion": module,
	"pose": module + "/inference/pose", "study": module + "/analyze/study",
	"ffmpeg": module + "/inference/ffmpeg", "mp4": module + "/draw/mp4",
	"memory": module + "/storage/memory", "storagetest": module + "/storage/storagetest", "httpapi": module + "/httpapi",
	"context": "context", "fmt": "fmt", "log": "log", "http": "net/http",
}

// given are the variables that the surrounding program of a snippet declares.
var given = map[string]string{
	"ctx": "var ctx context.Context", "mux": "var mux *http.ServeMux", "service": "var service *motion.Service", "est": "var est *pose.Estimator",
}

// wholeProgram makes a program from a snippet. It declares what the snippet uses but does not
// declare.
func wholeProgram(snippet string) string {
	if strings.HasPrefix(snippet, "package main\n") {
		return snippet
	}
	var decl strings.Builder
	for name, d := range given {
		made := regexp.MustCompile(`\b` + name + `(, err)? :=`).MatchString(snippet)
		if !made && regexp.MustCompile(`\b`+name+`\b`).MatchString(snippet) {
			decl.WriteString("\t" + d + "\n")
		}
	}
	body := decl.String() + snippet
	var p strings.Builder
	p.WriteString("package main\n\nimport (\n")
	for name, path := range imports {
		if regexp.MustCompile(`(^|[^\w."])` + name + `\.[A-Z]`).MatchString(body) {
			p.WriteString("\t" + name + " \"" + path + "\"\n")
		}
	}
	p.WriteString(")\n\nfunc main() {\n" + body)
	for name := range given {
		if regexp.MustCompile(`\b` + name + `(, err)? :=`).MatchString(snippet) {
			p.WriteString("\t_ = " + name + "\n")
		}
	}
	p.WriteString("}\n")
	return p.String()
}

// TestSnippets compiles every Go snippet of the documents, and runs those with output.
func TestSnippets(t *testing.T) {
	testkit.EachDocument(t, func(t *testing.T, blocks []testkit.Block) {
		for i, b := range blocks {
			if b.Kind != "go" {
				continue
			}
			want := ""
			if i+1 < len(blocks) && blocks[i+1].Kind == "output" {
				want = blocks[i+1].Text
			}
			t.Run(fmt.Sprint("line ", b.Line), func(t *testing.T) { checkSnippet(t, b, want) })
		}
	})
}

// checkSnippet compiles a snippet, and runs it if its output is known.
func checkSnippet(t *testing.T, b testkit.Block, want string) {
	t.Helper()
	// The program must be inside the module.
	dir, err := os.MkdirTemp(".", ".readme-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(wholeProgram(b.Text), "127.0.0.1:8080", address, 1)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	binary := filepath.Join(work, "snippet")
	serves := strings.Contains(text, "ListenAndServe")
	compile := []string{"build", "-ldflags=-s -w", "-o", binary, "./" + dir}
	if !serves && want == "" {
		compile = []string{"vet", "./" + dir} // which need not be linked
	}
	if out, err := exec.Command("go", compile...).CombinedOutput(); err != nil {
		t.Errorf("line %d: %v\n%s\n%s", b.Line, err, out, text)
		return
	}
	if serves {
		checkServer(t, binary, address)
	}
	if want == "" {
		return
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil && strings.Contains(b.Text, "ffmpeg.") {
		testkit.Skip(t, "ffmpeg")
	}
	cmd := exec.Command(binary)
	if strings.Contains(b.Text, "inference/pose") {
		cmd.Env = append(os.Environ(), "ONNXRUNTIME_LIB="+ortkit.Library(t))
	}
	cmd.Dir = work
	name, from, other := "squats.mp4", filepath.Join("httpapi", "viewer", "squats.mp4"), false
	if strings.Contains(text, "side.mp4") { // which is not in the repository: elsewhere the program prints of another movie
		side := filepath.Join("..", "shared", "data", "rendered", "squat_90_slow.mp4")
		_, err := os.Stat(side)
		if name, other = "side.mp4", err != nil; !other {
			from = side
		}
	}
	movie, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(work, name), movie, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if other && err == nil && strings.Contains(string(out), "\nsquat 3: left knee ") {
		return
	}
	if err != nil || string(out) != want {
		t.Errorf("line %d prints (%v)\n%s\nthe document says\n%s", b.Line, err, out, want)
	}
}

// checkServer starts a server of a snippet, and asks for the API with and without a user.
func checkServer(t *testing.T, binary, address string) {
	t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), "ONNXRUNTIME_LIB="+ortkit.Library(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for user, want := range map[string]int{"": http.StatusUnauthorized, "me": http.StatusOK} {
		var res *http.Response
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+address+"/anymotion/v1/movies/", nil)
			if err != nil {
				t.Fatal(err)
			}
			if user != "" {
				req.SetBasicAuth(user, "secret")
			}
			if res, err = http.DefaultClient.Do(req); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal(err)
			}
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("the snippet answers %q with %s, want %d", user, res.Status, want)
		}
	}
}
