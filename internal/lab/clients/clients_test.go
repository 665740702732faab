// Package clients holds that generators make clients of the OpenAPI document which work: oapi-codegen
// for Go and openapi-python-client for Python.
package clients_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// What makes the clients, and what the one for Go needs.
const (
	goGenerator     = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goRuntime       = "github.com/oapi-codegen/runtime@v1.8.0"
	pythonGenerator = "openapi-python-client==0.29.1"
)

// TestClients makes both clients of the document that a server serves, and lets programs use the
// server by them.
func TestClients(t *testing.T) {
	testkit.Thorough(t, "compiles a generator")
	ortkit.Library(t)
	for _, name := range []string{"ffmpeg", "python3"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	dir := t.TempDir()
	url := serve(t, dir)
	document := url + "/anymotion/v1/openapi.json"
	movie := filepath.Join(testkit.Root(t), "httpapi", "viewer", "squats.mp4")
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		host := filepath.Join(dir, "host")
		copyFile(t, "testdata/main.go", filepath.Join(host, "main.go"))
		if err := os.Mkdir(filepath.Join(host, "client"), 0o755); err != nil {
			t.Fatal(err)
		}
		do := func(args ...string) {
			t.Helper()
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = host, append(os.Environ(), "GOWORK=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		do("go", "mod", "init", "example.com/host")
		do("go", "run", goGenerator, "-generate", "types,client", "-package", "client", "-o", "client/client.go", document)
		do("go", "get", goRuntime)
		do("go", "build", "-o", "program", ".")
		do("./program", url, movie)
	})
	t.Run("Python", func(t *testing.T) {
		t.Parallel()
		venv := filepath.Join(dir, "venv")
		do := func(args ...string) {
			t.Helper()
			if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil || strings.Contains(string(out), "Endpoint will not be generated") {
				t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		do("python3", "-m", "venv", venv)
		do(filepath.Join(venv, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", pythonGenerator)
		do(filepath.Join(venv, "bin", "openapi-python-client"), "generate", "--meta", "none", "--url", document, "--output-path", filepath.Join(dir, "python", "generated"))
		copyFile(t, "testdata/use.py", filepath.Join(dir, "python", "use.py")) // beside the client, where Python looks for it
		do(filepath.Join(venv, "bin", "python"), filepath.Join(dir, "python", "use.py"), url, movie)
	})
}

// serve starts the server of the examples until the test is over, and returns its address.
func serve(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(dir, "server")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/bodymotion/motion/cmd/motion").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--client", "someone:very-secret", "--data", filepath.Join(dir, "data"))
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	var url string
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("the server does not start: %v", err)
	} else if _, err := fmt.Sscanf(line, "listening on %s", &url); err != nil {
		t.Fatalf("the server says %q", line)
	}
	return url
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
