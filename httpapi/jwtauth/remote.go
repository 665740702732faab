package jwtauth

import (
	"cmp"
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
	maxAge       = time.Hour        // age at which the keys are fetched again
	minInterval  = time.Minute      // minimum interval between fetches
	fetchTimeout = 10 * time.Second // of one fetch
	maxBody      = 1 << 20          // bytes
)

// remote fetches and caches the keys at a URL.
type remote struct {
	url    string
	client *http.Client

	mu       sync.Mutex
	fetching chan struct{} // closed when the current fetch ends; nil if there is none
	set      *keySet       // nil before the first successful fetch
	tried    time.Time     // end of the last fetch
	got      time.Time     // when set was fetched
	err      error         // of the last fetch
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
	return &remote{url: address, client: cmp.Or(client, &http.Client{Timeout: fetchTimeout})}, nil
}

// keys returns the keys, fetched again if the key with an ID is unknown or they are old. Old keys remain valid while
// the URL does not respond, and only requests that need new keys wait for a fetch.
func (r *remote) keys(ctx context.Context, id string) (*keySet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	known := r.set.has(id)
	wanted := !known || now.Sub(r.got) >= maxAge
	switch {
	case r.fetching != nil && !known:
		fetching := r.fetching
		r.mu.Unlock()
		select {
		case <-fetching:
		case <-ctx.Done():
		}
		r.mu.Lock()
	case r.fetching == nil && wanted && (r.tried.IsZero() || now.Sub(r.tried) >= minInterval):
		r.fetching = make(chan struct{})
		r.mu.Unlock()
		// All waiting requests share the result, so it must not end with this one.
		set, err := r.fetch(context.WithoutCancel(ctx))
		r.mu.Lock()
		if r.tried, r.err = time.Now(), err; err == nil {
			r.set, r.got = set, r.tried
		}
		close(r.fetching)
		r.fetching = nil
	}
	if r.set == nil {
		return nil, fmt.Errorf("%w: the keys of the issuer: %w", motion.ErrUnavailable, errors.Join(r.err, ctx.Err()))
	}
	return r.set, nil
}

func (r *remote) fetch(ctx context.Context) (*keySet, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
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
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBody {
		return nil, fmt.Errorf("the key set is longer than %d bytes", maxBody)
	}
	return parseKeySet(data)
}
