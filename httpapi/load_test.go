package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

// loadClients is how many clients TestLoad has at a time.
const loadClients = 200

// TestLoad has 200 clients upload, extract, poll, draw, download and delete, each with
// pictures of its own, and holds that every answer is about the picture of the one who
// asks, and that nothing is left at the end: no record, file or goroutine, and no memory
// that grows with the work. MOTION_LOAD is for how long, such as 60s; by default 3 s.
func TestLoad(t *testing.T) {
	testkit.Thorough(t, "200 clients work for seconds")
	duration := 3 * time.Second
	if s := os.Getenv("MOTION_LOAD"); s != "" {
		var err error
		if duration, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("memory", func(t *testing.T) { load(t, duration, nil) })
	t.Run("files", func(t *testing.T) {
		folder := t.TempDir()
		load(t, duration, func(c *motion.Config) func() {
			blobs, err := file.Open(filepath.Join(folder, "blobs"), file.Options{})
			if err != nil {
				t.Fatal(err)
			}
			store, err := sqlite.Open(filepath.Join(folder, "motion.db"), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.Blobs, c.Store = blobs, store
			return func() {
				blobs.Close()
				if err := store.Close(); err != nil {
					t.Error(err)
				}
				noFiles(t, filepath.Join(folder, "blobs"))
			}
		})
	})
}

// noFiles holds that there is no file in a folder but empty ones, such as locks.
func noFiles(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil && info.Size() > 0 {
				t.Errorf("%s is left", path)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// reading is an estimator of a known cost, which sees in a picture whose it is.
type reading struct{}

func (reading) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	cost := time.NewTimer(5 * time.Millisecond)
	defer cost.Stop()
	select {
	case <-ctx.Done():
		return f, ctx.Err()
	case <-cost.C:
	}
	code := decoded(img)
	f.Set(keypoint.Nose, keypoint.Point{float64(code & 255), 4}, 1)
	f.Set(keypoint.LeftEye, keypoint.Point{float64(code >> 8), 8}, 1)
	return f, nil
}

// coded is a picture that says a number from 0 to 65,535 in black and white blocks along
// its lower edge, which a JPEG keeps.
func coded(code int) []byte {
	m := image.NewGray(image.Rect(0, 0, 256, 64))
	for i := range m.Pix {
		m.Pix[i] = 128
	}
	for bit := range 16 {
		level := color.Gray{Y: uint8(code >> bit & 1 * 255)}
		for y := 40; y < 64; y++ {
			for x := range 16 {
				m.SetGray(bit*16+x, y, level)
			}
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func decoded(m image.Image) (code int) {
	for bit := range 16 {
		if r, _, _, _ := m.At(m.Bounds().Min.X+bit*16+8, m.Bounds().Min.Y+52).RGBA(); r > 0x8000 {
			code |= 1 << bit
		}
	}
	return code
}

// load is TestLoad with some stores. open changes where things are kept and returns what
// closes it.
func load(t *testing.T, duration time.Duration, open func(*motion.Config) func()) {
	before := runtime.NumGoroutine()
	secrets := map[string]string{}
	for i := range loadClients {
		secrets[fmt.Sprint("client", i)] = "secret"
	}
	creds, err := httpapi.NewCredentials(secrets, 0)
	if err != nil {
		t.Fatal(err)
	}
	var config motion.Config
	finish := func() {}
	d := newDirect(t, func(o *httpapi.Options, c *motion.Config) {
		o.Authenticator, o.Limits.RateLimit = creds.Authenticate, 10_000
		c.Estimator, c.Workers = reading{}, 8
		if open != nil {
			finish = open(c)
		}
		config = *c
	})
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", d.api))
	mux.Handle("/oauth/v1/accesstokens", creds)
	server := httptest.NewServer(mux)
	running, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.service.Run(running) }()

	transport := &http.Transport{MaxIdleConnsPerHost: loadClients}
	clients := make([]*loadClient, loadClients)
	for i := range clients {
		clients[i] = &loadClient{t: t, number: i, http: http.Client{Transport: transport}, base: server.URL + "/anymotion/v1"}
		w := world{t: t, server: server}
		clients[i].token = w.login(fmt.Sprint("client", i), "secret")
	}
	var rounds atomic.Int64
	work := func(until func(round int) bool) {
		var all sync.WaitGroup
		for _, c := range clients {
			all.Go(func() {
				for round := 0; !until(round) && !t.Failed(); round++ {
					if err := c.round(); err != nil {
						t.Errorf("client %d, round %d: %v", c.number, c.done, err)
						return
					}
					rounds.Add(1)
				}
			})
		}
		all.Wait()
	}
	work(func(round int) bool { return round == 1 }) // so that pools and tables are there
	warm, began := heap(), time.Now()
	rounds.Store(0)
	work(func(int) bool { return time.Since(began) > duration })
	took, n := time.Since(began), rounds.Load()
	grown := heap() - warm
	t.Logf("%d clients: %d rounds of 10 requests and more in %.1f s (%.0f a second); the heap was %.1f MiB and has grown by %.1f KiB, %.0f bytes a round",
		loadClients, n, took.Seconds(), float64(n)/took.Seconds(), float64(warm)/(1<<20), float64(grown)/(1<<10), float64(grown)/float64(n))
	if n < loadClients {
		t.Errorf("%d rounds in all", n)
	}
	if most := 4<<20 + 64*n; grown > most {
		t.Errorf("the heap has grown by %d bytes", grown)
	}

	for _, c := range clients {
		for _, kind := range []string{"images", "keypoints", "drawings"} {
			var list struct{ Data []any }
			if err := c.do("GET", "/"+kind+"/", nil, 200, &list); err != nil || len(list.Data) != 0 {
				t.Errorf("client %d has %d %s left: %v", c.number, len(list.Data), kind, err)
			}
		}
	}
	err = config.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { return fmt.Errorf("%s is left", b.Key) })
	if err != nil {
		t.Error(err)
	}
	noFiles(t, config.WorkDir)
	stop()
	if err := <-done; err != nil && err != context.Canceled {
		t.Error(err)
	}
	transport.CloseIdleConnections()
	server.Close()
	finish()
	gone := func() bool { return runtime.NumGoroutine() <= before }
	for patience := time.Now().Add(10 * time.Second); !gone() && time.Now().Before(patience); {
		runtime.Gosched()
	}
	if !gone() {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
	}
}

// heap is how many bytes are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep what they hold for one more
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// loadClient is one of the clients of TestLoad.
type loadClient struct {
	t      *testing.T
	number int
	done   int // rounds
	token  string
	http   http.Client
	base   string
}

// do sends a request and reads the answer into an *image.Image or as JSON.
func (c *loadClient) do(method, path string, body []byte, status int, into any) error {
	link := strings.HasPrefix(path, "http")
	if !link {
		path = c.base + path
	}
	req, err := http.NewRequest(method, path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if !link {
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return err
	case resp.StatusCode != status:
		return fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, answer)
	case into == nil:
		return nil
	}
	if m, ok := into.(*image.Image); ok {
		*m, err = jpeg.Decode(bytes.NewReader(answer))
		return err
	}
	return json.Unmarshal(answer, into)
}

// result makes a record and polls until it is finished.
func (c *loadClient) result(kind, body string, into any) error {
	var made struct{ ID int64 }
	if err := c.do("POST", "/"+kind+"/", []byte(body), 201, &made); err != nil {
		return err
	}
	for {
		var raw json.RawMessage
		if err := c.do("GET", fmt.Sprintf("/%s/%d/", kind, made.ID), nil, 200, &raw); err != nil {
			return err
		}
		var state struct{ ExecStatus storage.Status }
		if err := json.Unmarshal(raw, &state); err != nil {
			return err
		}
		switch state.ExecStatus {
		case storage.Success:
			return json.Unmarshal(raw, into)
		case storage.Failure:
			return fmt.Errorf("%s", raw)
		}
		<-time.After(20 * time.Millisecond) // as clients poll
	}
}

// round is one picture from its registration to its deletion.
func (c *loadClient) round() error {
	round := c.done & 255
	c.done++
	code := round<<8 | c.number
	picture := coded(code)
	var media struct {
		ID        int64
		UploadURL string
	}
	if err := c.do("POST", "/images/", fmt.Appendf(nil, `{"name":"%d","contentMd5":%q}`, code, base64MD5(picture)), 201, &media); err != nil {
		return err
	}
	if err := c.do("PUT", media.UploadURL, picture, 200, nil); err != nil {
		return err
	}
	var named struct{ Name string }
	path := fmt.Sprintf("/images/%d/", media.ID)
	if err := c.do("GET", path, nil, 200, &named); err != nil || named.Name != fmt.Sprint(code) {
		return fmt.Errorf("image %q, want %d: %v", named.Name, code, err)
	}
	var found struct {
		ID       int64
		Image    int64
		Keypoint []struct{ Nose, LeftEye [2]float64 }
	}
	if err := c.result("keypoints", fmt.Sprintf(`{"imageId":%d}`, media.ID), &found); err != nil {
		return err
	}
	if found.Image != media.ID || len(found.Keypoint) != 1 || found.Keypoint[0].Nose[0] != float64(c.number) || found.Keypoint[0].LeftEye[0] != float64(round) {
		return fmt.Errorf("keypoints of another picture: %+v, want %d and %d", found, c.number, round)
	}
	var drawn struct {
		Keypoint   int64
		DrawingURL string
	}
	if err := c.result("drawings", fmt.Sprintf(`{"keypointId":%d}`, found.ID), &drawn); err != nil {
		return err
	}
	var m image.Image
	if err := c.do("GET", drawn.DrawingURL, nil, 200, &m); err != nil {
		return err
	}
	if drawn.Keypoint != found.ID || decoded(m) != code {
		return fmt.Errorf("a drawing of %d, want %d", decoded(m), code)
	}
	if err := c.do("DELETE", path, nil, 204, nil); err != nil {
		return err
	}
	return c.do("GET", path, nil, 404, nil)
}
