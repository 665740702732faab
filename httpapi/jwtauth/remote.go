package jwtauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/bodymotion/motion"
)

const (
	freshFor    = time.Hour        // after which the keys are asked for again
	askAgain    = time.Minute      // the least time between two questions
	askTimeout  = 10 * time.Second // of one question
	maxDocument = 1 << 20          // bytes
)

// remote are the keys at a URL.
type remote struct {
	url    string
	client *http.Client

	mu     sync.Mutex
	asking chan struct{} // closed when the question under way is answered; nil for none
	set    *KeySet       // nil before the first answer
	asked  time.Time     // when the last question ended
	got    time.Time     // when set came
	err    error         // of the last question
}

func newRemote(address string, client *http.Client) (*remote, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("jwtauth: Options.KeysURL: %w", err)
	}
	ip := net.ParseIP(u.Hostname())
	here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && here) {
		return nil, fmt.Errorf("jwtauth: Options.KeysURL %q is not an https URL", address)
	}
	if client == nil {
		client = &http.Client{Timeout: askTimeout}
	}
	return &remote{url: address, client: client}, nil
}

// keys returns a set that has the key, where the URL has it. Old keys stay good while the
// URL does not answer, and nobody waits for new ones who does not need them.
func (r *remote) keys(ctx context.Context, id string) (*KeySet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	needed := r.set == nil || !r.set.has(id)
	wanted := needed || now.Sub(r.got) >= freshFor
	switch {
	case r.asking != nil && needed:
		asking := r.asking
		r.mu.Unlock()
		select {
		case <-asking:
		case <-ctx.Done():
		}
		r.mu.Lock()
	case r.asking == nil && wanted && (r.asked.IsZero() || now.Sub(r.asked) >= askAgain):
		r.asking = make(chan struct{})
		r.mu.Unlock()
		// The answer is for all who wait, so it does not end with this request.
		set, err := r.ask(context.WithoutCancel(ctx))
		r.mu.Lock()
		if r.asked, r.err = time.Now(), err; err == nil {
			r.set, r.got = set, r.asked
		}
		close(r.asking)
		r.asking = nil
	}
	if r.set == nil {
		return nil, fmt.Errorf("%w: the keys of the issuer: %w", motion.ErrUnavailable, errors.Join(r.err, ctx.Err()))
	}
	return r.set, nil
}

func (r *remote) ask(ctx context.Context) (*KeySet, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDocument {
		return nil, fmt.Errorf("the key set is longer than %d bytes", maxDocument)
	}
	return ParseKeySet(data)
}
