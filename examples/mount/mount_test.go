package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/storage/memory"
)

// browser is a user's browser: it keeps cookies.
type browser struct {
	t    *testing.T
	base string
	http.Client
}

func newBrowser(t *testing.T, base string) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, base, http.Client{Jar: jar}}
}

// do sends a request, whose address is taken below the host's, and reads the answer.
func (b *browser) do(method, address, contentType string, body []byte, header ...string) (status int, text string) {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.base + address
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

func (b *browser) login(name, password string) (status int, page string) {
	b.t.Helper()
	form := url.Values{"name": {name}, "password": {password}}
	return b.do("POST", "/login", "application/x-www-form-urlencoded", []byte(form.Encode()))
}

// call is a request to the API, whose answer has to be of a status.
func (b *browser) call(want int, method, path, body string) map[string]any {
	b.t.Helper()
	status, text := b.do(method, "/motion/v1/"+path, "application/json", []byte(body))
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil || status != want {
		b.t.Fatalf("%s %s: %d %s (%v), want %d", method, path, status, text, err, want)
	}
	return doc
}

// host starts the application and returns its address. It ends, drained, with the test.
func host(t *testing.T) string {
	t.Helper()
	estimator, err := pose.Fast(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { estimator.Close() })
	quiet := slog.New(slog.DiscardHandler)
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator, WorkDir: t.TempDir(), Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	users := newSessions()
	for _, u := range []string{"anna:apple", "ben:berry"} {
		if err := users.Set(u); err != nil {
			t.Fatal(err)
		}
	}
	handler, drain, err := newHost(service, estimator, users, quiet)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, listener, handler, drain, service) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

// TestMount logs in to the host, uploads a picture and gets its keypoints.
func TestMount(t *testing.T) {
	base := host(t)
	anna, ben := newBrowser(t, base), newBrowser(t, base)
	anna.call(401, "GET", "keypoints/", "")
	if status, _ := anna.login("anna", "berry"); status != 401 {
		t.Errorf("a wrong password: %d", status)
	}
	if status, _ := anna.login("nobody", ""); status != 401 {
		t.Errorf("an unknown user: %d", status)
	}
	if status, _ := anna.do("POST", "/motion/viewer/token", "", nil); status != 401 {
		t.Errorf("a token without a login: %d", status)
	}
	if status, page := anna.login("anna", "apple"); status != 200 || !strings.Contains(page, "Hello anna") || !strings.Contains(page, "recordings: 0") {
		t.Fatalf("login: %d %s", status, page)
	}
	if status, _ := ben.login("ben", "berry"); status != 200 {
		t.Fatalf("login: %d", status)
	}

	if status, token := anna.do("POST", "/motion/viewer/token", "", nil); status != 200 || !strings.Contains(token, "accessToken") {
		t.Errorf("a token: %d %s", status, token)
	}
	if status, page := anna.do("GET", "/motion/", "", nil); status != 200 || !strings.Contains(page, `data-api="/motion/v1/"`) {
		t.Errorf("the page: %d", status)
	}
	if status, text := anna.do("GET", "/motion/v1/live/", "", nil); status != http.StatusUpgradeRequired {
		t.Errorf("live pictures: %d %s", status, text)
	}

	picture := sample.JPEG()
	sum := md5.Sum(picture)
	media := anna.call(201, "POST", "images/", fmt.Sprintf(`{"name": "sample", "contentMd5": %q}`, hex.EncodeToString(sum[:])))
	if status, text := anna.do("PUT", media["uploadUrl"].(string), "", picture); status != 200 {
		t.Fatalf("upload: %d %s", status, text)
	}
	made := anna.call(201, "POST", "keypoints/", fmt.Sprintf(`{"imageId": %v}`, media["id"]))
	record := anna.call(200, "GET", fmt.Sprintf("keypoints/%v/?wait=60", made["id"]), "")
	frames, _ := record["keypoint"].([]any)
	if record["execStatus"] != "SUCCESS" || len(frames) != 1 || len(frames[0].(map[string]any)) != 17 {
		t.Errorf("keypoints: %v", record)
	}
	ben.call(404, "GET", fmt.Sprintf("keypoints/%v/", made["id"]), "")
	if status, page := anna.do("GET", "/", "", nil); status != 200 || !strings.Contains(page, "recordings: 1") {
		t.Errorf("the host's own page: %d %s", status, page)
	}

	// What another site makes the browser send is refused by the host's middleware.
	if status, _ := anna.do("POST", "/motion/v1/images/", "application/json", []byte(`{}`), "Sec-Fetch-Site", "cross-site"); status != 403 {
		t.Errorf("a request of another site: %d", status)
	}
	if status, page := anna.do("POST", "/logout", "", nil); status != 200 || !strings.Contains(page, "Log in") {
		t.Errorf("logout: %d %s", status, page)
	}
	anna.call(401, "GET", "keypoints/", "")
}

// TestEvents holds that the host's middleware lets event streams through.
func TestEvents(t *testing.T) {
	b := newBrowser(t, host(t))
	b.login("anna", "apple")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", b.base+"/motion/v1/events/", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := b.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	line := make([]byte, len("retry: 5000"))
	if _, err := io.ReadFull(answer.Body, line); err != nil || string(line) != "retry: 5000" {
		t.Errorf("%q (%v)", line, err)
	}
}

func TestArguments(t *testing.T) {
	for want, args := range map[string][]string{
		"-user NAME:PASSWORD": {}, "unexpected argument": {"-user", "a:b", "more"}, "help": {"-user", "a"},
	} {
		if err := run(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
