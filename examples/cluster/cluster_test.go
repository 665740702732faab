// Package cluster_test runs the topology of compose.yaml as plain processes.
package cluster_test

import (
	"bufio"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// environment is the environment of all server processes.
var environment = []string{
	"MOTION_KEY=the same for all of them",
	"AWS_ACCESS_KEY_ID=" + testkit.AccessKey, "AWS_SECRET_ACCESS_KEY=" + testkit.SecretKey,
}

// cluster is PostgreSQL, versitygw, and the server program.
type cluster struct {
	program string
	shared  []string // flags
	dir     string
	n       int
}

// programs is the folder of the server's program.
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

// server builds the server as in the image, once for all tests, and returns the path of the program. The
// race detector does not see what happens in it.
func server(t *testing.T) string {
	t.Helper()
	testkit.Thorough(t, "builds the server and runs it")
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programs, "motion")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/motion").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func newCluster(t *testing.T) *cluster {
	t.Helper()
	testkit.NeedSignals(t)
	ortkit.Library(t)
	program := server(t)
	dir, err := os.MkdirTemp("", "motion-cluster-") // a short path, for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	must := func(err error) {
		t.Helper()
		if errors.Is(err, testkit.ErrMissing) {
			testkit.Skip(t, err.Error())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pg := testkit.Database(t)
	s3, err := testkit.StartS3(filepath.Join(dir, "s3"))
	must(err)
	t.Cleanup(s3.Kill)
	must(s3.MakeBucket("motion"))
	return &cluster{program: program, dir: dir, shared: []string{
		"--db", pg.URL() + "&pool_max_conns=6", "--blobs", "s3://motion/media?endpoint=" + s3.Endpoint(), "--grace", "30s",
	}}
}

// movie makes a movie of the sample's person.
func (c *cluster) movie(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	picture, movie := filepath.Join(c.dir, "picture.jpg"), filepath.Join(c.dir, "movie.mp4")
	if err := os.WriteFile(picture, sample.JPEG(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-v", "error", "-loop", "1", "-i", picture, "-t", "0.5", "-vf", "scale=240:240,format=yuv420p", movie).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	content, err := os.ReadFile(movie)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// process is a server process. It cannot write to the system's temporary folder, as in a container
// with a read-only root file system.
type process struct {
	cmd  *exec.Cmd
	host string // where it listens
}

func (c *cluster) start(t *testing.T, args ...string) *process {
	t.Helper()
	c.n++
	args = append(append([]string{"serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(c.dir, fmt.Sprintf("data-%d", c.n))}, c.shared...), args...)
	p := &process{cmd: exec.Command(c.program, args...)}
	p.cmd.Env = append(append(os.Environ(), environment...), "TMPDIR="+filepath.Join(c.dir, "missing"))
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("a process does not start: %v", err)
	}
	p.host = strings.TrimSpace(strings.TrimPrefix(line, "listening on http://"))
	return p
}

// drain sends SIGTERM to the process.
func (p *process) drain(t *testing.T) {
	t.Helper()
	err := p.cmd.Process.Signal(syscall.SIGTERM)
	if err == nil {
		err = p.cmd.Wait()
	}
	if err != nil {
		t.Errorf("a process ends with %v", err)
	}
}

// proxy starts nginx with the configuration in this folder in front of hosts; dir is for its files.
func proxy(t *testing.T, dir string, hosts ...string) (url string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		testkit.Skip(t, "nginx")
	}
	text, err := os.ReadFile("nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	addr, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	var behind strings.Builder
	for _, host := range hosts {
		fmt.Fprintf(&behind, "server %s max_fails=0;", host)
	}
	conf := string(text)
	for from, to := range map[string]string{
		"listen 80;": "listen " + addr + ";", "worker_processes auto;": "worker_processes 1;",
		"server serve:8080 resolve max_fails=0;": behind.String(), "resolver ${NGINX_LOCAL_RESOLVERS} valid=2s;": "",
	} {
		if strings.Count(conf, from) != 1 {
			t.Fatalf("nginx.conf has not one %q", from)
		}
		conf = strings.Replace(conf, from, to, 1)
	}
	name := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(name, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-p", dir, "-c", name, "-e", filepath.Join(dir, "nginx.log"),
		"-g", "daemon off; pid "+filepath.Join(dir, "nginx.pid")+";")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) { // until it listens
		resp, err := http.Get("http://" + addr + "/healthz")
		if err == nil {
			resp.Body.Close()
			return "http://" + addr
		}
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(dir, "nginx.log"))
			t.Fatalf("nginx does not answer: %v\n%s", err, log)
		}
	}
}

// client calls the API.
type client struct{ url, token string }

func (c *client) call(t *testing.T, method, address, body string) (answer map[string]any) {
	t.Helper()
	if strings.HasPrefix(address, "/") {
		address = c.url + address
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s (%v)", method, address, resp.Status, text, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s %s: %s: %v", method, address, text, err)
	}
	return answer
}

func newClient(t *testing.T, url, id, secret string) *client {
	t.Helper()
	c := &client{url: url}
	c.token, _ = c.call(t, "POST", "/oauth/v1/accesstokens",
		fmt.Sprintf(`{"grantType":"client_credentials","clientId":%q,"clientSecret":%q}`, id, secret))["accessToken"].(string)
	return c
}

func (c *client) upload(t *testing.T, kind, content string) (id any) {
	t.Helper()
	media := c.call(t, "POST", "/anymotion/v1/"+kind+"/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum([]byte(content))))
	c.call(t, "PUT", media["uploadUrl"].(string), content)
	return media["id"]
}

// TestTopology runs two servers behind nginx, three workers, PostgreSQL and versitygw. It stops one
// process of each role during the work; no job may be lost, and all workers must get some.
func TestTopology(t *testing.T) {
	c := newCluster(t)
	var serving, working []*process
	for range 2 {
		serving = append(serving, c.start(t, "--role", "serve", "--client", "someone:very-secret"))
	}
	url := proxy(t, c.dir, serving[0].host, serving[1].host)
	api := newClient(t, url, "someone", "very-secret")
	image, movie := api.upload(t, "images", string(sample.JPEG())), api.upload(t, "movies", c.movie(t))
	const jobs = 30
	for i := range jobs {
		if i == 0 {
			api.call(t, "POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"movieId":%v}`, movie))
			continue
		}
		api.call(t, "POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"imageId":%v}`, image))
	}
	for range 3 {
		working = append(working, c.start(t, "--role", "work", "--setting", "fast"))
	}
	count := func(status string) int {
		list, _ := api.call(t, "GET", "/anymotion/v1/keypoints/?size=100&execStatus="+status, "")["data"].([]any)
		return len(list)
	}
	reach := func(n int) {
		t.Helper()
		for end := time.Now().Add(3 * time.Minute); count("SUCCESS") < n; time.Sleep(20 * time.Millisecond) { // as a client asks
			if failed := count("FAILURE"); failed > 0 || time.Now().After(end) {
				t.Fatalf("%d jobs have succeeded, %d have failed", count("SUCCESS"), failed)
			}
		}
	}
	reach(5)
	working[0].drain(t)
	serving[0].drain(t)
	reach(jobs)
	for i, p := range working[1:] {
		resp, err := http.Get("http://" + p.host + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.Contains(string(text), `motion_jobs_finished_total{kind="keypoints",status="SUCCESS"}`) {
			t.Errorf("worker %d has done nothing (%v)", i+1, err)
		}
		p.drain(t)
	}
	serving[1].drain(t)
}
