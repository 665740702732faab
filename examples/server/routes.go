package main

import (
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/server/viewer"
	"github.com/bodymotion/motion/httpapi"
)

// routes mounts the API, the token endpoint, the health check and the page. trusting gives
// the page tokens of the first client. The API is returned beside them all, to be drained.
func routes(service *motion.Service, known *clients, base string, trusting bool) (http.Handler, *httpapi.Handler, error) {
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
	mux.Handle("/healthz", api.Ready())
	return mux, api, nil
}
