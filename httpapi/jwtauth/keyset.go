package jwtauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// keySet is a set of public keys for signatures.
type keySet struct {
	keys keyfunc.Keyfunc
	ids  []string // of all keys
}

const (
	maxKeys        = 100        // in a set
	minRSA, maxRSA = 2048, 8192 // bits of an RSA key
)

// parseKeySet reads a JSON Web Key Set.
func parseKeySet(data []byte) (*keySet, error) {
	var doc jwkset.JWKSMarshal
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("jwtauth: key set: %w", err)
	}
	if len(doc.Keys) > maxKeys {
		return nil, fmt.Errorf("jwtauth: the key set has %d keys, want at most %d", len(doc.Keys), maxKeys)
	}
	set := new(keySet)
	store := jwkset.NewMemoryStorage()
	for i, m := range doc.Keys {
		k, err := parseKey(m)
		if err == nil {
			err = store.KeyWrite(context.Background(), k)
		}
		switch {
		case errors.Is(err, jwkset.ErrUnsupportedKey):
			continue
		case err != nil:
			return nil, fmt.Errorf("jwtauth: key %d of the set: %w", i, err)
		}
		set.ids = append(set.ids, m.KID)
	}
	if len(set.ids) == 0 {
		return nil, errors.New("jwtauth: the key set has no key for signatures")
	}
	keys, err := keyfunc.New(keyfunc.Options{Storage: store})
	set.keys = keys
	return set, err
}

// algorithms are the signature algorithms of the curves, of which each is for one.
var algorithms = map[jwkset.CRV]jwkset.ALG{
	jwkset.CrvP256: jwkset.AlgES256, jwkset.CrvP384: jwkset.AlgES384, jwkset.CrvP521: jwkset.AlgES512, jwkset.CrvEd25519: jwkset.AlgEdDSA,
}

// parseKey reads a public key. Of those that are not for signatures known here, the error is jwkset.ErrUnsupportedKey.
func parseKey(m jwkset.JWKMarshal) (k jwkset.JWK, err error) {
	if m.USE != "" && m.USE != jwkset.UseSig {
		return k, jwkset.ErrUnsupportedKey
	}
	switch algorithm, known := algorithms[m.CRV]; {
	case m.KTY == jwkset.KtyRSA:
		m.CRV = ""
	case !known, m.KTY != jwkset.KtyEC && m.CRV != jwkset.CrvEd25519, m.KTY != jwkset.KtyOKP && m.CRV == jwkset.CrvEd25519:
		return k, jwkset.ErrUnsupportedKey
	case m.ALG == "", m.ALG == "Ed25519" && m.CRV == jwkset.CrvEd25519: // RFC 9864
		m.ALG = algorithm
	case m.ALG != algorithm:
		return k, jwkset.ErrUnsupportedKey
	}
	// Certificates are not asked for, and permitted uses are those of use.
	public := jwkset.JWKMarshal{KTY: m.KTY, USE: m.USE, ALG: m.ALG, KID: m.KID, CRV: m.CRV, X: m.X, Y: m.Y, N: m.N, E: m.E}
	if k, err = jwkset.NewJWKFromMarshal(public, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{}); err != nil {
		return k, err
	}
	switch p := k.Key().(type) {
	case *rsa.PublicKey:
		if bits := p.N.BitLen(); bits < minRSA || bits > maxRSA {
			return k, fmt.Errorf("an RSA key of %d bits, want %d to %d", bits, minRSA, maxRSA)
		}
		if p.E < 3 || p.E%2 == 0 {
			return k, errors.New("e is not a valid exponent")
		}
	case *ecdsa.PublicKey:
		_, err = p.ECDH() // the point is on the curve, and not at infinity
	}
	return k, err
}

// has reports whether there is a key with an ID, which is optional if there is no choice.
func (s *keySet) has(id string) bool {
	return s != nil && (id != "" && slices.Contains(s.ids, id) || id == "" && len(s.ids) == 1)
}

// find returns the key of a token.
func (s *keySet) find(ctx context.Context, t *jwt.Token) (any, error) {
	id := keyID(t)
	if !s.has(id) {
		return nil, fmt.Errorf("unknown key %q", id)
	}
	if id == "" {
		t.Header[jwkset.HeaderKID] = s.ids[0]
	}
	return s.keys.KeyfuncCtx(ctx)(t)
}

// keyID returns the ID of the key in a token's header; "" if there is none.
func keyID(t *jwt.Token) string {
	id, _ := t.Header[jwkset.HeaderKID].(string)
	return id
}
