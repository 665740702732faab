// Package jwtauth authenticates API clients by signed access tokens (JWT, RFC 9068) of an external issuer:
//
//	auth, err := jwtauth.New(jwtauth.Options{
//		Issuer: "https://id.example.com/", Audience: "https://example.com/anymotion",
//		KeysURL: "https://id.example.com/.well-known/jwks.json",
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: auth})
//
// It accepts RSA, ECDSA and Ed25519 signatures, so no secret is shared with the issuer.
package jwtauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// Options configures an Authenticator. Issuer, Audience and either Keys or KeysURL are required; all other fields are optional.
type Options struct {
	Issuer   string // the required value of the claim iss
	Audience string // the required value, or one of the values, of the claim aud

	// Keys is a fixed JSON Web Key Set (RFC 7517) to verify signatures with. Keys of unknown types, and keys
	// that are not for signatures, are skipped; one must remain.
	Keys []byte
	// KeysURL is the address of the issuer's JSON Web Key Set, https except for loopback addresses. The keys are fetched with the
	// first token, when they are an hour old, and when a token names an unknown key, but at most once a minute.
	KeysURL string
	Client  *http.Client // fetches KeysURL; nil means a client with a timeout of 10 s

	ClientClaim string // the claim that names the client, which owns the records; "" means "sub"
	// ReadScope and WriteScope are scopes in the claim scope or scp, of which a token needs one: ReadScope
	// allows reading, WriteScope everything. "" means "read" and "write".
	ReadScope, WriteScope string
	IgnoreScopes          bool // allows everything with every valid token

	Leeway time.Duration // the tolerated clock difference; 0 means 30 s
}

// verifier authenticates requests by their tokens.
type verifier struct {
	opt    Options
	keys   func(ctx context.Context, id string) (*keySet, error)
	parser *jwt.Parser
}

// maxToken is the maximum length of a token in bytes.
const maxToken = 16 << 10

// methods are the accepted signature algorithms. All are asymmetric, so that a public key cannot sign.
var methods = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// New returns an Authenticator, which reads the token from the header "Authorization: Bearer". It does not fetch keys yet.
func New(opt Options) (httpapi.Authenticator, error) {
	switch {
	case opt.Issuer == "":
		return nil, errors.New("jwtauth: Options.Issuer is missing")
	case opt.Audience == "":
		return nil, errors.New("jwtauth: Options.Audience is missing")
	case (opt.Keys == nil) == (opt.KeysURL == ""):
		return nil, errors.New("jwtauth: want either Options.Keys or Options.KeysURL")
	}
	opt.ClientClaim = cmp.Or(opt.ClientClaim, "sub")
	opt.ReadScope, opt.WriteScope = cmp.Or(opt.ReadScope, "read"), cmp.Or(opt.WriteScope, "write")
	opt.Leeway = cmp.Or(max(opt.Leeway, 0), 30*time.Second)
	v := &verifier{opt: opt, parser: jwt.NewParser(
		jwt.WithValidMethods(methods), jwt.WithIssuer(opt.Issuer), jwt.WithAudience(opt.Audience),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(opt.Leeway), jwt.WithStrictDecoding(),
	)}
	if opt.KeysURL != "" {
		remote, err := newRemote(opt.KeysURL, opt.Client)
		if err != nil {
			return nil, err
		}
		v.keys = remote.keys
		return v.authenticate, nil
	}
	set, err := parseKeySet(opt.Keys)
	if err != nil {
		return nil, err
	}
	v.keys = func(context.Context, string) (*keySet, error) { return set, nil }
	return v.authenticate, nil
}

// errKeys marks errors of fetching keys, which are not the client's fault.
type errKeys struct{ error }

func (e errKeys) Unwrap() error { return e.error }

func (v *verifier) authenticate(r *http.Request) (httpapi.Identity, error) {
	text := wire.Bearer(r)
	if text == "" || len(text) > maxToken {
		return httpapi.Identity{}, httpapi.ErrUnauthenticated
	}
	claims := jwt.MapClaims{}
	_, err := v.parser.ParseWithClaims(text, claims, func(t *jwt.Token) (any, error) { return v.key(r.Context(), t) })
	var fault errKeys
	switch {
	case errors.As(err, &fault):
		return httpapi.Identity{}, fault.error
	case err != nil:
		return httpapi.Identity{}, fmt.Errorf("%w: %w", httpapi.ErrUnauthenticated, err)
	}
	client, _ := claims[v.opt.ClientClaim].(string)
	if client == "" {
		return httpapi.Identity{}, fmt.Errorf("%w: the claim %s is missing", httpapi.ErrUnauthenticated, v.opt.ClientClaim)
	}
	id := httpapi.Identity{Client: client}
	if v.opt.IgnoreScopes {
		return id, nil
	}
	scopes := append(words(claims["scope"]), words(claims["scp"])...)
	if !slices.Contains(scopes, v.opt.WriteScope) {
		if !slices.Contains(scopes, v.opt.ReadScope) {
			return httpapi.Identity{}, httpapi.ErrForbidden
		}
		id.ReadOnly = true
	}
	return id, nil
}

// key returns the key named in a token's header.
func (v *verifier) key(ctx context.Context, t *jwt.Token) (any, error) {
	if _, ok := t.Header["crit"]; ok {
		return nil, errors.New("the token has unknown critical extensions")
	}
	set, err := v.keys(ctx, keyID(t))
	if err != nil {
		return nil, errKeys{err}
	}
	return set.find(ctx, t)
}

// words returns the scopes of a claim, which is a space-separated string or an array.
func words(claim any) []string {
	switch c := claim.(type) {
	case string:
		return strings.Fields(c)
	case []any:
		var all []string
		for _, x := range c {
			if s, ok := x.(string); ok {
				all = append(all, s)
			}
		}
		return all
	}
	return nil
}
