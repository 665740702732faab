package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

// maxEndpoints is how many endpoints a client may have.
const maxEndpoints = 10

// Run sends events until ctx ends, waits for running requests, and returns nil. Events that are still queued then are lost.
func (s *Sender) Run(ctx context.Context) error {
	free := make(chan struct{}, s.opt.Workers)
	var workers sync.WaitGroup
	defer func() {
		workers.Wait()
		if n := s.queue.left(); n > 0 {
			s.opt.Logger.Warn("webhooks not sent", "count", n)
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case free <- struct{}{}:
		}
		t, wait := s.queue.take(time.Now())
		if t != nil {
			workers.Go(func() {
				defer func() { <-free }()
				s.queue.done(t, s.work(t)...)
			})
			continue
		}
		<-free
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return nil
		case <-s.queue.wake:
		case <-timer.C:
		}
	}
}

// errGone is the error of an endpoint that wants no more events.
var errGone = errors.New("the endpoint wants no more")

// work does one step of a task and returns what follows from it.
func (s *Sender) work(t *task) (again []*task) {
	// A request under way is finished when Run is asked to end.
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.Timeout)
	defer cancel()
	log := s.opt.Logger.With("client", t.client, "webhook", t.id)
	endpoints, err := s.opt.Endpoints(ctx, t.client)
	if err == nil && !t.split {
		for _, e := range endpoints[:min(len(endpoints), maxEndpoints)] {
			next := *t
			next.split, next.url, next.tries = true, e.URL, 0
			again = append(again, &next)
		}
		return again
	}
	if err == nil {
		i := slices.IndexFunc(endpoints, func(e Endpoint) bool { return e.URL == t.url })
		if i < 0 {
			return nil // removed in the meantime
		}
		if err = s.post(ctx, t, endpoints[i]); err == nil {
			return nil
		}
	}
	if t.tries >= len(s.opt.Retries) || errors.Is(err, errGone) || errors.Is(err, errEndpoint) {
		log.Error("webhook given up", "tries", t.tries+1, "error", err)
		return nil
	}
	pause := s.opt.Retries[t.tries]
	log.Info("webhook will be tried again", "tries", t.tries+1, "after", pause, "error", err)
	next := *t
	next.tries++
	next.due = time.Now().Add(pause + rand.N(pause/10+1))
	return []*task{&next}
}

// errEndpoint is the kind of error that trying again cannot mend.
var errEndpoint = errors.New("the endpoint cannot be used")

// post sends a task to an endpoint.
func (s *Sender) post(ctx context.Context, t *task, e Endpoint) error {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && s.opt.AllowPrivate) {
		return fmt.Errorf("%w: its URL has to be https", errEndpoint)
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	signature, err := sign(e.Secrets, t.id, timestamp, t.body)
	if err != nil {
		return fmt.Errorf("%w: %w", errEndpoint, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(t.body))
	if err != nil {
		return fmt.Errorf("%w: its URL is malformed", errEndpoint)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "motion-webhook")
	req.Header.Set("Webhook-Id", t.id)
	req.Header.Set("Webhook-Timestamp", timestamp)
	req.Header.Set("Webhook-Signature", signature)
	resp, err := s.transport.RoundTrip(req) // a RoundTripper follows no redirections
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return nil
	case resp.StatusCode == http.StatusGone:
		return errGone
	}
	return fmt.Errorf("the endpoint answered %d", resp.StatusCode)
}
