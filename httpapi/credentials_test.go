package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/httpapi"
)

// TestSignedTokens: a token is good for whoever has the keys and the client, until its end.
func TestSignedTokens(t *testing.T) {
	one, two := bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{2}, 16)
	credentials := func(secret string, ttl time.Duration, keys ...[]byte) *httpapi.Credentials {
		c, err := httpapi.NewCredentials(map[string]string{"alice": secret, "al": "other"}, ttl, keys...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	issue := func(c *httpapi.Credentials) string {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/", strings.NewReader(`{"grantType":"client_credentials","clientId":"alice","clientSecret":"secret"}`))
		r.Header.Set("Content-Type", "application/json")
		c.ServeHTTP(w, r)
		var answer struct{ AccessToken string }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%d %s (%v)", w.Code, w.Body, err)
		}
		return answer.AccessToken
	}
	ask := func(c *httpapi.Credentials, token string) (string, error) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		id, err := c.Authenticate(r)
		return id.Client, err
	}
	token := issue(credentials("secret", 0, one))
	for name, c := range map[string]*httpapi.Credentials{"another process": credentials("secret", 0, one), "after a new key": credentials("secret", 0, two, one)} {
		if client, err := ask(c, token); client != "alice" || err != nil {
			t.Errorf("%s: %q (%v)", name, client, err)
		}
	}
	content, mac, _ := strings.Cut(token, ".")
	for name, c := range map[string]struct {
		c     *httpapi.Credentials
		token string
	}{
		"another key":    {credentials("secret", 0, two), token},
		"another secret": {credentials("changed", 0, one), token},
		"past its end":   {credentials("secret", 0, one), issue(credentials("secret", time.Nanosecond, one))},
		"no MAC":         {credentials("secret", 0, one), content},
		"an empty MAC":   {credentials("secret", 0, one), content + "."},
		"half a client":  {credentials("secret", 0, one), content[:len(content)-4] + "." + mac},
		"nothing":        {credentials("secret", 0, one), "."},
		"no base64":      {credentials("secret", 0, one), "!." + mac},
	} {
		if client, err := ask(c.c, c.token); client != "" || !errors.Is(err, httpapi.ErrUnauthenticated) {
			t.Errorf("%s: %q (%v)", name, client, err)
		}
	}
	if _, err := httpapi.NewCredentials(map[string]string{"alice": "secret"}, 0, one, one[:15]); err == nil {
		t.Error("a short key is taken")
	}
}
