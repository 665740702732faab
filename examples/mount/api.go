package main

import (
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

// authenticate is an httpapi.Authenticator: the host's session cookie is the credential, and each user owns their records.
func (s *sessions) authenticate(r *http.Request) (httpapi.Identity, error) {
	user, ok := s.user(r)
	if !ok {
		return httpapi.Identity{}, httpapi.ErrUnauthenticated
	}
	return httpapi.Identity{Client: user}, nil
}

// mountAPI adds the API to the host's mux.
func mountAPI(mux *http.ServeMux, service *motion.Service, authenticate httpapi.Authenticator) (*httpapi.Handler, error) {
	api, err := httpapi.New(service, httpapi.Options{Authenticator: authenticate})
	if err == nil {
		mux.Handle("/motion/v1/", http.StripPrefix("/motion/v1", api))
	}
	return api, err
}
