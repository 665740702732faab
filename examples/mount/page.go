package main

import (
	"fmt"
	"net/http"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/inference"
)

// mountPage adds the page at /motion/ and live pictures to the host's mux. The cookie stays the credential of both: the page's
// token says nothing, and who is not logged in is sent to the host's form.
func mountPage(mux *http.ServeMux, est inference.Estimator, s *sessions, authenticate httpapi.Authenticator) (*live.Handler, error) {
	login := func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.user(r); !ok {
			w.Header().Set("Location", "/")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, `{"accessToken": "cookie"}`)
	}
	page, err := viewer.New(viewer.Options{Path: "/motion/", API: "/motion/v1/", Title: "Club motion", Login: http.HandlerFunc(login)})
	if err != nil {
		return nil, err
	}
	pictures, err := live.New(est, live.Options{Authenticator: authenticate})
	if err == nil {
		mux.Handle("/motion/", page)
		mux.Handle("/motion/v1/live/", pictures)
	}
	return pictures, err
}
