package jwtauth_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/jwtauth"
)

// site is where the issuer has its keys.
type site struct {
	asked  atomic.Int64
	mu     sync.Mutex
	answer func() (int, string)
	block  chan struct{} // waited for where it is not nil
}

func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked.Add(1)
	if s.block != nil {
		select {
		case <-s.block:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status, text := s.answer()
	if status == 0 {
		return nil, errors.New("no connection")
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

func (s *site) set(status int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = func() (int, string) { return status, text }
}

func newSite(t *testing.T) (*site, httpapi.Authenticator) {
	s := &site{}
	s.set(200, string(keySet(t, "ec")))
	return s, verifier(t, func(o *jwtauth.Options) {
		o.Keys, o.KeysURL, o.Client = nil, "https://id.test/keys", &http.Client{Transport: s}
	})
}

func TestKeysAreAskedForAgain(t *testing.T) {
	issuerKeys() // made outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		s, v := newSite(t)
		try := func(id string, method jwt.SigningMethod) error {
			_, err := v(request("Bearer " + token(t, method, id, issuerKeys()[id], claims(nil))))
			return err
		}
		step := func(name string, err error, good bool, asked int64) {
			t.Helper()
			if (err == nil) != good || !good && !errors.Is(err, httpapi.ErrUnauthenticated) || s.asked.Load() != asked {
				t.Errorf("%s: %v, asked %d times, want %d", name, err, s.asked.Load(), asked)
			}
		}
		step("first", try("ec", jwt.SigningMethodES256), true, 1)
		step("again", try("ec", jwt.SigningMethodES256), true, 1)
		s.set(200, string(keySet(t, "ec", "ed")))
		step("new key, too early", try("ed", jwt.SigningMethodEdDSA), false, 1)
		time.Sleep(time.Minute)
		step("new key", try("ed", jwt.SigningMethodEdDSA), true, 2)
		step("unknown keys do not ask without end", try("rsa", jwt.SigningMethodRS256), false, 2)
		s.set(200, string(keySet(t, "ec")))
		time.Sleep(time.Hour)
		step("refreshed", try("ec", jwt.SigningMethodES256), true, 3)
		step("a key that was withdrawn", try("ed", jwt.SigningMethodEdDSA), false, 3)
		s.set(0, "")
		time.Sleep(time.Hour)
		step("old keys stay while there is no answer", try("ec", jwt.SigningMethodES256), true, 4)
		step("and the site is left in peace", try("ec", jwt.SigningMethodES256), true, 4)
	})
}

func TestNoKeys(t *testing.T) {
	issuerKeys()
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			status int
			text   string
		}{
			"no connection": {0, ""}, "fault": {500, "{}"}, "not JSON": {200, "<html>"}, "endless": {200, strings.Repeat(" ", 2<<20)},
		} {
			s, v := newSite(t)
			s.set(c.status, c.text)
			for range 3 {
				_, err := v(request("Bearer " + token(t, jwt.SigningMethodES256, "ec", issuerKeys()["ec"], claims(nil))))
				if !errors.Is(err, motion.ErrUnavailable) || errors.Is(err, httpapi.ErrUnauthenticated) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if s.asked.Load() != 1 {
				t.Errorf("%s: asked %d times", name, s.asked.Load())
			}
			s.set(200, string(keySet(t, "ec")))
			time.Sleep(time.Minute)
			if _, err := v(request("Bearer " + token(t, jwt.SigningMethodES256, "ec", issuerKeys()["ec"], claims(nil)))); err != nil {
				t.Errorf("%s, later: %v", name, err)
			}
		}
	})
}

// TestSlowKeys holds that many who need the keys ask once, and that those who do not need
// new ones do not wait for them.
func TestSlowKeys(t *testing.T) {
	issuerKeys()
	synctest.Test(t, func(t *testing.T) {
		s, v := newSite(t)
		s.block = make(chan struct{})
		text := token(t, jwt.SigningMethodES256, "ec", issuerKeys()["ec"], claims(map[string]any{"exp": time.Now().Add(24 * time.Hour).Unix()}))
		try := func() error {
			_, err := v(request("Bearer " + text))
			return err
		}
		errs := make(chan error)
		for range 5 {
			go func() { errs <- try() }()
		}
		synctest.Wait()
		s.block <- struct{}{}
		for range 5 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Hour)
		go func() { errs <- try() }() // asks, and nobody answers
		synctest.Wait()
		began := time.Now()
		if err := try(); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := <-errs; err != nil || time.Since(began) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if s.asked.Load() != 2 {
			t.Errorf("asked %d times", s.asked.Load())
		}
	})
}
