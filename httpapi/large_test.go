package httpapi_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
)

// filled is a body of many equal texts, which takes no memory.
type filled struct {
	begin, text, end string
	size             int64
}

func (f filled) reader() (io.Reader, int64) {
	n := (f.size - int64(len(f.begin+f.end))) / int64(len(f.text))
	many := io.LimitReader(&repeated{text: f.text}, n*int64(len(f.text))-1) // without the last comma
	return io.MultiReader(strings.NewReader(f.begin), many, strings.NewReader(f.end)), int64(len(f.begin+f.end)) + n*int64(len(f.text)) - 1
}

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (n int, _ error) {
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}

// TestLargeBodies: 24 large bodies at once take less than 200 MB, whatever is in them.
func TestLargeBodies(t *testing.T) {
	testkit.Thorough(t, "sends 24 bodies of 16 MiB")
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // what is in use counts, not what is left to be collected
	d := newDirect(t, nil)
	key := givenRecord(t, d, "client-0")
	const size, small = 16 << 20, 1 << 20
	bodies := []struct {
		method, address string
		body            filled
	}{
		{"POST", "/keypoints/", filled{`{"size":[64,48],"frameRate":30,"keypoints":[`, `{"nose":[1,2],"leftEye":[3,4]},`, `]}`, size}},
		{"POST", "/keypoints/", filled{`{"size":[64,48],"frameRate":30,"keypoints":[`, `{},`, `]}`, size}},
		{"POST", "/keypoints/", filled{`{"size":[64,48],"keypoints":[{"nose":[`, `0,`, `]}]}`, size}},
		{"POST", "/keypoints/", filled{`{"size":[64,48],"frameRate":30,"format":"csv","data":"frame,nose_x,nose_y\n`, `1,2,3\n,`, `"}`, size}},
		{"POST", "/keypoints/", filled{`{"size":[64,48],"frameRate":30,"format":"mediapipe","data":[`, `[{"x":0.5,"y":0.5}],`, `]}`, size}},
		{"POST", "/keypoints/", filled{`{"format":"json","data":{"width":64,"height":48,"keypoint":[{"nose":[`, `0,`, `]}]}}`, size}},
		{"POST", "/keypoints/", filled{`{"imageId":1,"tags":[`, `0,`, `]}`, size}},
		{"POST", "/analyses/", filled{`{"keypointId":1,"exercise":[`, `0,`, `]}`, small}},
		{"PATCH", key, filled{`{"edits":[`, `0,`, `]}`, small}},
	}
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	idle, most := heap(), uint64(0)
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	listed := make(chan []time.Duration, 1)
	go func() { listed <- reads(t, d.api, done, "/keypoints/") }()
	var all sync.WaitGroup
	codes := make([]int, 24)
	for i := range codes {
		all.Go(func() {
			c := bodies[i%len(bodies)]
			codes[i] = send(d.api, c.method, c.address, fmt.Sprintf("client-%d", i%3), c.body, i%2 == 0).Code
		})
	}
	all.Wait()
	close(done)
	<-watched
	refused := 0
	for i, code := range codes {
		switch code {
		case 400, 413:
			refused++
		case 503: // on a busy machine
		default:
			t.Errorf("%s: %d", bodies[i%len(bodies)].body.begin, code)
		}
	}
	if refused == 0 || most > idle+200<<20 {
		t.Errorf("%d refused; %d MB, and %d MB without them", refused, most>>20, idle>>20)
	}
	t.Logf("%d of %d refused; %d MB, and %d MB without them", refused, len(codes), most>>20, idle>>20)
	beside := <-listed
	t.Logf("%d lists of another client beside, 99 %% of them within %v", len(beside), beside[len(beside)*99/100])
}

// reads reads what is at addresses, one after the other, until done is closed, as a client does that behaves well. It returns how
// long each took, the quickest first.
func reads(t *testing.T, api *httpapi.Handler, done <-chan struct{}, addresses ...string) (took []time.Duration) {
	for {
		began := time.Now()
		address := addresses[len(took)%len(addresses)]
		if r := serve(api, "GET", address, "good", strings.NewReader(""), 0); r.Code != 200 {
			t.Errorf("%s beside: %d %s", address, r.Code, r.Body)
		}
		took = append(took, time.Since(began))
		select {
		case <-done:
			slices.Sort(took)
			return took
		default:
		}
	}
}

// givenRecord makes a keypoint record of a client and returns its address.
func givenRecord(t *testing.T, d *direct, client string) string {
	t.Helper()
	r := d.do("POST", "/keypoints/", client, `{"keypoints":[{"nose":[1,2]}],"size":[64,48],"clean":false}`)
	if r.Code != 201 {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	return strings.TrimPrefix(r.Header().Get("Location"), "http://example.com")
}

// send serves a request with a body whose length is told, or not.
func send(api *httpapi.Handler, method, address, client string, body filled, told bool) *httptest.ResponseRecorder {
	from, n := body.reader()
	if !told {
		n = -1
	}
	return serve(api, method, address, client, from, n)
}

// serve serves a request with a body of n bytes, −1 if that is not known.
func serve(api *httpapi.Handler, method, address, client string, body io.Reader, n int64) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, address, body)
	req.Header.Set("Authorization", "Bearer "+client)
	req.Header.Set("Content-Type", "application/json")
	req.ContentLength = n
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	return rec
}

// TestLargeBodiesTakeTurns: one client that sends slowly holds one of two places, so that another one's large body is read, and small
// ones always are. With both taken, a third client is told to try again.
func TestLargeBodiesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { c.Limits.Frames = -1 })
		large := `{"size":[64,48],"clean":false,"keypoints":[{"nose":[1,2]}` + strings.Repeat(" ", 2<<20) + `]}`
		gate := make(chan struct{})
		var all sync.WaitGroup
		slow := func(client string) {
			all.Go(func() {
				rest, w := io.Pipe()
				go func() { <-gate; io.WriteString(w, large[len(large)-9:]); w.Close() }()
				if r := serve(d.api, "POST", "/keypoints/", client, io.MultiReader(strings.NewReader(large[:len(large)-9]), rest), -1); r.Code != 201 {
					t.Errorf("%s: %d %s", client, r.Code, r.Body)
				}
			})
		}
		quick := func(client, body string) (int, string) {
			r := serve(d.api, "POST", "/keypoints/", client, strings.NewReader(body), int64(len(body)))
			return r.Code, r.Header().Get("Retry-After")
		}
		slow("a")
		synctest.Wait()
		if code, _ := quick("b", large); code != 201 {
			t.Errorf("another client beside a slow one: %d", code)
		}
		if code, again := quick("a", large); code != 503 || again == "" {
			t.Errorf("a second one of the slow client: %d, Retry-After %q", code, again)
		}
		slow("b")
		synctest.Wait()
		if code, again := quick("c", large); code != 503 || again == "" {
			t.Errorf("a third client: %d, Retry-After %q", code, again)
		}
		if code, _ := quick("c", strings.ReplaceAll(large, " ", "")); code != 201 {
			t.Errorf("a small body: %d", code)
		}
		if _, total, err := d.service.ListExtractions(t.Context(), "a", motion.Page{Limit: 1}); total != 0 || err != nil {
			t.Errorf("%d records of %s (%v)", total, storage.Keypoints, err)
		}
		close(gate)
		all.Wait()
		if code, _ := quick("c", large); code != 201 {
			t.Errorf("afterwards: %d", code)
		}
	})
}
