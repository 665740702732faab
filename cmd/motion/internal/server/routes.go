package server

import (
	"crypto/hmac"
	"crypto/sha256"
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
// page. trusting gives the page tokens of the first client.
func routes(service *motion.Service, s *settings, checks *health, est *pose.Estimator, trusting bool) (served, error) {
	known := s.clients
	tokens, err := httpapi.NewCredentials(known.secrets, 0, derive(s.key, "tokens"))
	if err != nil {
		return served{}, err
	}
	opt := httpapi.Options{Authenticator: tokens.Authenticate, BaseURL: s.base, Metrics: checks.served, OriginalMedia: s.originals, LinkKeys: [][]byte{derive(s.key, "links")}}
	api, err := httpapi.New(service, opt)
	if err != nil {
		return served{}, err
	}
	var login http.Handler
	if trusting {
		login = viewer.LocalToken(tokens, known.first, known.secrets[known.first])
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
func (s *settings) access(addr net.Addr, trusting bool) string {
	if !trusting {
		return fmt.Sprintf("access: with the id and secret of one of %d clients, to what this client has uploaded", len(s.clients.secrets))
	}
	return fmt.Sprintf("access: everybody on this machine, without a secret, to all recordings of client %s at http://%s/; "+
		"put no proxy in front of this server without --login or --base-url", s.clients.first, addr)
}

// derive makes a key for one purpose of the server's key.
func derive(key, purpose string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte("motion server " + purpose))
	return h.Sum(nil)
}
