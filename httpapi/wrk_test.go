package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// BenchmarkServed has wrk ask the API, as a host would mount it with the stores in memory,
// and a bare handler with the same bytes, one after the other. It reports the requests a
// second of the API and their ratio to those of the bare handler, and the same ratio of the
// requests a second of processor time of this process, which other work disturbs less. Tokens are checked and
// requests are counted by the rate limit; there is no access log and there are no metrics.
func BenchmarkServed(b *testing.B) {
	program, err := exec.LookPath("wrk")
	if err != nil {
		testkit.Skip(b, "wrk")
	}
	creds, err := httpapi.NewCredentials(map[string]string{"alice": "secret"}, 0)
	if err != nil {
		b.Fatal(err)
	}
	var store storage.Store
	d := newDirect(b, func(o *httpapi.Options, c *motion.Config) {
		o.Authenticator, o.Limits.RateLimit = creds.Authenticate, 1e9
		store = c.Store
	})
	put := func(r storage.Record) int64 {
		r.Owner = "alice"
		r, err := store.Create(b.Context(), r)
		if err != nil {
			b.Fatal(err)
		}
		return r.ID
	}
	keypoints := func(data string, frames int) int64 {
		s := keypoint.Sequence{Frames: make([]keypoint.Frame, frames), Times: make([]float64, frames)}
		for i := range frames {
			s.Times[i] = float64(i) / 30
			for p := range keypoint.NumBody {
				s.Frames[i].Set(keypoint.Part(p), keypoint.Point{100.25 + float64(i+int(p)), 200.5 + float64(i)/3}, 0.875)
			}
		}
		result, err := json.Marshal(s)
		if err != nil {
			b.Fatal(err)
		}
		return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(data), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
	}
	image, movie := keypoints(`{"from":[{"kind":"images","id":1}],"request":{"imageId":1}}`, 1), keypoints(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`, 300)
	for i := range 1000 {
		put(storage.Record{Key: storage.Key{Kind: storage.Movies}, Data: fmt.Appendf(nil,
			`{"file":{},"request":{"name":"movie %d","text":"a swing","contentMd5":%q},"outcome":{"Size":{"X":1920,"Y":1080},"Frames":300,"FrameRate":29.97002997,"Duration":10.01}}`,
			i, base64MD5(nil))})
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", d.api))
	mux.Handle("/oauth/v1/accesstokens", creds)
	server := httptest.NewServer(mux)
	defer server.Close()
	w := world{t: b, server: server}
	token := w.login("alice", "secret")

	for _, c := range []struct{ name, path string }{
		{"keypoints of an image", fmt.Sprintf("/keypoints/%d/", image)},
		{"keypoints of 300 frames", fmt.Sprintf("/keypoints/%d/", movie)},
		{"page of 20", "/movies/?page=3"},
		{"page of 100", "/movies/?page=3&size=100"},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := w.do("GET", c.path, token, "")
			if r.status != 200 {
				b.Fatalf("%d %s", r.status, r.body)
			}
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Write(r.body)
			}))
			defer bare.Close()
			var ours, theirs, oursCPU, theirsCPU float64
			for b.Loop() {
				wall, cpu := requests(b, program, bare.URL, token)
				theirs, theirsCPU = theirs+wall, theirsCPU+cpu
				wall, cpu = requests(b, program, server.URL+"/anymotion/v1"+c.path, token)
				ours, oursCPU = ours+wall, oursCPU+cpu
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(r.body)), "bytes")
			b.ReportMetric(ours/float64(b.N), "requests/s")
			b.ReportMetric(ours/theirs, "of-bare")
			b.ReportMetric(oursCPU/theirsCPU, "of-bare-cpu")
		})
	}
}

// requests is how many requests a second wrk has answered, all of them well, and how many a
// second of this process's processor time.
func requests(b *testing.B, program, address, token string) (wall, cpu float64) {
	b.Helper()
	began := processorTime(b)
	out, err := exec.Command(program, "-t1", "-c16", "-d2s", "-H", "Authorization: Bearer "+token, address).CombinedOutput()
	m := regexp.MustCompile(`(?s)(\d+) requests in.*Requests/sec: +([0-9.]+)`).FindSubmatch(out)
	if err != nil || m == nil || regexp.MustCompile(`Non-2xx|Socket errors`).Match(out) {
		b.Fatalf("wrk: %v\n%s", err, out)
	}
	spent := processorTime(b) - began
	n, err1 := strconv.ParseFloat(string(m[1]), 64)
	wall, err2 := strconv.ParseFloat(string(m[2]), 64)
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	return wall, n / spent.Seconds()
}

// processorTime is what this process has had of the processors.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
