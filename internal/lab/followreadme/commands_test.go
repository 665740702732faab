//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/lab/hosts"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestMain runs the tests in the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	m.Run()
}

// TestCommands runs the commands of the documents except tests. Servers run until the end of their
// document, at another address than the documented one.
func TestCommands(t *testing.T) {
	testkit.Thorough(t, "builds and runs all that the documents name")
	for _, program := range []string{"curl", "ffmpeg"} {
		if _, err := exec.LookPath(program); err != nil {
			testkit.Skip(t, program)
		}
	}
	ortkit.Library(t)
	for _, folder := range []string{"motion-out", "motion-data", "mount-data", "points-out"} {
		if _, err := os.Stat(folder); os.IsNotExist(err) {
			t.Cleanup(func() { os.RemoveAll(folder) })
		}
	}
	os.RemoveAll("motion-out/.motion") // what was done before would be kept, not made
	before := unknown(t)
	testkit.EachDocument(t, func(t *testing.T, blocks []testkit.Block) {
		address := "" // of the server
		for i, b := range blocks {
			if b.Kind != "sh" || regexp.MustCompile(`^[^\n]*go test [^\n]*\n$`).MatchString(b.Text) {
				continue
			}
			t.Log(b.Text)
			if regexp.MustCompile(`go run \./(cmd/motion serve|examples/mount -)`).MatchString(b.Text) {
				address = serve(t, strings.TrimSpace(b.Text)+" --addr 127.0.0.1:0")
				continue
			}
			script := regexp.MustCompile(`(?m)^go test .*$`).ReplaceAllString(b.Text, "")
			if address != "" {
				script = regexp.MustCompile(`http://127\.0\.0\.1:80\d\d`).ReplaceAllString(script, address)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			cmd := exec.CommandContext(ctx, "sh", "-e", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it has started
			cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
			if strings.Contains(script, "go get "+path) || strings.Contains(script, "go install "+path) {
				host(t, cmd)
			}
			out, err := cmd.Output()
			cancel()
			if err != nil {
				t.Errorf("line %d: %v\n%s\n%s", b.Line, err, out, standardError(err))
			}
			if i+1 < len(blocks) && blocks[i+1].Kind == "output" && string(out) != blocks[i+1].Text {
				t.Errorf("line %d prints\n%s\nthe document says\n%s", b.Line, out, blocks[i+1].Text)
			}
		}
		if after := unknown(t); after != before {
			t.Errorf("git does not know, nor ignore, what is left:\n%s", after)
			before = after
		}
	})
}

// unknown lists the folders and files of the checkout that git does not know and does not ignore.
func unknown(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory").Output()
	if err != nil {
		testkit.Skip(t, "the git checkout")
	}
	return string(out)
}

// host makes a command run in a new module that gets this one from the work tree.
func host(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	proxy, _ := hosts.Proxy(t)
	cmd.Dir = t.TempDir()
	cmd.Env = append(hosts.Environment(proxy, t.TempDir()), "GOBIN="+t.TempDir())
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
