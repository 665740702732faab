package hosts_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/bodymotion/motion/internal/lab/hosts"
	"github.com/bodymotion/motion/internal/lab/modproxy"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestInstall installs the program into an empty home with Go alone, without a C compiler, as the README says,
// and uses it. What Go has compiled before is kept: only the sources are fetched again.
func TestInstall(t *testing.T) {
	testkit.Thorough(t, "builds a program from nothing")
	testkit.NeedSignals(t)
	proxy, _ := hosts.Proxy(t)
	home, programs := t.TempDir(), t.TempDir()
	for _, name := range []string{"go"} { // no C compiler, no git, no FFmpeg
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(programs, name))
		}
		if err != nil {
			testkit.Skip(t, name)
		}
	}
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + home, "PATH=" + filepath.Join(home, "go", "bin") + ":" + programs, "TMPDIR=" + t.TempDir(), "GOCACHE=" + strings.TrimSpace(string(built)),
		"GOFLAGS=-trimpath -modcacherw", "GOPROXY=" + proxy, "GONOSUMDB=" + hosts.Module, "GOTOOLCHAIN=" + runtime.Version(),
	}
	run := func(program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = home, env
		return cmd
	}
	compiler, motion := filepath.Join(programs, "go"), filepath.Join(home, "go", "bin", "motion")
	if out, err := run(compiler, "install", hosts.Module+"/cmd/motion@latest").CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	out, err := run(motion, "version", "--json").Output()
	var list []struct{ Name, Version, Problem string }
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err != nil || len(list) != 4 || list[0].Version != modproxy.Version || list[2].Problem == "" || list[3].Problem == "" {
		t.Fatalf("motion version: %+v (%v)", list, err)
	}
	movie, err := os.ReadFile(filepath.Join(testkit.Root(t), "httpapi", "viewer", "squats.mp4"))
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "squats.mp4"), movie, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := run(motion, "--setting", "fast", "squats.mp4").CombinedOutput(); err != nil {
		t.Fatalf("motion squats.mp4: %v\n%s", err, out)
	}
	for _, name := range []string{"squats.mp4.keypoints.json", "squats.mp4.report.html", "squats.mp4.drawing.mp4"} {
		if info, err := os.Stat(filepath.Join(home, "motion-out", name)); err != nil || info.Size() < 1000 {
			t.Errorf("motion squats.mp4 makes no %s (%v)", name, err)
		}
	}
	serve := run(motion, "serve", "--addr", "127.0.0.1:0")
	stdout, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	page, err := http.Get(strings.TrimPrefix(strings.TrimSpace(line), "listening on "))
	if err != nil {
		t.Fatalf("motion serve says %q: %v", line, err)
	}
	text, err := io.ReadAll(page.Body)
	page.Body.Close()
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(text), "<html") {
		t.Errorf("the page: %s, %.200s (%v)", page.Status, text, err)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("motion serve ends with %v", err)
	}
}
