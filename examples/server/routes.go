package main

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/server/viewer"
	"github.com/bodymotion/motion/httpapi"
)

// routes mounts the API, the token endpoint, the health check and the page. trusting gives
// the page tokens of the first client.
func routes(service *motion.Service, known *clients, base string, trusting bool) (http.Handler, *atomic.Bool, error) {
	tokens, err := httpapi.NewCredentials(known.secrets, 0)
	if err != nil {
		return nil, nil, err
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens, BaseURL: base})
	if err != nil {
		return nil, nil, err
	}
	page, err := viewer.New()
	if err != nil {
		return nil, nil, err
	}
	ready := &atomic.Bool{}
	ready.Store(true)
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
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		if !ready.Load() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux, ready, nil
}
