package jwtauth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/jwtauth"
)

const issuer, audience = "https://id.test/", "https://motion.test/v1"

// issuerKeys are the keys of the issuer, made once.
var issuerKeys = sync.OnceValue(func() map[string]crypto.Signer {
	r, err1 := rsa.GenerateKey(rand.Reader, 2048)
	e, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, ed, err3 := ed25519.GenerateKey(rand.Reader)
	if err := errors.Join(err1, err2, err3); err != nil {
		panic(err)
	}
	return map[string]crypto.Signer{"rsa": r, "ec": e, "ed": ed}
})

// keySet is the key set of the issuer as JSON.
func keySet(t testing.TB, ids ...string) []byte {
	t.Helper()
	b64 := base64.RawURLEncoding.EncodeToString
	var keys []map[string]string
	for _, id := range ids {
		switch k := issuerKeys()[id].(type) {
		case *rsa.PrivateKey:
			keys = append(keys, map[string]string{"kty": "RSA", "kid": id, "use": "sig", "n": b64(k.N.Bytes()), "e": b64(big.NewInt(int64(k.E)).Bytes())})
		case *ecdsa.PrivateKey:
			point, err := k.PublicKey.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, map[string]string{"kty": "EC", "kid": id, "alg": "ES256", "crv": "P-256", "x": b64(point[1:33]), "y": b64(point[33:])})
		case ed25519.PrivateKey:
			keys = append(keys, map[string]string{"kty": "OKP", "kid": id, "crv": "Ed25519", "x": b64(k.Public().(ed25519.PublicKey))})
		}
	}
	b, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// claims are good ones, changed.
func claims(change map[string]any) jwt.MapClaims {
	c := jwt.MapClaims{
		"iss": issuer, "aud": audience, "sub": "alice", "scope": "openid write",
		"exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
	}
	for k, v := range change {
		if c[k] = v; v == nil {
			delete(c, k)
		}
	}
	return c
}

func token(t testing.TB, method jwt.SigningMethod, id string, key any, c jwt.MapClaims, header ...string) string {
	t.Helper()
	tok := jwt.NewWithClaims(method, c)
	if id != "" {
		tok.Header["kid"] = id
	}
	for i := 0; i+1 < len(header); i += 2 {
		tok.Header[header[i]] = header[i+1]
	}
	s, err := tok.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func request(authorization string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	return r
}

func verifier(t testing.TB, change func(*jwtauth.Options)) httpapi.Authenticator {
	t.Helper()
	opt := jwtauth.Options{Issuer: issuer, Audience: audience, Keys: keySet(t, "rsa", "ec", "ed")}
	if change != nil {
		change(&opt)
	}
	v, err := jwtauth.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGoodTokens(t *testing.T) {
	v := verifier(t, nil)
	keys := issuerKeys()
	for name, c := range map[string]struct {
		text string
		want httpapi.Identity
	}{
		"RSA":            {token(t, jwt.SigningMethodRS256, "rsa", keys["rsa"], claims(nil)), httpapi.Identity{Client: "alice"}},
		"RSA-PSS":        {token(t, jwt.SigningMethodPS512, "rsa", keys["rsa"], claims(nil)), httpapi.Identity{Client: "alice"}},
		"ECDSA":          {token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(nil)), httpapi.Identity{Client: "alice"}},
		"Ed25519":        {token(t, jwt.SigningMethodEdDSA, "ed", keys["ed"], claims(nil)), httpapi.Identity{Client: "alice"}},
		"read only":      {token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"scope": "read"})), httpapi.Identity{Client: "alice", ReadOnly: true}},
		"scp":            {token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"scope": nil, "scp": []string{"a", "write"}})), httpapi.Identity{Client: "alice"}},
		"many audiences": {token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"aud": []string{"a", audience}})), httpapi.Identity{Client: "alice"}},
		"clocks apart":   {token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"exp": time.Now().Add(-10 * time.Second).Unix()})), httpapi.Identity{Client: "alice"}},
	} {
		if got, err := v(request("Bearer " + c.text)); err != nil || got != c.want {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, c.want)
		}
	}
}

