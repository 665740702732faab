package jwtauth_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bodymotion/motion/httpapi/jwtauth"
)

func Example() {
	public, private, err := ed25519.GenerateKey(nil) // the issuer's
	if err != nil {
		fmt.Println(err)
		return
	}
	keys := fmt.Appendf(nil, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","x":%q}]}`, base64.RawURLEncoding.EncodeToString(public))
	auth, err := jwtauth.New(jwtauth.Options{Issuer: "https://id.example.com/", Audience: "https://example.com/anymotion", Keys: keys})
	if err != nil {
		fmt.Println(err)
		return
	}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{
		"iss": "https://id.example.com/", "aud": "https://example.com/anymotion",
		"sub": "an app", "scope": "read", "exp": time.Now().Add(time.Hour).Unix(),
	})
	text, err := token.SignedString(private)
	if err != nil {
		fmt.Println(err)
		return
	}
	request := httptest.NewRequest("GET", "/movies/", nil)
	request.Header.Set("Authorization", "Bearer "+text)
	fmt.Println(auth(request))
	// Output:
	// {an app true} <nil>
}
