package server

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// asServer names the variable that makes the test's own program the server.
const asServer = "MOTION_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "" {
		code := m.Run()
		os.RemoveAll(made.dir)
		os.Exit(code)
	}
	setup.Main("motion", func(ctx context.Context, args []string) error {
		c := Command()
		c.SetArgs(args)
		return c.ExecuteContext(ctx)
	})
}

// serve returns the command of a server.
func serve(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the server, not run with -short")
	}
	ortkit.Library(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return cmd
}

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

// start starts a server, to serve and to work, and returns it when it listens.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	return startAs(t, append([]string{"--setting", "fast"}, args...)...)
}

func startAs(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{cmd: serve(t, append([]string{"--addr", "127.0.0.1:0"}, args...)...)}
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

// page returns the address at which a browser opens the page for the first time.
func (p *process) page(t testing.TB) string {
	t.Helper()
	for range 1000 {
		if m := regexp.MustCompile(`open (http://\S+/\?key=\w+) `).FindStringSubmatch(p.said()); m != nil {
			return m[1]
		}
		if strings.Contains(p.said(), "access: with the id") {
			return p.url + "/"
		}
		time.Sleep(10 * time.Millisecond) // what the server says comes by another pipe than its address
	}
	t.Fatalf("the server does not say who may do what: %s", p.said())
	return ""
}

// drain asks the server to end and waits for it.
func (p *process) drain(t testing.TB) {
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
	made.once.Do(func() { film(t) })
	if made.missing == "" {
		t.Fatal("there are no movies")
	}
	return made.still, made.movie, made.missing
}

// made is what media has written, once for all tests.
var made struct {
	once                       sync.Once
	dir, still, movie, missing string
}

func film(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "server")
	if err != nil {
		t.Fatal(err)
	}
	made.dir, made.still = dir, filepath.Join(dir, "sample.jpg")
	if err := os.WriteFile(made.still, sample.JPEG(), 0o644); err != nil {
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
	made.movie = record("moving.mp4", func(int) bool { return false })
	made.missing = record("missing.mp4", func(i int) bool { return i == 12 || i >= 24 && i < 32 })
}

// TestPythonClient drives a real server through the public client and command line.
func TestPythonClient(t *testing.T) {
	testkit.NeedSignals(t)
	testkit.Thorough(t, "installs a Python client and uses all of it")
	bin := python(t)
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret")
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

	t.Run("the program of the page", func(t *testing.T) { migrates(t, filepath.Join(bin, "python"), url, still) })
	for _, path := range []string{still, movie} {
		out := t.TempDir()
		cmd = exec.CommandContext(ctx, filepath.Join(bin, "amcli"), "extract", "--path", path, "--with-drawing", "--out", out, "--no-open")
		cmd.Env = append(os.Environ(), "ANYMOTION_ROOT="+profile(t, url), "LC_ALL=C.UTF-8",
			"ANYMOTION_API_URL=http://127.0.0.1:1/anymotion/v1/", // which changes nothing, as docs/use/api.md says
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

// migrates runs the Python program of docs/use/api.md as it is printed there.
func migrates(t *testing.T, python, url, still string) {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/use/api.md")
	if err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(still)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "body.jpg"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range testkit.Blocks(string(page)) {
		if block.Kind != "python" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), python, "-c", block.Text)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CLIENT_ID=someone", "CLIENT_SECRET=very-secret", "API_URL="+url+"/anymotion/v1/")
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "1 frame, status SUCCESS" {
			t.Errorf("line %d: %v\n%s", block.Line, err, out)
		}
		ran++
	}
	if ran != 1 {
		t.Errorf("the page has %d programs, want 1", ran)
	}
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
