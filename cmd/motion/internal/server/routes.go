package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/inference/pose"
)

// served is what a process serves.
type served struct {
	http.Handler
	api  *httpapi.Handler
	live *live.Handler // nil without networks
}

// drain refuses new work.
func (s served) drain() {
	s.api.Drain()
	if s.live != nil {
		s.live.Drain()
	}
}

// routes mounts the API, live pictures if est is not nil, the token endpoint, the health checks and the
// page. key, if it is not empty, gives the page tokens of the first client.
func routes(service *motion.Service, s *settings, checks *health, est *pose.Estimator, key string) (served, error) {
	known := s.clients
	tokens, err := httpapi.NewCredentials(known.secrets, 0, derive(s.key, "tokens"))
	if err != nil {
		return served{}, err
	}
	opt := httpapi.Options{Authenticator: tokens.Authenticate, Tokens: tokens, BaseURL: s.base, Metrics: checks.served, OriginalMedia: s.originals, LinkKeys: [][]byte{derive(s.key, "links")}}
	api, err := httpapi.New(service, opt)
	if err != nil {
		return served{}, err
	}
	var login http.Handler
	if key != "" {
		login = viewer.LocalToken(tokens, known.first, known.secrets[known.first], key)
	}
	page, err := viewer.New(viewer.Options{Login: login})
	if err != nil {
		return served{}, err
	}
	mux := http.NewServeMux()
	all := served{Handler: mux, api: api}
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	if est != nil {
		opt := live.Options{Authenticator: tokens.Authenticate}
		if u, err := url.Parse(s.base); err == nil && u.Host != "" {
			opt.Origins = []string{u.Scheme + "://" + u.Host} // a proxy may send another Host
		}
		if all.live, err = live.New(est, opt); err != nil {
			return served{}, err
		}
		mux.Handle("/anymotion/v1/live/", all.live)
	}
	mux.Handle("/oauth/v1/accesstokens", tokens)
	mux.Handle("/v1/oauth/accesstokens", tokens)
	mux.Handle("/", page)
	checks.mount(mux)
	return all, nil
}

// access says who may do what.
func (s *settings) access(addr net.Addr, key string) string {
	if key == "" {
		return fmt.Sprintf("access: with the id and secret of one of %d clients, to what this client has uploaded", len(s.clients.secrets))
	}
	return fmt.Sprintf("access: open http://%s/?key=%s to see all recordings of client %s, and tell nobody this address; "+
		"without its key the page asks for the id and secret of a client", addr, key, s.clients.first)
}

// pageKey returns the key in the address of the page, which stays the same when the server is started again. It is empty if the
// page asks for a client's id and secret.
func (s *settings) pageKey(addr net.Addr) string {
	if s.login || s.base != "" || !viewer.Loopback(addr.String()) {
		return ""
	}
	return hex.EncodeToString(derive(s.key, "page")[:16])
}

// derive makes a key for one purpose of the server's key.
func derive(key, purpose string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte("motion server " + purpose))
	return h.Sum(nil)
}
