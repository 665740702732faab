package httpapi

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
)

// Credentials authenticates clients by access tokens, and is the HTTP endpoint that issues
// the tokens for a client ID and secret. Mount it outside the API, at
// /oauth/v1/accesstokens and, for older clients, at /v1/oauth/accesstokens.
//
// Unless SignTokens is called, tokens are 256 random bits whose hashes are kept in memory.
type Credentials struct {
	keys    [][]byte            // of SignTokens
	secrets map[string][32]byte // SHA-256 of the secret, by client id
	ttl     time.Duration

	mu     sync.Mutex
	tokens map[[32]byte]token    // by SHA-256
	issued map[string][][32]byte // those of each client, oldest first
}

type token struct {
	client  string
	expires time.Time
}

// maxTokens is the maximum number of valid tokens of a client.
const maxTokens = 1000

// NewCredentials returns the Credentials of clients, given their secrets by client ID. There
// must be at least one client, and no ID or secret may be empty. Tokens are valid for ttl;
// 0 means 24 hours. A client has at most 1,000 tokens in memory: a further one revokes its
// oldest.
func NewCredentials(secrets map[string]string, ttl time.Duration) (*Credentials, error) {
	if len(secrets) == 0 {
		return nil, errors.New("httpapi: no client is given")
	}
	if ttl <= 0 {
		ttl = 24 * time.Hour
	}
	c := &Credentials{secrets: map[string][32]byte{}, ttl: ttl, tokens: map[[32]byte]token{}, issued: map[string][][32]byte{}}
	for id, secret := range secrets {
		if id == "" || secret == "" {
			return nil, errors.New("httpapi: a client id or secret is empty")
		}
		c.secrets[id] = sha256.Sum256([]byte(secret))
	}
	return c, nil
}

var _ Authenticator = (*Credentials)(nil)

// Authenticate implements Authenticator. It reads the token from the header
// "Authorization: Bearer".
func (c *Credentials) Authenticate(r *http.Request) (Identity, error) {
	scheme, value, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return Identity{}, ErrUnauthenticated
	}
	if c.keys != nil {
		return c.signed(strings.TrimSpace(value), time.Now())
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(value)))
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.tokens[sum]
	if !ok || !time.Now().Before(t.expires) {
		return Identity{}, ErrUnauthenticated
	}
	return Identity{Client: t.client}, nil
}

// issue returns a new token for a client.
func (c *Credentials) issue(client string, now time.Time) string {
	if c.keys != nil {
		return c.sign(c.keys[0], client, now.Add(c.ttl))
	}
	var raw [32]byte
	rand.Read(raw[:])
	text := base64.RawURLEncoding.EncodeToString(raw[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	// All tokens have the same lifetime, so the oldest expires first.
	mine := c.issued[client]
	for len(mine) > 0 && (len(mine) >= maxTokens || !now.Before(c.tokens[mine[0]].expires)) {
		delete(c.tokens, mine[0])
		mine = mine[1:]
	}
	sum := sha256.Sum256([]byte(text))
	c.tokens[sum] = token{client, now.Add(c.ttl)}
	c.issued[client] = append(mine, sum)
	return text
}

// ServeHTTP implements the token endpoint. It accepts a POST of {"grantType":
// "client_credentials", "clientId": …, "clientSecret": …}.
func (c *Credentials) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, detail string, errs ...mistake) {
		wire.Write(w, problem{Status: status, Detail: detail, Instance: wire.Address(r), Errors: errs})
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		fail(http.StatusMethodNotAllowed, "Use POST to obtain a token.")
		return
	}
	if bad := unknownQuery(r, nil); bad != nil {
		fail(http.StatusBadRequest, "The token request is invalid.", bad...)
		return
	}
	body, err := readJSON(w, r, 64<<10, 30*time.Second)
	if err != nil {
		fail(err.status, err.detail)
		return
	}
	doc, parseErr := strictjson.Parse(body)
	if parseErr != nil {
		fail(http.StatusBadRequest, "The body is not JSON.", wire.Mistakes("", parseErr)...)
		return
	}
	var id, secret string
	if v := doc.Root(); v.Require("an object") && v.Known("grantType", "clientId", "clientSecret", "scope") {
		if g := v.Get("grantType"); g.Require(`"client_credentials"`) {
			g.OneOf("client_credentials")
		}
		if f := v.Get("clientId"); f.Require("the client id") {
			id, _ = f.Text()
		}
		if f := v.Get("clientSecret"); f.Require("the client secret") {
			secret, _ = f.Text()
		}
	}
	if err := doc.Err(); err != nil {
		fail(http.StatusBadRequest, "The token request is invalid.", wire.Mistakes("", err)...)
		return
	}
	want, known := c.secrets[id]
	got := sha256.Sum256([]byte(secret))
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 || !known {
		w.Header().Set("WWW-Authenticate", `Bearer realm="motion"`)
		fail(http.StatusUnauthorized, "The client id or secret is wrong.")
		return
	}
	now := time.Now()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(map[string]string{
		"accessToken": c.issue(id, now),
		"tokenType":   "BearerToken",
		"expiresIn":   strconv.Itoa(int(c.ttl/time.Second) - 1),
		"scope":       "",
		"issuedAt":    strconv.FormatInt(now.UnixMilli(), 10),
	})
}
