//go:build unix

package motion_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/internal/hosts"
	"github.com/bodymotion/motion/internal/markdown"
	"github.com/bodymotion/motion/internal/sample"
	"github.com/bodymotion/motion/internal/testkit"
)

// elsewhere are the documents whose commands other tests run: notebooks take kernels, and a
// cluster takes servers. Their links are checked here all the same.
var elsewhere = []string{"examples/notebook/README.md", "examples/cluster/README.md"}

// documents are the pages for users.
func documents(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s (%v)", pattern, err)
		}
		all = append(all, found...)
	}
	return all
}

// eachDocument calls check with the blocks of each document.
func eachDocument(t *testing.T, check func(t *testing.T, blocks []markdown.Block)) {
	for _, path := range documents(t) {
		if slices.Contains(elsewhere, path) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			check(t, markdown.Blocks(string(b)))
		})
	}
}

// TestDocuments checks links, and that every block is of a kind that is checked.
func TestDocuments(t *testing.T) {
	for _, path := range documents(t) {
		wrong, err := markdown.CheckLinks(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrong {
			t.Error(w)
		}
	}
	client, err := os.ReadFile("examples/server/testdata/client.py")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	eachDocument(t, func(t *testing.T, blocks []markdown.Block) {
		for _, b := range blocks {
			kinds[b.Kind]++
			switch b.Kind {
			case "go", "sh", "output", "text":
			case "python": // of the program that a test of the server runs
				for line := range strings.Lines(b.Text) {
					if !strings.Contains(string(client), strings.TrimSpace(line)) {
						t.Errorf("line %d: %q is not in client.py", b.Line, line)
					}
				}
			default:
				t.Errorf("line %d: nothing checks a block of the kind %q", b.Line, b.Kind)
			}
		}
	})
	if kinds["go"] < 5 || kinds["sh"] < 12 {
		t.Errorf("only these blocks were found: %v", kinds)
	}
}

// imports are the packages that snippets name, by the name they use.
var imports = map[string]string{
	"analyze": module + "/analyze", "compare": module + "/compare", "keypoint": module + "/keypoint", "motion": module,
	"movenet": module + "/inference/movenet", "settings": module + "/inference/movenet/settings",
	"ffmpeg": module + "/inference/ffmpeg", "mp4": module + "/draw/mp4",
	"memory": module + "/storage/memory", "httpapi": module + "/httpapi",
	"context": "context", "fmt": "fmt", "log": "log", "http": "net/http",
}

// given are the variables that snippets take from the program around them.
var given = map[string]string{
	"ctx": "var ctx context.Context", "mux": "var mux *http.ServeMux", "service": "var service *motion.Service", "est": "var est *movenet.Estimator",
}

// wholeProgram makes a whole program of a snippet. It declares what the snippet uses and does
// not make.
func wholeProgram(snippet string) string {
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

// TestSnippets compiles every Go snippet of the documents, and runs those whose output they
// show.
func TestSnippets(t *testing.T) {
	eachDocument(t, func(t *testing.T, blocks []markdown.Block) {
		for i, b := range blocks {
			if b.Kind != "go" {
				continue
			}
			want := ""
			if i+1 < len(blocks) && blocks[i+1].Kind == "output" {
				want = blocks[i+1].Text
			}
			checkSnippet(t, b, want)
		}
	})
}

// checkSnippet compiles a snippet, and runs it where its output is known.
func checkSnippet(t *testing.T, b markdown.Block, want string) {
	t.Helper()
	// The program must lie within the module.
	dir, err := os.MkdirTemp(".", ".readme-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	text := wholeProgram(b.Text)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	binary := filepath.Join(work, "snippet")
	if out, err := exec.Command("go", "build", "-o", binary, "./"+dir).CombinedOutput(); err != nil {
		t.Errorf("line %d: %v\n%s\n%s", b.Line, err, out, text)
		return
	}
	if want == "" {
		return
	}
	cmd := exec.Command(binary)
	if strings.Contains(b.Text, "movenet.") {
		cmd.Env = append(os.Environ(), "ONNXRUNTIME_LIB="+movenettest.Library(t))
	}
	cmd.Dir = work
	if err := os.WriteFile(filepath.Join(work, "sample.jpg"), sample.JPEG(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("line %d prints (%v)\n%s\nthe document says\n%s", b.Line, err, out, want)
	}
}

// TestCommands runs the commands of the documents, but the tests themselves. Servers go on
// until the end of their document, at an address of their own instead of the documented one.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes, not run with -short")
	}
	for _, program := range []string{"curl", "ffmpeg"} {
		if _, err := exec.LookPath(program); err != nil {
			testkit.Skip(t, program)
		}
	}
	movenettest.Library(t)
	for _, folder := range []string{"motion-out", "motion-data", "mount-data", "points-out"} {
		if _, err := os.Stat(folder); os.IsNotExist(err) {
			t.Cleanup(func() { os.RemoveAll(folder) })
		}
	}
	eachDocument(t, func(t *testing.T, blocks []markdown.Block) {
		address := "" // of the server
		for i, b := range blocks {
			if b.Kind != "sh" || regexp.MustCompile(`^[^\n]*go test [^\n]*\n$`).MatchString(b.Text) {
				continue
			}
			t.Log(b.Text)
			if strings.Contains(b.Text, "go run ./examples/server") || strings.Contains(b.Text, "go run ./examples/mount -") {
				address = serve(t, strings.TrimSpace(b.Text)+" -addr 127.0.0.1:0")
				continue
			}
			script := regexp.MustCompile(`(?m)^go test .*$`).ReplaceAllString(b.Text, "")
			if address != "" {
				script = regexp.MustCompile(`http://127\.0\.0\.1:80\d\d`).ReplaceAllString(script, address)
			}
			cmd := exec.Command("sh", "-e", "-c", script)
			if strings.Contains(script, "go get "+module) {
				host(t, cmd)
			}
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("line %d: %v\n%s\n%s", b.Line, err, out, standardError(err))
			}
			if i+1 < len(blocks) && blocks[i+1].Kind == "output" && string(out) != blocks[i+1].Text {
				t.Errorf("line %d prints\n%s\nthe document says\n%s", b.Line, out, blocks[i+1].Text)
			}
		}
	})
}

// host lets a command run in a fresh module that gets this one from the work tree.
func host(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	proxy, _ := hosts.Proxy(t)
	cmd.Dir = t.TempDir()
	cmd.Env = hosts.Environment(proxy, t.TempDir())
	init := exec.Command("go", "mod", "init", "example.com/host")
	init.Dir = cmd.Dir
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("go mod init: %v\n%s", err, out)
	}
}

func standardError(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

// serve runs a server until the test ends, and returns its address when it listens.
func serve(t *testing.T, line string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Minute)
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		cmd.Wait()
		cancel()
	})
	said, err := bufio.NewReader(stdout).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(said), "listening on ")
	if err != nil || !ok {
		t.Fatalf("%s: says %q (%v)\n%s", line, said, err, stderr.String())
	}
	return address
}
