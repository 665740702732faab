package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// counted is a queue that counts how often it is asked.
type counted struct {
	storage.Counter
	asked int
	err   error
	hangs bool
}

func (c *counted) Backlog(ctx context.Context) (storage.Backlog, error) {
	c.asked++
	if c.hangs {
		<-ctx.Done()
		return storage.Backlog{}, ctx.Err()
	}
	return storage.Backlog{Waiting: 10 * c.asked, Running: c.asked}, c.err
}

// TestBacklog: the gauges are those of the queue, which is not asked at each scrape, and are
// missing where it does not answer.
func TestBacklog(t *testing.T) {
	q := &counted{}
	checks := newHealth()
	b := newBacklog(q, slog.New(slog.DiscardHandler))
	checks.registry.MustRegister(b)
	again := func() { b.until = time.Time{} } // as if the time had passed
	want := func(asked int, lines ...string) {
		t.Helper()
		answer := httptest.NewRecorder()
		checks.handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
		got := regexp.MustCompile(`(?m)^motion_jobs_(waiting|running) .*`).FindAllString(answer.Body.String(), -1)
		if !slices.Equal(got, lines) || q.asked != asked || answer.Code != http.StatusOK {
			t.Errorf("%d %q after %d questions, want %q after %d", answer.Code, got, q.asked, lines, asked)
		}
	}
	want(1, "motion_jobs_running 1", "motion_jobs_waiting 10")
	if !b.until.After(time.Now()) {
		t.Error("it may be asked again at once")
	}
	b.until = time.Now().Add(time.Minute)
	want(1, "motion_jobs_running 1", "motion_jobs_waiting 10")
	again()
	want(2, "motion_jobs_running 2", "motion_jobs_waiting 20")
	q.err = errors.New("fault")
	again()
	want(3)
	b.until = time.Now().Add(time.Minute)
	want(3)
	q.hangs = true
	again()
	want(4)
	q.hangs, q.err = false, nil
	again()
	want(5, "motion_jobs_running 5", "motion_jobs_waiting 50")
}
