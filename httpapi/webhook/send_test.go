package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/httpapi/webhook"
)

// network answers requests and notes them.
type network struct {
	answer func(*http.Request) int // 0: no connection

	mu       sync.Mutex
	requests []request
}

type request struct {
	at     time.Duration // since the beginning
	url    string
	header http.Header
	body   []byte
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	n.requests = append(n.requests, request{time.Since(began), r.URL.String(), r.Header, body})
	n.mu.Unlock()
	status := n.answer(r)
	if status == 0 {
		return nil, errors.New("no connection")
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: r}, nil
}

// began is when the clock of a bubble begins.
var began = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// sending runs a sender with a network of its own until the test ends.
func sending(t *testing.T, answer func(*http.Request) int, opt webhook.Options) (*webhook.Sender, *network, func()) {
	t.Helper()
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	s, err := webhook.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	n := &network{answer: answer}
	s.SetTransport(n)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	return s, n, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// to are endpoints that all clients have.
func to(secret string, urls ...string) func(context.Context, string) ([]webhook.Endpoint, error) {
	return func(context.Context, string) ([]webhook.Endpoint, error) {
		var all []webhook.Endpoint
		for _, u := range urls {
			all = append(all, webhook.Endpoint{URL: u, Secrets: []string{secret}})
		}
		return all, nil
	}
}

// TestRetries holds that what fails is tried again, later and later, as the same message
// with a new time, for each endpoint by itself.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := webhook.NewSecret()
		tries := 0
		s, n, stop := sending(t, func(r *http.Request) int {
			if r.URL.Host == "good.test" {
				return 200
			}
			tries++
			return map[int]int{1: 0, 2: 500, 3: 301, 4: 429}[tries] + map[bool]int{true: 204}[tries >= 5]
		}, webhook.Options{Endpoints: to(secret, "https://bad.test/", "https://good.test/")})
		s.Finished(finished("alice", 1))
		time.Sleep(48 * time.Hour)
		stop()
		least := []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}
		var bad []request
		for _, r := range n.requests {
			if r.url == "https://bad.test/" {
				bad = append(bad, r)
			}
			if r.at > 0 && r.url != "https://bad.test/" {
				t.Errorf("%s again after %v", r.url, r.at)
			}
		}
		if len(bad) != 5 || len(n.requests) != 6 {
			t.Fatalf("%d of %d requests", len(bad), len(n.requests))
		}
		for i, r := range bad {
			if i > 0 {
				if pause := r.at - bad[i-1].at; pause < least[i] || pause > least[i]*11/10+time.Second {
					t.Errorf("try %d comes %v after the one before, want %v", i, pause, least[i])
				}
			}
			if r.header.Get("Webhook-Id") != bad[0].header.Get("Webhook-Id") || !bytes.Equal(r.body, bad[0].body) {
				t.Errorf("try %d is another message", i)
			}
			if want := fmt.Sprint(began.Add(r.at).Unix()); r.header.Get("Webhook-Timestamp") != want {
				t.Errorf("try %d is of %s, want %s", i, r.header.Get("Webhook-Timestamp"), want)
			}
		}
	})
}

func TestGivingUp(t *testing.T) {
	for name, c := range map[string]struct {
		status, tries int
	}{"always down": {500, 3}, "gone": {410, 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s, n, stop := sending(t, func(*http.Request) int { return c.status }, webhook.Options{
					Endpoints: to(webhook.NewSecret(), "https://a.test/?secret=x"), Retries: []time.Duration{time.Second, time.Second},
					Logger: slog.New(slog.NewTextHandler(&log, nil)),
				})
				s.Finished(finished("alice", 1))
				time.Sleep(time.Hour)
				stop()
				if len(n.requests) != c.tries || strings.Count(log.String(), "webhook given up") != 1 || strings.Contains(log.String(), "secret=") {
					t.Errorf("%d tries, want %d\n%s", len(n.requests), c.tries, &log)
				}
			})
		})
	}
}

// TestEndpointsChange holds that every try asks for the endpoints: secrets change, endpoints
// go, and where they are kept may be down.
func TestEndpointsChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secrets := []string{webhook.NewSecret(), webhook.NewSecret()}
		asked := 0
		s, n, stop := sending(t, func(*http.Request) int { return 500 }, webhook.Options{
			Endpoints: func(context.Context, string) ([]webhook.Endpoint, error) {
				e := webhook.Endpoint{URL: "https://a.test/"}
				switch asked++; asked {
				case 1:
					return nil, errors.New("down")
				case 2, 3:
					e.Secrets = secrets[:1]
				case 4:
					e.Secrets = secrets
				default:
					return nil, nil
				}
				return []webhook.Endpoint{e}, nil
			},
			Retries: []time.Duration{time.Second, time.Second, time.Second, time.Second},
		})
		s.Finished(finished("alice", 1))
		time.Sleep(time.Hour)
		stop()
		if len(n.requests) != 2 || asked != 5 {
			t.Fatalf("%d requests, asked %d times", len(n.requests), asked)
		}
		for i, want := range []int{1, 2} {
			if got := len(strings.Fields(n.requests[i].header.Get("Webhook-Signature"))); got != want {
				t.Errorf("request %d has %d signatures, want %d", i, got, want)
			}
		}
	})
}

// TestFairness holds that a client whose endpoint is slow does not hold up the others.
func TestFairness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, most := 0, 0
		var mu sync.Mutex
		s, n, stop := sending(t, func(r *http.Request) int {
			if r.URL.Host == "quick.test" {
				return 200
			}
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(10 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			running--
			return 200
		}, webhook.Options{Workers: 4, Endpoints: func(_ context.Context, client string) ([]webhook.Endpoint, error) {
			return []webhook.Endpoint{{URL: "https://" + client + ".test/", Secrets: []string{webhook.NewSecret()}}}, nil
		}})
		for i := range int64(20) {
			s.Finished(finished("slow", i+1))
		}
		s.Finished(finished("quick", 1))
		time.Sleep(time.Hour)
		stop()
		i := slices.IndexFunc(n.requests, func(r request) bool { return r.url == "https://quick.test/" })
		if i < 0 || n.requests[i].at != 0 || most != 2 || len(n.requests) != 21 {
			t.Errorf("request %d of %d, %d at a time", i, len(n.requests), most)
		}
	})
}

// TestQueueIsBounded holds that one client cannot fill the queue.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		opt := webhook.Options{MaxQueued: 20, Endpoints: to(webhook.NewSecret(), "https://a.test/"), Logger: slog.New(slog.NewTextHandler(&log, nil))}
		s, n, stop := sending(t, func(*http.Request) int { return 200 }, opt)
		stop()
		for i := range int64(5) {
			s.Finished(finished("alice", i+1))
		}
		for i := range 30 {
			s.Finished(finished(fmt.Sprint("client", i), 1))
		}
		if got := strings.Count(log.String(), "webhook dropped"); got != 3+12 || len(n.requests) != 0 {
			t.Errorf("%d dropped, %d sent", got, len(n.requests))
		}
	})
}

// TestRunEnds holds that Run waits for what is under way, and begins nothing more.
func TestRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		s, n, stop := sending(t, func(*http.Request) int { time.Sleep(10 * time.Second); ended = true; return 200 }, webhook.Options{
			Workers: 1, Endpoints: to(webhook.NewSecret(), "https://a.test/"),
		})
		s.Finished(finished("alice", 1))
		s.Finished(finished("alice", 2))
		synctest.Wait()
		stop()
		if !ended || len(n.requests) != 1 {
			t.Errorf("ended %v, %d requests", ended, len(n.requests))
		}
	})
}
