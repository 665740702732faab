package viewer

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LocalToken returns the Options.Login that gives the page an access token for the local user, without id and secret. It is for a
// host whose server listens on a loopback address alone. tokens is the token endpoint; id and secret are the client's.
//
// key is a secret in the address at which the user opens the page for the first time, such as
// http://127.0.0.1:8080/?key=KEY; the browser keeps it in a cookie. Print this address where only the user reads it. Without the
// key nobody gets a token, and with an empty key nobody at all.
//
// The handler refuses others besides: the request must come from a loopback address, and from a page: Host, Origin and Referer must
// be localhost or a loopback address, and Origin or Referer must be there. That defeats DNS rebinding and pages of other sites.
func LocalToken(tokens http.Handler, id, secret, key string) http.Handler {
	l := &localToken{key: key}
	l.Handler = http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie(l.cookie())
		if err != nil || !l.opens(cookie.Value) || !local(r) {
			noToken(w, r)
			return
		}
		grant := map[string]string{"grantType": "client_credentials", "clientId": id, "clientSecret": secret}
		body, _ := json.Marshal(grant) // strings have no error
		ask := r.Clone(r.Context())
		ask.Body, ask.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		ask.Header = http.Header{"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}}
		tokens.ServeHTTP(w, ask)
	}))
	return l
}

// localToken is a LocalToken.
type localToken struct {
	http.Handler
	key string
}

// opens reports whether a text is the key.
func (l *localToken) opens(text string) bool {
	return l.key != "" && subtle.ConstantTimeCompare([]byte(text), []byte(l.key)) == 1
}

// cookie is the name of the cookie with the key. Servers at other ports of this machine have cookies of other names.
func (l *localToken) cookie() string {
	sum := sha256.Sum256([]byte(l.key))
	return "motion-page-" + hex.EncodeToString(sum[:4])
}

// visit answers a visit of the page with ?key=: it gives the browser the cookie if that is the key, and leads to the page without it.
func (l *localToken) visit(w http.ResponseWriter, r *http.Request, page string) {
	if l.opens(r.URL.Query().Get("key")) {
		http.SetCookie(w, &http.Cookie{
			Name: l.cookie(), Value: l.key, Path: page + "viewer/token", MaxAge: int(365 * 24 * time.Hour / time.Second),
			HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, page, http.StatusSeeOther)
}

// noToken answers 204, which tells the page to ask for the client id and secret.
func noToken(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// local reports whether a request comes from this machine, directly and not from another site.
func local(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	pages := append(r.Header.Values("Origin"), r.Header.Values("Referer")...)
	foreign := func(page string) bool {
		u, err := url.Parse(page)
		return err != nil || !Loopback(u.Host)
	}
	return Loopback(r.RemoteAddr) && Loopback(r.Host) && len(pages) > 0 && !slices.ContainsFunc(pages, foreign)
}

// Loopback reports whether an address, with or without a port, is localhost or a loopback IP address.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
