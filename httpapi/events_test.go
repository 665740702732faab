package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/exchange"
	"github.com/bodymotion/motion/storage"
)

// listener is a client that follows the events.
type listener struct {
	*httptest.ResponseRecorder
	mu   sync.Mutex
	stop context.CancelFunc
	read int
	done chan struct{}
}

func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ResponseRecorder.Write(p)
}

func (w *slowWork) listen(client string) *listener {
	ctx, cancel := context.WithCancel(w.t.Context())
	l := &listener{ResponseRecorder: httptest.NewRecorder(), stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		req := httptest.NewRequestWithContext(ctx, "GET", "/events/", nil)
		req.Header.Set("Authorization", "Bearer "+client)
		checked(w.t, w.api).ServeHTTP(l, req)
	}()
	synctest.Wait()
	return l
}

// next returns what was sent since the last call, a second later.
func (l *listener) next() string {
	time.Sleep(time.Second)
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.Body.String()[l.read:]
	l.read += len(text)
	return text
}

func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		before := w.add("alice", storage.Keypoints)
		done := w.add("alice", storage.Analyses)
		w.move(done, storage.Success)
		l := w.listen("alice")
		if got := l.next(); l.Code != 200 || l.Header().Get("Content-Type") != "text/event-stream" || got != "retry: 5000\n: watching\n\n" {
			t.Fatalf("%d %v %q", l.Code, l.Header(), got)
		}
		w.add("bob", storage.Keypoints)
		key := w.add("alice", storage.Drawings)
		expect := func(want ...string) {
			t.Helper()
			var all strings.Builder
			for _, x := range want {
				fmt.Fprintf(&all, "event: record\ndata: {%s\n\n", x)
			}
			got := l.next()
			var cut strings.Builder
			for line := range strings.Lines(got) { // without the times
				if data, ok := strings.CutPrefix(line, "data: "); ok {
					var event any
					if err := json.Unmarshal([]byte(data), &event); err != nil {
						t.Error(err)
					}
					exchange.Value(t, "Event", event)
				}
				line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), `,"updatedAt"`)
				cut.WriteString(line + "\n")
			}
			if cut.String() != all.String() {
				t.Errorf("%q, want %q", cut.String(), all.String())
			}
		}
		expect(`"kind":"drawings","id":1,"execStatus":"UNPROCESSED"`)
		expect()
		w.move(key, storage.Processing)
		w.move(before, storage.Processing)
		expect(`"kind":"drawings","id":1,"execStatus":"PROCESSING"`, `"kind":"keypoints","id":1,"execStatus":"PROCESSING"`)
		w.move(before, storage.Unprocessed)
		w.move(key, storage.Failure)
		expect(`"kind":"keypoints","id":1,"execStatus":"UNPROCESSED"`, `"kind":"drawings","id":1,"execStatus":"FAILURE"`)
		if err := w.store.Delete(t.Context(), before); err != nil { // no state: no event
			t.Fatal(err)
		}
		quick := w.add("alice", storage.Comparisons)
		w.move(quick, storage.Success)
		expect(`"kind":"comparisons","id":1,"execStatus":"SUCCESS"`)
		l.stop()
		<-l.done
	})
}

