package jwtauth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion/httpapi/jwtauth"
)

func TestBadKeySets(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":        `{`,
		"empty":           `{"keys":[]}`,
		"for encryption":  `{"keys":[{"kty":"OKP","use":"enc","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`,
		"secret":          `{"keys":[{"kty":"oct","k":"AAAA"}]}`,
		"short RSA":       `{"keys":[{"kty":"RSA","n":"` + strings.Repeat("_", 170) + `","e":"AQAB"}]}`,
		"huge RSA":        `{"keys":[{"kty":"RSA","n":"` + strings.Repeat("_", 4000) + `","e":"AQAB"}]}`,
		"exponent 1":      `{"keys":[{"kty":"RSA","n":"` + strings.Repeat("_", 342) + `","e":"AQ"}]}`,
		"exponent 4":      `{"keys":[{"kty":"RSA","n":"` + strings.Repeat("_", 342) + `","e":"BA"}]}`,
		"exponent is odd": `{"keys":[{"kty":"RSA","n":"` + strings.Repeat("_", 342) + `","e":"____________"}]}`,
		"not on a curve":  `{"keys":[{"kty":"EC","crv":"P-256","x":"` + strings.Repeat("A", 43) + `","y":"` + strings.Repeat("A", 43) + `"}]}`,
		"infinity":        `{"keys":[{"kty":"EC","crv":"P-256","x":"","y":""}]}`,
		"other algorithm": `{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"ES256","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`,
		"short point":     `{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`,
		"short Ed25519":   `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}`,
		"too many":        `{"keys":[` + strings.Repeat(`{},`, 100) + `{}]}`,
	} {
		if withKeys([]byte(text)) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// What is not known here does not make the rest useless.
	text := `{"keys":[{"kty":"oct"},{"kty":"EC","crv":"secp256k1"},{"kty":"OKP","crv":"X25519"},{"kty":"oct","crv":"P-256"},{"kty":"EC","crv":"Ed25519"},{"kty":"OKP","alg":"Ed25519","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`
	if err := withKeys([]byte(text)); err != nil {
		t.Error(err)
	}
}

// withKeys returns the error of New with a key set.
func withKeys(text []byte) error {
	_, err := jwtauth.New(jwtauth.Options{Issuer: issuer, Audience: audience, Keys: text})
	return err
}

func FuzzParseKeySet(f *testing.F) {
	f.Add(keySet(f, "rsa", "ec", "ed"))
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		auth, err := jwtauth.New(jwtauth.Options{Issuer: issuer, Audience: audience, Keys: append([]byte{}, data...)})
		if (auth == nil) == (err == nil) {
			t.Fatalf("%v, %v", auth == nil, err)
		}
	})
}

func FuzzAuthenticate(f *testing.F) {
	v := verifier(f, nil)
	f.Add("Bearer abc.def.ghi")
	f.Add("Bearer eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, header string) {
		r := request("x")
		r.Header["Authorization"] = []string{header}
		if id, err := v(r); err == nil {
			t.Fatal(fmt.Sprint("accepted as ", id))
		}
	})
}
