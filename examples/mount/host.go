package main

import (
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
)

// newHost returns the host application: its pages, login and middleware, the API, its page, and live pictures. drain ends what of
// these does not end by itself.
func newHost(service *motion.Service, est inference.Estimator, s *sessions, log *slog.Logger) (host http.Handler, drain func(), err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", home(service, s, log))
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	api, err := mountAPI(mux, service, s.authenticate)
	if err != nil {
		return nil, nil, err
	}
	pictures, err := mountPage(mux, est, s, s.authenticate)
	if err != nil {
		return nil, nil, err
	}
	drain = func() { api.Drain(); pictures.Drain() }
	// The host's middleware also applies to the API. Browsers send the session cookie with requests
	// of other sites, too, so refuse those.
	return logged(log, http.NewCrossOriginProtection().Handler(mux)), drain, nil
}

var page = template.Must(template.New("home").Parse(`<!doctype html>
<html lang="en"><title>A club</title>
{{if .User}}<h1>Hello {{.User}}</h1>
<p><a href="/motion/">Your recordings: {{.Recordings}}</a></p>
<form method="post" action="/logout"><button>Log out</button></form>
{{else}}<h1>A club</h1>
<form method="post" action="/login">
<label>Name <input name="name" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button></form>
{{end}}`))

// home is a page of the host. It calls the Service: the owner of the records is the name that the
// Authenticator returns.
func home(service *motion.Service, s *sessions, log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var view struct {
			User       string
			Recordings int
		}
		if user, ok := s.user(r); ok {
			_, total, err := service.ListExtractions(r.Context(), user, motion.Page{Limit: 1})
			if err != nil {
				log.Error("recordings not counted", "error", err)
				http.Error(w, "There is a problem on the service. Try again later.", http.StatusInternalServerError)
				return
			}
			view.User, view.Recordings = user, total
		}
		w.Header().Set("Cache-Control", "no-store")
		if err := page.Execute(w, view); err != nil {
			log.Error("page not written", "error", err)
		}
	}
}

// logged logs each request.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &seen{ResponseWriter: w, status: http.StatusOK}
		begun := time.Now()
		next.ServeHTTP(seen, r)
		log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status, "took", time.Since(begun))
	})
}

// seen records the status of a response.
type seen struct {
	http.ResponseWriter
	status int
}

func (s *seen) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets the API flush events and extend deadlines through this wrapper.
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }
