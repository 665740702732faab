package server

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// gate forwards connections to a server. While its lock is held, it takes connections and bytes
// and forwards nothing: the server hangs.
type gate struct {
	sync.RWMutex
	addr string
}

// newGate returns a gate before the server at an address.
func newGate(t *testing.T, network, address string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{addr: l.Addr().String()}
	forward := func(to, from net.Conn) {
		defer to.Close()
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			g.RLock()
			_, err2 := to.Write(buf[:n])
			g.RUnlock()
			if err != nil || err2 != nil {
				return
			}
		}
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial(network, address)
			if err != nil {
				client.Close()
				continue
			}
			go forward(server, client)
			go forward(client, server)
		}
	}()
	return g
}

// TestReadiness: /readyz tells which part of the storage hangs, and recovers with it. A hanging S3
// server costs a request 15 s at most.
func TestReadiness(t *testing.T) {
	testkit.NeedSignals(t)
	pg := testkit.Database(t)
	_, folder, _ := strings.Cut(pg.URL(), "host=")
	records := newGate(t, "unix", filepath.Join(folder, ".s.PGSQL.5432"))
	objects := t.TempDir()
	bucket, err := testkit.StartS3(objects)
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bucket.Kill)
	if err := os.Mkdir(filepath.Join(objects, "objects", "media"), 0o700); err != nil { // a bucket
		t.Fatal(err)
	}
	files := newGate(t, "tcp", strings.TrimPrefix(bucket.Endpoint(), "http://"))
	t.Setenv("AWS_ACCESS_KEY_ID", testkit.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", testkit.SecretKey)
	server := startAs(t, "--role", "serve", "--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret", "--grace", "5s",
		"--db", "postgres://postgres@"+records.addr+"/postgres?sslmode=disable", "--blobs", "s3://media?endpoint=http://"+files.addr)
	if !strings.Contains(server.said(), "MOTION_KEY is not set") {
		t.Errorf("nobody is told that other servers need the key:\n%s", server.said())
	}
	want := func(status int, text string) {
		t.Helper()
		for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // as a balancer asks
			begin := time.Now()
			got, reason := fetch(t, server.url+"/readyz")
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("an answer after %v", took)
			}
			if got == status && strings.Contains(reason, text) {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("/readyz: %d %s, want %d %s\n%s", got, reason, status, text, server.said())
			}
		}
	}
	want(http.StatusOK, "ready")
	c := login(t, server.url)
	register := func() string {
		return c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(sample.JPEG())))["uploadUrl"].(string)
	}
	c.call("PUT", register(), string(sample.JPEG()))
	link := register()

	files.Lock()
	want(http.StatusServiceUnavailable, "files")
	var requests sync.WaitGroup
	for _, r := range []struct{ method, url, body string }{
		{"PUT", link, string(sample.JPEG())},
		{"DELETE", server.url + "/anymotion/v1/images/1/", ""},
	} {
		requests.Go(func() {
			req, err := http.NewRequestWithContext(t.Context(), r.method, r.url, strings.NewReader(r.body))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Authorization", "Bearer "+c.token)
			begin := time.Now()
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			if took := time.Since(begin); took > 15*time.Second || resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %s after %v: %s", r.method, resp.Status, took, text)
			}
		})
	}
	requests.Wait()
	files.Unlock()
	want(http.StatusOK, "ready")
	c.call("PUT", link, string(sample.JPEG()))

	records.Lock()
	want(http.StatusServiceUnavailable, "records")
	records.Unlock()
	want(http.StatusOK, "ready")
	server.drain(t)
}
