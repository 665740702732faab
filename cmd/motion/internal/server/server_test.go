package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/coder/websocket"
)

// python returns the bin folder of a virtual environment with the public client.
func python(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		testkit.Skip(t, "python3")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		testkit.Skip(t, "a user cache folder: "+err.Error())
	}
	venv := filepath.Join(cache, "motion", "test-venv-sdk-1.2.8-cli-1.3.2-a")
	bin := filepath.Join(venv, "bin")
	done := filepath.Join(venv, "complete")
	if _, err := os.Stat(done); err == nil {
		return bin
	}
	t.Log("making a virtual environment with anymotion-sdk 1.2.8 and anymotion-cli 1.3.2 in ", venv)
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", venv},
		{filepath.Join(bin, "pip"), "install", "--quiet", "anymotion-sdk==1.2.8", "anymotion-cli==1.3.2",
			"setuptools<80"}, // for distutils, which the command line needs and newer Pythons lack
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			testkit.Skip(t, "the public Python client: "+strings.Join(args, " ")+": "+err.Error()+"\n"+string(out))
		}
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return bin
}

// programs is the folder of the program.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "server"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(programs)
	os.Exit(code)
}

// build builds the tool, once for all tests, and returns the path of the program. The race detector
// does not see what happens in it.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the server, not run with -short")
	}
	ortkit.Library(t)
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programs, "motion")
	if out, err := exec.Command("go", "build", "-o", path, "../..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// process is a server that runs.
type process struct {
	cmd    *exec.Cmd
	url    string
	mu     sync.Mutex // of stderr
	stderr bytes.Buffer
}

// Write takes what the process says.
func (p *process) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.Write(text)
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

// start starts the program, to serve and to work, and returns it when it listens.
func start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return startAs(t, program, append([]string{"--setting", "fast"}, args...)...)
}

func startAs(t *testing.T, program string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Stderr = p
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() }) // of a test that fails: else it has ended
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		p.cmd.Wait()
		t.Fatalf("the server does not start: %v\n%s", err, p.said())
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	return p
}

// drain asks the server to end and waits for it.
func (p *process) drain(t *testing.T) {
	p.cmd.Process.Signal(syscall.SIGTERM)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the server ends with %v\n%s", err, p.said())
	} else if t.Failed() {
		t.Logf("the server said:\n%s", p.said())
	}
}

// media writes a picture and a movie of a person, and another movie from which the person is
// missing in frame 12 and in frames 24 to 31.
func media(t *testing.T) (still, movie, missing string) {
	t.Helper()
	dir := t.TempDir()
	still = filepath.Join(dir, "sample.jpg")
	if err := os.WriteFile(still, sample.JPEG(), 0o644); err != nil {
		t.Fatal(err)
	}
	parts, err := setup.New(t.Context(), setup.Options{Setting: "fast", FFmpeg: setup.Auto, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	record := func(name string, missing func(i int) bool) string {
		file := filepath.Join(dir, name)
		w, err := parts.Encoder.Create(t.Context(), file, draw.Movie{Size: image.Pt(sample.MovieSize, sample.MovieSize), FrameRate: sample.FrameRate})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		m := sample.NewMover()
		for i := range int(sample.Period * sample.FrameRate) {
			at := float64(i) / sample.FrameRate
			frame := m.Frame(at)
			if missing(i) {
				for p := range frame.Pix {
					frame.Pix[p] = 238 // the background
				}
			}
			if err := w.Write(frame, at); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return file
	}
	movie = record("moving.mp4", func(int) bool { return false })
	missing = record("missing.mp4", func(i int) bool { return i == 12 || i >= 24 && i < 32 })
	return still, movie, missing
}

// TestPythonClient drives a real server through the public client and command line.
func TestPythonClient(t *testing.T) {
	testkit.NeedSignals(t)
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	bin := python(t)
	server := start(t, build(t), "--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret")
	var watching <-chan error
	defer func() {
		server.drain(t)
		if watching == nil {
			return
		}
		if err := <-watching; websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("live pictures end with %v", err)
		}
	}()
	url := server.url
	still, movie, _ := media(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()

	cmd := exec.CommandContext(ctx, filepath.Join(bin, "python"), filepath.Join("testdata", "client.py"),
		url+"/anymotion/v1/", "someone", "very-secret", still, movie, t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("client.py: %v\n%s", err, out)
	}

	for _, path := range []string{still, movie} {
		out := t.TempDir()
		cmd = exec.CommandContext(ctx, filepath.Join(bin, "amcli"), "extract", "--path", path, "--with-drawing", "--out", out, "--no-open")
		cmd.Env = append(os.Environ(), "ANYMOTION_ROOT="+profile(t, url), "LC_ALL=C.UTF-8",
			"ANYMOTION_API_URL=http://127.0.0.1:1/anymotion/v1/", // which changes nothing, as docs/migration.md says
			"ANYMOTION_CLIENT_ID=someone", "ANYMOTION_CLIENT_SECRET=very-secret")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("amcli extract: %v\n%s", err, text)
		}
		t.Logf("amcli: %s", text)
		files, err := filepath.Glob(filepath.Join(out, "*"))
		if err != nil || len(files) != 1 {
			t.Errorf("amcli wrote %v, want the drawing (%v)\n%s", files, err, text)
		}
	}
	t.Run("found so far", func(t *testing.T) { foundSoFar(t, url, movie) })
	watching = watched(t, url)
}

// profile writes a configuration of amcli, which takes the address of the API from a file
// alone, and returns its folder.
func profile(t *testing.T, url string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".anymotion"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := "[default]\nanymotion_api_url = " + url + "/anymotion/v1/\npolling_interval = 1\n"
	if err := os.WriteFile(filepath.Join(root, ".anymotion", "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}
