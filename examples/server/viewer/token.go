package viewer

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// LocalToken returns the handler that gives the page an access token for the local user,
// without id and secret. The host mounts it at "/viewer/token" where its server listens on
// a loopback address alone. tokens is the token endpoint, id and secret are the client's.
//
// Everybody who can reach the server from this machine gets the token. Others do not: the
// request has to come from a loopback address, has to be addressed to one by name or
// number, so that no foreign name that leads here serves, must not have come through a
// proxy that says so, and not from a page of another site.
func LocalToken(tokens http.Handler, id, secret string) http.Handler {
	give := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r) {
			NoToken(w, r)
			return
		}
		body, err := json.Marshal(map[string]string{"grantType": "client_credentials", "clientId": id, "clientSecret": secret})
		if err != nil {
			http.Error(w, "no token", http.StatusInternalServerError)
			return
		}
		ask, err := http.NewRequestWithContext(r.Context(), http.MethodPost, r.URL.Path, bytes.NewReader(body))
		if err != nil {
			http.Error(w, "no token", http.StatusInternalServerError)
			return
		}
		ask.RequestURI = r.RequestURI
		ask.Header.Set("Content-Type", "application/json")
		ask.Header.Set("Content-Length", strconv.Itoa(len(body)))
		tokens.ServeHTTP(w, ask)
	})
	return http.NewCrossOriginProtection().Handler(give)
}

// NoToken answers 204, which tells the page to ask for the client id and secret.
func NoToken(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// local reports whether a request comes from this machine, straight and on purpose.
func local(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	return Loopback(r.RemoteAddr) && Loopback(r.Host)
}

// Loopback reports whether an address, with a port or without, is this machine's own:
// localhost or a loopback number.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
