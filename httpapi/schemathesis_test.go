package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/exchange"
	"github.com/bodymotion/motion/storage"
)

// TestSchemathesis lets schemathesis make requests of the OpenAPI document, good and bad
// ones and chains of them, and holds every answer against it: with a token, and without.
// MOTION_SCHEMATHESIS is how many requests it makes for each operation, 10 by default.
func TestSchemathesis(t *testing.T) {
	testkit.Thorough(t, "makes thousands of requests")
	program, err := exec.LookPath("schemathesis")
	if err != nil {
		testkit.Skip(t, "schemathesis")
	}
	examples := "10"
	if n := os.Getenv("MOTION_SCHEMATHESIS"); n != "" {
		examples = n
	}
	hooks, err := filepath.Abs("testdata/schemathesis.py")
	if err != nil {
		t.Fatal(err)
	}
	// A request that waits for an event would wait for ever: they are answered with 429 here.
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.Limits.Waiting, o.OriginalMedia = -1, true })
	var requests, faults atomic.Int64
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rec := &statusRecorder{ResponseWriter: rw}
		w.api.ServeHTTP(rec, r)
		requests.Add(1)
		if rec.status >= 500 {
			faults.Add(1)
		}
	})))
	server := httptest.NewServer(mux)
	defer server.Close()
	// Something to find.
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key))
	w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))

	run := func(t *testing.T, args ...string) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
		defer cancel()
		args = append([]string{
			"run", server.URL + "/anymotion/v1/openapi.json?full=true", "--url", server.URL + "/anymotion/v1",
			"--max-examples", examples, "--seed", "7", "--suppress-health-check", "all", "--warnings", "off",
			"--continue-on-failure", "--request-timeout", "60", "--exclude-checks", "positive_data_acceptance", // see the hooks
		}, args...)
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = t.TempDir() // it keeps what it has found there
		cmd.Env = append(os.Environ(), "NO_COLOR=1", "COLUMNS=200", "SCHEMATHESIS_HOOKS="+hooks, "BEYOND_SCHEMAS="+exchange.Beyond.String())
		began := requests.Load()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("schemathesis: %v\n%s", err, out)
		}
		n := requests.Load() - began
		t.Logf("%d requests\n%s", n, summary(string(out)))
		if n < 500 {
			t.Errorf("schemathesis has made %d requests", n)
		}
		if f := faults.Swap(0); f > 0 {
			t.Errorf("%d answers are faults of the server", f)
		}
	}
	t.Run("with a token", func(t *testing.T) { run(t, "--header", "Authorization: Bearer "+w.token) })
	// Without one, almost every answer is the same: each operation, parameter and property once is enough.
	t.Run("without", func(t *testing.T) { run(t, "--phases", "coverage") })
}

// summary is the end of a report of schemathesis.
func summary(report string) string {
	if i := strings.LastIndex(report, " SUMMARY "); i >= 0 {
		return report[i:]
	}
	return report
}

// statusRecorder keeps the status of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
