package main

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	cookieName  = "session"
	sessionTime = 12 * time.Hour
)

// sessions holds the host's users and their sessions in memory. A real host keeps salted password
// hashes in a database.
type sessions struct {
	passwords map[string][32]byte // SHA-256 by name

	mu   sync.Mutex
	open map[string]session // by cookie
}

type session struct {
	user string
	ends time.Time
}

func newSessions() *sessions {
	return &sessions{passwords: map[string][32]byte{}, open: map[string]session{}}
}

// String implements flag.Value.
func (s *sessions) String() string { return "" }

// Set implements flag.Value: it adds a user.
func (s *sessions) Set(v string) error {
	name, password, ok := strings.Cut(v, ":")
	if !ok || name == "" || password == "" {
		return errors.New("want NAME:PASSWORD")
	}
	s.passwords[name] = sha256.Sum256([]byte(password))
	return nil
}

// login handles the form of the home page.
func (s *sessions) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 10_000)
	name, given := r.PostFormValue("name"), sha256.Sum256([]byte(r.PostFormValue("password")))
	want, known := s.passwords[name]
	if subtle.ConstantTimeCompare(given[:], want[:]) != 1 || !known {
		http.Error(w, "The name or the password is wrong. Go back and try again.", http.StatusUnauthorized)
		return
	}
	cookie := rand.Text()
	now := time.Now()
	s.mu.Lock()
	for old, x := range s.open {
		if now.After(x.ends) {
			delete(s.open, old)
		}
	}
	s.open[cookie] = session{name, now.Add(sessionTime)}
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: "/", MaxAge: int(sessionTime / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// logout ends the session of the request.
func (s *sessions) logout(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		delete(s.open, c.Value)
		s.mu.Unlock()
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// user returns the logged-in user.
func (s *sessions) user(r *http.Request) (name string, ok bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.open[c.Value]
	if !ok || time.Now().After(x.ends) {
		return "", false
	}
	return x.user, true
}