func TestBadTokens(t *testing.T) {
	v := verifier(t, nil)
	keys := issuerKeys()
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(keys["rsa"].Public())
	if err != nil {
		t.Fatal(err)
	}
	good := token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(nil))
	parts := strings.Split(good, ".")
	with := func(change map[string]any) string {
		return token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(change))
	}
	other, err := json.Marshal(claims(map[string]any{"sub": "bob"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, authorization := range map[string]string{
		"none":                     "",
		"other scheme":             "Basic " + good,
		"no token":                 "Bearer ",
		"no JWT":                   "Bearer abc",
		"too long":                 "Bearer " + token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"x": strings.Repeat("x", 16<<10)})),
		"alg none":                 "Bearer " + token(t, jwt.SigningMethodNone, "ec", jwt.UnsafeAllowNoneSignatureType, claims(nil)),
		"no signature":             "Bearer " + parts[0] + "." + parts[1] + ".",
		"the public key as secret": "Bearer " + token(t, jwt.SigningMethodHS256, "rsa", public, claims(nil)),
		"somebody else's key":      "Bearer " + token(t, jwt.SigningMethodES256, "ec", stranger, claims(nil)),
		"key of another kind":      "Bearer " + token(t, jwt.SigningMethodES256, "rsa", keys["ec"], claims(nil)),
		"unknown key":              "Bearer " + token(t, jwt.SigningMethodES256, "new", keys["ec"], claims(nil)),
		"no key named":             "Bearer " + token(t, jwt.SigningMethodES256, "", keys["ec"], claims(nil)),
		"other claims":             "Bearer " + parts[0] + "." + base64.RawURLEncoding.EncodeToString(other) + "." + parts[2],
		"extensions":               "Bearer " + token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(nil), "crit", "b64"),
		"expired":                  "Bearer " + with(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}),
		"never expires":            "Bearer " + with(map[string]any{"exp": nil}),
		"not yet":                  "Bearer " + with(map[string]any{"nbf": time.Now().Add(time.Minute).Unix()}),
		"issued later":             "Bearer " + with(map[string]any{"iat": time.Now().Add(time.Minute).Unix()}),
		"another issuer":           "Bearer " + with(map[string]any{"iss": "https://evil.test/"}),
		"no issuer":                "Bearer " + with(map[string]any{"iss": nil}),
		"for somebody else":        "Bearer " + with(map[string]any{"aud": "https://other.test"}),
		"no audience":              "Bearer " + with(map[string]any{"aud": nil}),
		"no client":                "Bearer " + with(map[string]any{"sub": nil}),
		"client is no text":        "Bearer " + with(map[string]any{"sub": 7}),
	} {
		if id, err := v(request(authorization)); !errors.Is(err, httpapi.ErrUnauthenticated) || id != (httpapi.Identity{}) {
			t.Errorf("%s: %+v (%v)", name, id, err)
		}
	}
	for _, scope := range []any{nil, "", "openid", "writer", 7} {
		if _, err := v(request("Bearer " + with(map[string]any{"scope": scope}))); !errors.Is(err, httpapi.ErrForbidden) {
			t.Errorf("scope %v: %v", scope, err)
		}
	}
}

func TestOptions(t *testing.T) {
	keys := issuerKeys()
	v := verifier(t, func(o *jwtauth.Options) { o.ClientClaim = "azp"; o.ReadScope = "r"; o.WriteScope = "w" })
	text := token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"azp": "an app", "scope": "r"}))
	if id, err := v(request("bearer " + text)); err != nil || id != (httpapi.Identity{Client: "an app", ReadOnly: true}) {
		t.Errorf("%+v (%v)", id, err)
	}
	v = verifier(t, func(o *jwtauth.Options) { o.IgnoreScopes = true })
	text = token(t, jwt.SigningMethodES256, "ec", keys["ec"], claims(map[string]any{"scope": nil}))
	if id, err := v(request("Bearer " + text)); err != nil || id.ReadOnly {
		t.Errorf("%+v (%v)", id, err)
	}
	set := keySet(t, "ec")
	v = verifier(t, func(o *jwtauth.Options) { o.Keys = set }) // a single key need not be named
	if _, err := v(request("Bearer " + token(t, jwt.SigningMethodES256, "", keys["ec"], claims(nil)))); err != nil {
		t.Error(err)
	}
	for name, opt := range map[string]jwtauth.Options{
		"Issuer":       {Audience: "a", Keys: set},
		"Audience":     {Issuer: "i", Keys: set},
		"Keys":         {Issuer: "i", Audience: "a"},
		"Keys and URL": {Issuer: "i", Audience: "a", Keys: set, KeysURL: "https://id.test"},
		"http":         {Issuer: "i", Audience: "a", KeysURL: "http://id.test"},
		"no URL":       {Issuer: "i", Audience: "a", KeysURL: "::"},
		"no host":      {Issuer: "i", Audience: "a", KeysURL: "https:///x"},
	} {
		if _, err := jwtauth.New(opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
