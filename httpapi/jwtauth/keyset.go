package jwtauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// keySet is a set of public keys.
type keySet []key

type key struct {
	id        string
	algorithm string // "" allows all of the key's type
	public    crypto.PublicKey
}

const (
	maxKeys        = 100        // in a set
	minRSA, maxRSA = 2048, 8192 // bits of an RSA key
)

// parseKeySet reads a JSON Web Key Set.
func parseKeySet(data []byte) (set keySet, err error) {
	var doc struct {
		Keys []jwk `json:"keys"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("jwtauth: key set: %w", err)
	}
	if len(doc.Keys) > maxKeys {
		return nil, fmt.Errorf("jwtauth: the key set has %d keys, want at most %d", len(doc.Keys), maxKeys)
	}
	for i, k := range doc.Keys {
		if k.Use != "" && k.Use != "sig" {
			continue
		}
		public, err := k.public()
		if err != nil {
			return nil, fmt.Errorf("jwtauth: key %d of the set: %w", i, err)
		}
		if public != nil {
			set = append(set, key{k.ID, k.Algorithm, public})
		}
	}
	if len(set) == 0 {
		return nil, errors.New("jwtauth: the key set has no key for signatures")
	}
	return set, nil
}

// jwk is a JSON Web Key.
type jwk struct {
	Type      string `json:"kty"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
	ID        string `json:"kid"`

	N, E  string // RSA
	Curve string `json:"crv"`
	X, Y  string // elliptic curves
}

// public returns the key, or nil if its type is unknown.
func (k jwk) public() (crypto.PublicKey, error) {
	decode := base64.RawURLEncoding.DecodeString
	switch k.Type {
	case "RSA":
		n, err1 := decode(k.N)
		e, err2 := decode(k.E)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("n or e: %w", err)
		}
		modulus, exponent := new(big.Int).SetBytes(n), new(big.Int).SetBytes(e)
		if bits := modulus.BitLen(); bits < minRSA || bits > maxRSA {
			return nil, fmt.Errorf("an RSA key of %d bits, want %d to %d", bits, minRSA, maxRSA)
		}
		if !exponent.IsInt64() || exponent.Int64() < 3 || exponent.Int64() > 1<<31-1 || exponent.Bit(0) == 0 {
			return nil, errors.New("e is not a valid exponent")
		}
		return &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}, nil
	case "EC":
		curve := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}[k.Curve]
		if curve == nil {
			return nil, nil
		}
		x, err1 := decode(k.X)
		y, err2 := decode(k.Y)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("x or y: %w", err)
		}
		size := (curve.Params().BitSize + 7) / 8
		if len(x) != size || len(y) != size {
			return nil, fmt.Errorf("a point of %d and %d bytes, want %d", len(x), len(y), size)
		}
		return ecdsa.ParseUncompressedPublicKey(curve, append(append([]byte{4}, x...), y...))
	case "OKP":
		if k.Curve != "Ed25519" {
			return nil, nil
		}
		x, err := decode(k.X)
		if err != nil || len(x) != ed25519.PublicKeySize {
			return nil, errors.New("x is not an Ed25519 key")
		}
		return ed25519.PublicKey(x), nil
	}
	return nil, nil
}

// byID returns the key with an ID, which is optional if there is no choice.
func (s keySet) byID(id string) (key, bool) {
	if id == "" && len(s) == 1 {
		return s[0], true
	}
	i := slices.IndexFunc(s, func(k key) bool { return k.id == id && id != "" })
	if i < 0 {
		return key{}, false
	}
	return s[i], true
}

// find returns the key with an ID if it is for the algorithm.
func (s keySet) find(id, algorithm string) (crypto.PublicKey, error) {
	k, ok := s.byID(id)
	if !ok {
		return nil, fmt.Errorf("unknown key %q", id)
	}
	fits := k.algorithm == "" || k.algorithm == algorithm || k.algorithm == "Ed25519" && algorithm == "EdDSA"
	switch p := k.public.(type) {
	case *rsa.PublicKey:
		fits = fits && (strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS"))
	case *ecdsa.PublicKey:
		fits = fits && algorithm == map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[p.Curve.Params().Name]
	case ed25519.PublicKey:
		fits = fits && algorithm == "EdDSA"
	}
	if !fits {
		return nil, fmt.Errorf("the key %q is not for %s", id, algorithm)
	}
	return k.public, nil
}