// TestProgressEvents holds that a client is told how far the work is, by an event of its own,
// and reads the same in the record and the list.
func TestProgressEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		key := w.add("alice", storage.Keypoints)
		w.move(key, storage.Processing)
		l := w.listen("alice")
		l.next()
		read := func(path string) any {
			t.Helper()
			record := replyOf(w.do("GET", path, "alice", "")).get(t)
			if list, ok := record["data"].([]any); ok {
				record = list[0].(map[string]any)
			}
			part, ok := record["progress"]
			if !ok {
				t.Errorf("%s has no progress", path)
			}
			return part
		}
		for _, path := range []string{"/keypoints/1/", "/keypoints/"} {
			if got := read(path); got != 0.0 {
				t.Errorf("%s says %v before anything is known", path, got)
			}
		}
		r, err := w.store.Get(t.Context(), key)
		if err == nil {
			r.Data = []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1},"progress":0.123456}`)
			_, err = w.store.Update(t.Context(), r, storage.Processing)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := l.next()
		name, data, _ := strings.Cut(strings.TrimSpace(got), "\ndata: ")
		var event any
		if err := json.Unmarshal([]byte(data), &event); err != nil || name != "event: progress" {
			t.Fatalf("%q (%v)", got, err)
		}
		exchange.Value(t, "ProgressEvent", event)
		if part := event.(map[string]any)["progress"]; part != 0.1235 {
			t.Errorf("the event says %v", part)
		}
		for _, path := range []string{"/keypoints/1/", "/keypoints/"} {
			if got := read(path); got != 0.1235 {
				t.Errorf("%s says %v", path, got)
			}
		}
		if got := l.next(); got != "" {
			t.Errorf("without a change: %q", got)
		}
		w.move(key, storage.Success)
		for _, path := range []string{"/keypoints/1/", "/keypoints/"} {
			if r := w.do("GET", path, "alice", ""); strings.Contains(r.Body.String(), "progress") {
				t.Errorf("at the end, %s says %s", path, r.Body)
			}
		}
		l.stop()
		<-l.done
	})
}

// TestEventsLost holds that a client is told where more has happened than is watched.
func TestEventsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		w.add("alice", storage.Keypoints)
		l := w.listen("alice")
		l.next()
		for range 1500 {
			w.move(w.add("alice", storage.Keypoints), storage.Success)
		}
		if got := l.next(); !strings.HasPrefix(got, "event: lost\ndata: {}\n\n") || strings.Count(got, "event: record") != 1000 {
			t.Errorf("%q", got)
		}
		for range 1001 {
			w.add("alice", storage.Keypoints)
		}
		if got := l.next(); !strings.HasPrefix(got, "event: lost\ndata: {}\n\n") {
			t.Errorf("%.100q", got)
		}
		if got := l.next(); got != "" {
			t.Errorf("again: %.100q", got)
		}
		l.stop()
		<-l.done
	})
}

func TestEventsHeartbeatAndDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		l := w.listen("alice")
		l.next()
		time.Sleep(14 * time.Second)
		if got := l.next(); got != ": alive\n\n" {
			t.Errorf("after 15 s: %q", got)
		}
		w.api.Drain()
		<-l.done
		if got := l.next(); got != "event: end\ndata: {}\n\n" {
			t.Errorf("drained: %q", got)
		}
		if r := w.do("GET", "/events/", "alice", ""); r.Code != 503 || r.Header().Get("Retry-After") == "" {
			t.Errorf("while draining: %d %v", r.Code, r.Header())
		}
	})
}

// TestEventsEndWithTheToken holds that a stream does not outlive what it was opened with.
func TestEventsEndWithTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var revoked atomic.Bool
		w := newSlowWork(t, func(o *httpapi.Options) {
			o.Authenticator = func(r *http.Request) (httpapi.Identity, error) {
				if revoked.Load() {
					return httpapi.Identity{}, httpapi.ErrUnauthenticated
				}
				return byToken(r)
			}
		})
		l := w.listen("alice")
		l.next()
		revoked.Store(true)
		time.Sleep(15 * time.Second)
		<-l.done
		if got := l.next(); got != "event: end\ndata: {}\n\n" {
			t.Errorf("%q", got)
		}
	})
}

// TestEventQueries holds that the streams of a client cost one query a second, all together.
func TestEventQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, nil)
		w.add("alice", storage.Keypoints)
		for _, l := range []*listener{w.listen("alice"), w.listen("alice")} {
			defer func() { l.stop(); <-l.done }()
		}
		w.store.gets.Store(0)
		w.store.lists.Store(0)
		time.Sleep(time.Minute)
		synctest.Wait()
		if gets, lists := w.store.gets.Load(), w.store.lists.Load(); gets != 0 || lists > 60 {
			t.Errorf("%d queries for a record and %d for many in a minute", gets, lists)
		}
	})
}

// TestEventStreams holds that a client has few streams at a time.
func TestEventStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newSlowWork(t, func(o *httpapi.Options) { o.Limits.Waiting = 20 })
		var open []*listener
		for i, want := range []int{200, 200, 429} {
			l := w.listen("alice")
			if open = append(open, l); l.Code != want {
				t.Errorf("stream %d: %d, want %d", i, l.Code, want)
			}
		}
		open[0].stop()
		<-open[0].done
		open = append(open, w.listen("alice"), w.listen("bob"))
		for _, l := range open[3:] {
			if l.Code != 200 {
				t.Errorf("after one has ended: %d", l.Code)
			}
		}
		for _, l := range open {
			l.stop()
			<-l.done
		}
	})
}

func TestEventsAreForTheClient(t *testing.T) {
	w := newWorld(t, nil)
	for _, c := range []struct {
		method, path, token string
		status              int
	}{
		{"GET", "/events/", "", 401}, {"GET", "/events", w.token, 308}, {"POST", "/events/", w.token, 405}, {"HEAD", "/events/", w.token, 200},
	} {
		if r := w.do(c.method, c.path, c.token, ""); r.status != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, r.status, c.status)
		}
	}
}

// TestWaitingOverHTTP holds that events and late answers pass real servers whose timeouts
// are shorter.
func TestWaitingOverHTTP(t *testing.T) {
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprint("HTTP/", version), func(t *testing.T) {
			w := newSlowWork(t, nil)
			server := httptest.NewUnstartedServer(w.api)
			server.Config.ReadTimeout, server.Config.WriteTimeout = 300*time.Millisecond, 300*time.Millisecond
			server.EnableHTTP2 = version == 2
			server.StartTLS()
			defer server.Close()
			get := func(path string) *http.Response {
				req, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Authorization", "Bearer alice")
				resp, err := server.Client().Do(req)
				if err != nil {
					t.Fatal(err)
				}
				if resp.ProtoMajor != version || resp.StatusCode != 200 {
					t.Errorf("%s: %d over %s", path, resp.StatusCode, resp.Proto)
				}
				return resp
			}
			events := get("/events/")
			defer events.Body.Close()
			lines := bufio.NewScanner(events.Body)
			next := func(want string) {
				t.Helper()
				for lines.Scan() {
					if lines.Text() == want {
						return
					}
				}
				t.Fatalf("the stream ends before %q: %v", want, lines.Err())
			}
			next(": watching")
			key := w.add("alice", storage.Keypoints)
			late := get(fmt.Sprintf("/keypoints/%d/?wait=1", key.ID))
			defer late.Body.Close()
			if b, err := io.ReadAll(late.Body); err != nil || !strings.Contains(string(b), "UNPROCESSED") {
				t.Errorf("%s (%v)", b, err)
			}
			next("event: record")
			w.api.Drain()
			next("event: end")
		})
	}
}
