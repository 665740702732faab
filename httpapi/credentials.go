package httpapi

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
)

// Credentials authenticates clients by access tokens, and is the HTTP endpoint that issues the tokens for a client ID
// and secret. Mount it at /oauth/v1/accesstokens and, for older clients, at /v1/oauth/accesstokens, both outside the API, and
// give it to Options.Tokens for generated clients.
//
// Tokens contain the client and the expiry time, signed with HMAC-SHA256, so that every process with the same keys
// and clients accepts them, also after a restart; changing a client's secret revokes its tokens.
type Credentials struct {
	keys    [][]byte
	secrets map[string][32]byte // SHA-256 of the secret, by client id
	ttl     time.Duration
}

// NewCredentials returns the Credentials of clients, given their secrets by client ID. There must be at least one
// client, and no ID or secret may be empty. Tokens are valid for ttl; 0 means 24 hours. The first key signs, all are
// accepted; each has at least 16 bytes. The default is a random key, so tokens become invalid when the process ends.
func NewCredentials(secrets map[string]string, ttl time.Duration, keys ...[]byte) (*Credentials, error) {
	if len(secrets) == 0 {
		return nil, errors.New("httpapi: no client is given")
	}
	if err := longEnough("key of tokens", keys); err != nil {
		return nil, err
	}
	ttl = cmp.Or(max(ttl, 0), 24*time.Hour)
	if keys == nil {
		keys = randomKey()
	}
	c := &Credentials{keys: keys, secrets: map[string][32]byte{}, ttl: ttl}
	for id, secret := range secrets {
		if id == "" || secret == "" {
			return nil, errors.New("httpapi: a client id or secret is empty")
		}
		c.secrets[id] = sha256.Sum256([]byte(secret))
	}
	return c, nil
}

// Authenticate is an Authenticator. It reads the token from the header "Authorization: Bearer".
func (c *Credentials) Authenticate(r *http.Request) (Identity, error) {
	return c.signed(wire.Bearer(r), time.Now())
}

// ServeHTTP implements the token endpoint. It accepts a POST of {"grantType": "client_credentials", "clientId": …, "clientSecret": …}.
func (c *Credentials) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var p wire.Problem
	if err := c.token(w, r); errors.As(err, &p) {
		p.Instance = wire.Address(r)
		wire.Write(w, p)
	}
}

// token answers with a new token, or returns a problem.
func (c *Credentials) token(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		return wire.Refuse(http.StatusMethodNotAllowed, "Use POST to obtain a token.")
	}
	if bad := unknownQuery(r, nil); bad != nil {
		return wire.Problem{Status: http.StatusBadRequest, Detail: "The token request is invalid.", Errors: bad}
	}
	body, err := readJSON(w, r, 64<<10, 30*time.Second, nil)
	if err != nil {
		return err
	}
	doc, err := strictjson.Parse(body)
	if err != nil {
		return wire.Problem{Status: http.StatusBadRequest, Detail: "The body is not JSON.", Errors: wire.Mistakes("", err)}
	}
	var id, secret string
	if v := doc.Root(); v.Require("an object") && v.Known("grantType", "clientId", "clientSecret", "scope") {
		v.Get("grantType").Require(`"client_credentials"`)
		v.Get("grantType").OneOf("client_credentials")
		v.Get("clientId").Require("the client id")
		id, _ = v.Get("clientId").Text()
		v.Get("clientSecret").Require("the client secret")
		secret, _ = v.Get("clientSecret").Text()
	}
	if err := doc.Err(); err != nil {
		return wire.Problem{Status: http.StatusBadRequest, Detail: "The token request is invalid.", Errors: wire.Mistakes("", err)}
	}
	want, known := c.secrets[id]
	got := sha256.Sum256([]byte(secret))
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 || !known {
		w.Header().Set("WWW-Authenticate", `Bearer realm="motion"`)
		return wire.Refuse(http.StatusUnauthorized, "The client id or secret is wrong.")
	}
	now := time.Now()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	return json.NewEncoder(w).Encode(map[string]string{
		"accessToken": c.sign(id, now.Add(c.ttl)),
		"tokenType":   "BearerToken",
		"expiresIn":   strconv.Itoa(int(c.ttl/time.Second) - 1),
		"scope":       "",
		"issuedAt":    strconv.FormatInt(now.UnixMilli(), 10),
	})
}

// sign returns a token: the expiry time in Unix seconds, the client, and their MAC.
func (c *Credentials) sign(client string, end time.Time) string {
	content := append(binary.BigEndian.AppendUint64(nil, uint64(end.Unix())), client...)
	e := base64.RawURLEncoding
	return e.EncodeToString(content) + "." + e.EncodeToString(c.mac(c.keys[0], client, content))
}

func (c *Credentials) mac(key []byte, client string, content []byte) []byte {
	h := hmac.New(sha256.New, key)
	secret := c.secrets[client]
	h.Write([]byte("motion token\x00"))
	h.Write(secret[:])
	h.Write(content)
	return h.Sum(nil)
}

func (c *Credentials) signed(token string, now time.Time) (Identity, error) {
	first, second, ok := strings.Cut(token, ".")
	content, err1 := base64.RawURLEncoding.Strict().DecodeString(first)
	mac, err2 := base64.RawURLEncoding.Strict().DecodeString(second)
	if !ok || err1 != nil || err2 != nil || len(content) < 8 {
		return Identity{}, ErrUnauthenticated
	}
	client := string(content[8:])
	if _, known := c.secrets[client]; !known || now.Unix() >= int64(binary.BigEndian.Uint64(content)) {
		return Identity{}, ErrUnauthenticated
	}
	for _, k := range c.keys {
		if hmac.Equal(mac, c.mac(k, client, content)) {
			return Identity{Client: client}, nil
		}
	}
	return Identity{}, ErrUnauthenticated
}
