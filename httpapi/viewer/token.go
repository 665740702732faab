package viewer

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// LocalToken returns the Options.Login that gives the page an access token for the local user, without
// id and secret. It is for a host whose server listens on a loopback address alone. tokens is the token
// endpoint; id and secret are the client's.
//
// Every user of this machine gets the token. The handler refuses others: the request must come from a loopback
// address, and from a page: Host, Origin and Referer must be localhost or a loopback address, and Origin or Referer
// must be there. That defeats DNS rebinding, pages of other sites, and browsers behind a proxy that adds no headers.
// A program behind such a proxy can still write what it likes: put no proxy in front of the server.
func LocalToken(tokens http.Handler, id, secret string) http.Handler {
	give := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r) {
			noToken(w, r)
			return
		}
		grant := map[string]string{"grantType": "client_credentials", "clientId": id, "clientSecret": secret}
		body, _ := json.Marshal(grant) // strings have no error
		ask := r.Clone(r.Context())
		ask.Body, ask.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		ask.Header = http.Header{"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}}
		tokens.ServeHTTP(w, ask)
	})
	return http.NewCrossOriginProtection().Handler(give)
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

// Loopback reports whether an address, with or without a port, is localhost or a loopback IP
// address.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
