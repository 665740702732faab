//go:build unix

package motion_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/internal/sample"
)

// block is a fenced block of the README.
type block struct{ kind, text string }

func readmeBlocks(t *testing.T) []block {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	for _, m := range regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```").FindAllStringSubmatch(string(b), -1) {
		blocks = append(blocks, block{m[1], m[2]})
	}
	return blocks
}

// imports are the packages that snippets name, by the name they use.
var imports = map[string]string{
	"analyze": module + "/analyze", "compare": module + "/compare", "keypoint": module + "/keypoint", "motion": module,
	"movenet": module + "/inference/movenet", "settings": module + "/inference/movenet/settings",
	"ffmpeg": module + "/inference/ffmpeg", "decode": module + "/inference/ffmpeg", "encode": module + "/draw/ffmpeg",
	"memory": module + "/storage/memory", "httpapi": module + "/httpapi",
	"context": "context", "fmt": "fmt", "log": "log", "http": "net/http",
}

// given are the variables that snippets take from the program around them.
var given = map[string]string{
	"ctx": "var ctx context.Context", "mux": "var mux *http.ServeMux", "service": "var service *motion.Service", "est": "var est *movenet.Estimator",
}

// program makes a whole program of a snippet. It declares what the snippet uses and does
// not make; run is false for snippets that are only compiled.
func program(snippet string, run bool) string {
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

// TestReadmeSnippets compiles every Go snippet of the README, and runs those whose
// output it shows.
func TestReadmeSnippets(t *testing.T) {
	blocks := readmeBlocks(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, b := range blocks {
		if b.kind != "go" {
			continue
		}
		n++
		run := i+1 < len(blocks) && blocks[i+1].kind == "output"
		// The program must lie within the module.
		dir, err := os.MkdirTemp(root, ".readme-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program(b.text, run)), 0o600); err != nil {
			t.Fatal(err)
		}
		work := t.TempDir()
		binary := filepath.Join(work, "snippet")
		if out, err := exec.Command("go", "build", "-o", binary, "./"+filepath.Base(dir)).CombinedOutput(); err != nil {
			t.Errorf("snippet %d: %v\n%s\n%s", n, err, out, program(b.text, run))
			continue
		}
		if !run {
			continue
		}
		cmd := exec.Command(binary)
		if strings.Contains(b.text, "movenet.") {
			cmd.Env = append(os.Environ(), "ONNXRUNTIME_LIB="+movenettest.Library(t))
		}
		cmd.Dir = work
		if err := os.WriteFile(filepath.Join(work, "sample.jpg"), sample.JPEG(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != blocks[i+1].text {
			t.Errorf("snippet %d prints (%v)\n%s\nthe README says\n%s", n, err, out, blocks[i+1].text)
		}
	}
	if n < 4 {
		t.Errorf("only %d snippets were found", n)
	}
}

// TestReadmeCommands runs every command of the README but the tests themselves.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	if _, err := os.Stat("motion-out"); os.IsNotExist(err) {
		t.Cleanup(func() { os.RemoveAll("motion-out") })
	}
	if _, err := os.Stat("motion-data"); os.IsNotExist(err) {
		t.Cleanup(func() { os.RemoveAll("motion-data") })
	}
	n := 0
	for _, b := range readmeBlocks(t) {
		if b.kind != "sh" {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
			n++
			switch {
			case strings.HasPrefix(line, "go test"):
			case strings.Contains(line, "examples/server"):
				serve(t, line)
			default:
				t.Log(line)
				if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", line, err, out)
				}
			}
		}
	}
	if n < 6 {
		t.Errorf("only %d commands were found", n)
	}
}

// serve runs a server until it says that it listens, and ends it.
func serve(t *testing.T, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
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
	said, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(said, "listening on http://") {
		t.Errorf("%s: says %q (%v)\n%s", line, said, err, stderr.String())
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	cmd.Wait()
}
