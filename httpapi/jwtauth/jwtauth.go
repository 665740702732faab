// Package jwtauth authenticates clients of the API by signed tokens (JWT, RFC 9068) that
// somebody else has issued:
//
//	auth, err := jwtauth.New(jwtauth.Options{
//		Issuer: "https://id.example.com/", Audience: "https://example.com/anymotion",
//		KeysURL: "https://id.example.com/.well-known/jwks.json",
//	})
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: auth})
//
// Signatures are RSA, ECDSA or Ed25519: no secret is shared with the issuer.
package jwtauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bodymotion/motion/httpapi"
)

// Options say which tokens are good. Issuer, Audience and one of Keys and KeysURL are
// required.
type Options struct {
	// Issuer is what the claim iss must be.
	Issuer string
	// Audience is what the claim aud must be, or contain.
	Audience string

	// Keys verify the signatures, where they are known beforehand.
	Keys *KeySet
	// KeysURL is where the issuer has its keys, a JSON Web Key Set. It is asked when a
	// token comes, again every hour, and when a token names an unknown key, but not twice
	// a minute. It has to be https, but for this machine itself.
	KeysURL string
	// Client asks KeysURL; default one that gives up after 10 s.
	Client *http.Client

	// ClientClaim is the claim that names the client, the owner of the records; default
	// "sub".
	ClientClaim string
	// ReadScope and WriteScope are the scopes, in the claim scope or scp, of which a token
	// needs one: the first allows reading, the second everything. Default "read" and
	// "write".
	ReadScope, WriteScope string
	// IgnoreScopes lets every good token do everything.
	IgnoreScopes bool

	// Leeway is how far the clocks may be apart; default 30 s.
	Leeway time.Duration
}

// Verifier authenticates requests by their tokens. It is safe for many requests at once.
type Verifier struct {
	opt    Options
	keys   func(ctx context.Context, id string) (*KeySet, error)
	parser *jwt.Parser
}

var _ httpapi.Authenticator = (*Verifier)(nil)

// maxToken is how long a token may be, in bytes.
const maxToken = 16 << 10

// methods are the signatures that are accepted: none that a public key could make.
var methods = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// New returns a Verifier. It asks for no keys yet.
func New(opt Options) (*Verifier, error) {
	switch {
	case opt.Issuer == "":
		return nil, errors.New("jwtauth: Options.Issuer is missing")
	case opt.Audience == "":
		return nil, errors.New("jwtauth: Options.Audience is missing")
	case (opt.Keys == nil) == (opt.KeysURL == ""):
		return nil, errors.New("jwtauth: want one of Options.Keys and Options.KeysURL")
	}
	for _, f := range []struct {
		to  *string
		def string
	}{{&opt.ClientClaim, "sub"}, {&opt.ReadScope, "read"}, {&opt.WriteScope, "write"}} {
		if *f.to == "" {
			*f.to = f.def
		}
	}
	if opt.Leeway <= 0 {
		opt.Leeway = 30 * time.Second
	}
	v := &Verifier{opt: opt, parser: jwt.NewParser(
		jwt.WithValidMethods(methods), jwt.WithIssuer(opt.Issuer), jwt.WithAudience(opt.Audience),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(opt.Leeway), jwt.WithStrictDecoding(),
	)}
	v.keys = func(context.Context, string) (*KeySet, error) { return opt.Keys, nil }
	if opt.KeysURL != "" {
		remote, err := newRemote(opt.KeysURL, opt.Client)
		if err != nil {
			return nil, err
		}
		v.keys = remote.keys
	}
	return v, nil
}

// errKeys marks the errors of getting keys, which are not the client's fault.
type errKeys struct{ error }

func (e errKeys) Unwrap() error { return e.error }

// Authenticate implements httpapi.Authenticator: the header Authorization must be "Bearer"
// and a token.
func (v *Verifier) Authenticate(r *http.Request) (httpapi.Identity, error) {
	scheme, text, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if text = strings.TrimSpace(text); !ok || !strings.EqualFold(scheme, "Bearer") || text == "" || len(text) > maxToken {
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

// key returns the key that a token's header names.
func (v *Verifier) key(ctx context.Context, t *jwt.Token) (any, error) {
	if _, ok := t.Header["crit"]; ok {
		return nil, errors.New("the token has extensions that are not known here")
	}
	id, _ := t.Header["kid"].(string)
	set, err := v.keys(ctx, id)
	if err != nil {
		return nil, errKeys{err}
	}
	return set.find(id, t.Method.Alg())
}

// words returns the scopes of a claim: words with spaces between, or an array.
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
