package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/server/viewer"
	"github.com/bodymotion/motion/httpapi"
)

// routes mounts the API, the token endpoint, the health checks and the page. trusting gives
// the page tokens of the first client. The API is returned beside them all, to be drained.
func routes(service *motion.Service, s *settings, checks *health, trusting bool) (http.Handler, *httpapi.Handler, error) {
	known := s.clients
	tokens, err := httpapi.NewCredentials(known.secrets, 0)
	if err != nil {
		return nil, nil, err
	}
	opt := httpapi.Options{Authenticator: tokens, BaseURL: s.base, Metrics: checks, OriginalMedia: s.originals, LinkKeys: [][]byte{derive(s.key, "links")}}
	if err := tokens.SignTokens(derive(s.key, "tokens")); err != nil {
		return nil, nil, err
	}
	api, err := httpapi.New(service, opt)
	if err != nil {
		return nil, nil, err
	}
	page, err := viewer.New()
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/oauth/v1/accesstokens", tokens)
	mux.Handle("/v1/oauth/accesstokens", tokens)
	mux.Handle("/", page)
	if trusting {
		mux.Handle("POST /viewer/token", viewer.LocalToken(tokens, known.first, known.secrets[known.first]))
	} else {
		mux.HandleFunc("POST /viewer/token", viewer.NoToken)
	}
	checks.mount(mux)
	return mux, api, nil
}

// derive makes a key for one purpose of the server's key.
func derive(key, purpose string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte("motion server " + purpose))
	return h.Sum(nil)
}
