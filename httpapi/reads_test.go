package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

// crowd is an estimator that sees eight people, who move.
type crowd struct{ n *int }

func (c crowd) Find(context.Context, image.Image) (people []inference.Candidate, err error) {
	for x := 4.; x < 64; x += 7.5 {
		people = append(people, inference.Candidate{Score: 0.9, Box: inference.Box{Min: keypoint.Point{x - 2.5, 2}, Max: keypoint.Point{x + 2.5, 38}}})
	}
	return people, nil
}

func (c crowd) Estimate(ctx context.Context, _ image.Image, h inference.Hint) (f keypoint.Frame, err error) {
	*c.n++
	x := 34.
	if h.Region != (inference.Region{}) {
		x = math.Round((h.Region.Box.Centre()[0]-4)/7.5)*7.5 + 4
	}
	for _, p := range keypoint.Body.List() {
		f.Set(p, keypoint.Point{x + 2*math.Sin(float64(*c.n)/50+float64(p)), 4 + 2*float64(p) + math.Sin(float64(*c.n)/31)}, 0.5+0.4*math.Sin(float64(*c.n)))
	}
	return f, nil
}

// peak returns the most memory that this process has had since forget, MB.
func peak(t *testing.T, forget bool) (most int) {
	t.Helper()
	if forget {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			testkit.SkipMachine(t, testkit.Linux, err)
		}
	}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		testkit.SkipMachine(t, testkit.Linux, err)
	}
	for line := range strings.Lines(string(text)) {
		var kib int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			most = kib * 1024 / 1_000_000
		}
	}
	return most
}

// most is how much memory the requests may take, MB: it is 140 to 240 alone, and more if other tests have left garbage.
const most = 400

// TestReads: many requests at once for a large record take little memory, and another client is answered meanwhile.
// With MOTION_LOAD, there are as many as an attacker would send.
func TestReads(t *testing.T) {
	testkit.Thorough(t, "reads records of 20 MB")
	times := 1
	if os.Getenv("MOTION_LOAD") != "" {
		times = 5
	}
	folder := t.TempDir()
	blobs, err := file.Open(filepath.Join(folder, "blobs"), file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	store, err := sqlite.Open(filepath.Join(folder, "motion.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	n := 0
	d := newDirect(t, func(o *httpapi.Options, c *motion.Config) {
		c.Blobs, c.Store, c.Estimator, c.Decoder, c.Clean = blobs, store, crowd{&n}, fakes.Decoder{}, clean.Default()
	})
	running, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.service.Run(running) }()
	movie := fakes.Movie(30, slices.Repeat([]image.Image{image.NewRGBA(image.Rect(0, 0, 64, 42))}, 1799)...)
	m := uploaded(t, d.service, "crowd", storage.Movies, movie)
	e, err := d.service.ExtractKeypoints(t.Context(), "crowd", motion.ExtractRequest{Source: motion.Movie(m), FindOptions: motion.FindOptions{Everybody: true}})
	if err != nil {
		t.Fatal(err)
	}
	if status, err := d.service.Wait(t.Context(), "crowd", storage.Keypoints, e.ID); status != storage.Success {
		t.Fatal(status, err)
	}
	r, err := store.Get(t.Context(), storage.Key{Owner: "crowd", Kind: storage.Keypoints, ID: e.ID})
	if err != nil {
		t.Fatal(err)
	}
	own := uploaded(t, d.service, "other", storage.Images, picture())
	x, err := d.service.ExtractKeypoints(t.Context(), "other", motion.ExtractRequest{Source: motion.Image(own)})
	if err != nil {
		t.Fatal(err)
	}
	d.service.Wait(t.Context(), "other", storage.Keypoints, x.ID)
	server := httptest.NewServer(d.api)
	defer server.Close()
	t.Logf("a record of %d MB", len(r.Result)>>20)
	r.Result = nil
	get := func(client, path string) (int, time.Duration) {
		began := time.Now()
		req, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
		req.Header.Set("Authorization", "Bearer "+client)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return 0, 0
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, time.Since(began)
	}
	for path, n := range map[string]int{
		"?format=csv": 30, "?include=scores,timestamps,visibility,changes": 12, "?person=1": 6, "?format=report": 4,
	} {
		n *= times
		idle := peak(t, true)
		began := time.Now()
		var all sync.WaitGroup
		statuses := make([]int, n)
		for i := range n {
			all.Go(func() { statuses[i], _ = get("crowd", fmt.Sprintf("/keypoints/%d/%s", e.ID, path)) })
		}
		end := make(chan struct{})
		go func() {
			all.Wait()
			close(end)
		}()
		var waits []time.Duration
		for running := true; running; {
			status, wait := get("other", fmt.Sprintf("/keypoints/%d/", x.ID))
			if status != 200 {
				t.Errorf("%s: another client got %d", path, status)
			}
			waits = append(waits, wait)
			select {
			case <-end:
				running = false
			case <-time.After(20 * time.Millisecond):
			}
		}
		served := 0
		for _, status := range statuses {
			switch status {
			case 200:
				served++
			case 503: // for which there was no turn in time
			default:
				t.Errorf("%s: %d", path, status)
			}
		}
		slices.Sort(waits)
		grown := peak(t, false) - idle
		t.Logf("%s: %d of %d in %v, %d MB above idle; another client: %d answers, median %v, p99 %v", path, served, n, time.Since(began), grown,
			len(waits), waits[len(waits)/2], waits[len(waits)*99/100])
		if served == 0 || grown > most {
			t.Errorf("%s: %d of %d were served, and took %d MB", path, served, n, grown)
		}
	}
	stop()
	<-done
}

func uploaded(t testing.TB, s *motion.Service, client string, kind storage.Kind, content []byte) int64 {
	t.Helper()
	m, err := s.RegisterMedia(t.Context(), client, kind, motion.NewMedia{ContentMD5: base64MD5(content)})
	if err == nil {
		_, err = s.UploadMedia(t.Context(), client, kind, m.ID, bytes.NewReader(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.ID
}
