package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// client uses the API as a persistent program does: it repeats requests without a response and those
// with 503.
type client struct {
	url   string
	http  *http.Client
	token atomic.Pointer[string]
	seen  *answers
}

// answers counts the responses to clients.
type answers struct {
	requests, broken, unavailable, logins atomic.Int64

	mu      sync.Mutex
	longest time.Duration // of a request with all its repetitions
}

func (a *answers) took(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.longest = max(a.longest, d)
}

func newClient(addr string, seen *answers) *client {
	return &client{url: "http://" + addr, http: &http.Client{Timeout: time.Minute}, seen: seen}
}

// retryPause is how long a client waits before it tries again.
const retryPause = 50 * time.Millisecond

// call repeats a request until it is answered, and decodes the response. A status that restarting
// servers do not explain is an error.
func (c *client) call(ctx context.Context, method, path string, body []byte) (map[string]any, error) {
	began := time.Now()
	defer func() { c.seen.took(time.Since(began)) }()
	for {
		status, text, err := c.once(ctx, method, path, body)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s %s: %w (last: %d, %v)", method, path, ctx.Err(), status, err)
		case err != nil:
			c.seen.broken.Add(1)
		case status == http.StatusServiceUnavailable:
			c.seen.unavailable.Add(1)
		case status == http.StatusUnauthorized:
			if err := c.login(ctx); err != nil {
				return nil, err
			}
			continue
		case method == http.MethodDelete && status == http.StatusNotFound:
			return nil, nil // deleted by a request that got no response
		case status >= 300:
			return nil, fmt.Errorf("%s %s: %d %s", method, path, status, text)
		default:
			var answer map[string]any
			if len(bytes.TrimSpace(text)) > 0 {
				err = json.Unmarshal(text, &answer)
			}
			return answer, err
		}
		pause(ctx, retryPause)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (c *client) once(ctx context.Context, method, path string, body []byte) (status int, text []byte, err error) {
	c.seen.requests.Add(1)
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.url + path
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if t := c.token.Load(); t != nil && address != path {
		req.Header.Set("Authorization", "Bearer "+*t)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err = io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// login gets a new token: tokens do not survive their server.
func (c *client) login(ctx context.Context) error {
	c.seen.logins.Add(1)
	body := fmt.Appendf(nil, `{"grantType":"client_credentials","clientId":%q,"clientSecret":%q}`, clientID, clientSecret)
	answer, err := c.call(ctx, http.MethodPost, "/oauth/v1/accesstokens", body)
	if err != nil {
		return err
	}
	token, _ := answer["accessToken"].(string)
	c.token.Store(&token)
	return nil
}

// post makes a record and returns the answer and its id.
func (c *client) post(ctx context.Context, kind string, body map[string]any) (answer map[string]any, id int64, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, 0, err
	}
	answer, err = c.call(ctx, http.MethodPost, "/v1/"+kind+"/", text)
	n, _ := answer["id"].(float64)
	return answer, int64(n), err
}

// wait waits until a record is SUCCESS or FAILURE.
func (c *client) wait(ctx context.Context, kind string, id int64) error {
	for {
		answer, err := c.call(ctx, http.MethodGet, fmt.Sprintf("/v1/%s/%d/?wait=5", kind, id), nil)
		if err != nil {
			return err
		}
		if s := answer["execStatus"]; s == "SUCCESS" || s == "FAILURE" {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s %d is still %v: %w", kind, id, answer["execStatus"], ctx.Err())
		}
	}
}
