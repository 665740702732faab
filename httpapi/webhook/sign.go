package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const secretPrefix = "whsec_"

// NewSecret returns a random secret of 32 bytes, encoded as Endpoint.Secrets requires.
func NewSecret() string {
	var raw [32]byte
	rand.Read(raw[:])
	return secretPrefix + base64.StdEncoding.EncodeToString(raw[:])
}

func parseSecret(s string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, secretPrefix))
	if err != nil || len(key) < 24 || len(key) > 64 {
		return nil, errors.New("a secret has to be whsec_ and the base64 of 24 to 64 bytes")
	}
	return key, nil
}

// mac is the signature of a request by one key.
func mac(key []byte, id, timestamp string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	io.WriteString(h, id+"."+timestamp+".")
	h.Write(body)
	return h.Sum(nil)
}

// sign returns the header webhook-signature.
func sign(secrets []string, id, timestamp string, body []byte) (string, error) {
	if len(secrets) == 0 {
		return "", errors.New("it has no secret")
	}
	var all []string
	for _, s := range secrets {
		key, err := parseSecret(s)
		if err != nil {
			return "", err
		}
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac(key, id, timestamp, body)))
	}
	return strings.Join(all, " "), nil
}

// ErrSignature is the kind of Verify's errors.
var ErrSignature = errors.New("webhook: the request is not signed as it should be")

// tolerance is how far the time of a request may be from the clock of its receiver.
const tolerance = 5 * time.Minute

// Verify checks, for a receiver, that a request was signed with the secret less than five
// minutes ago. A receiver should also ignore a webhook-id that it has seen before.
func Verify(secret string, h http.Header, body []byte) error {
	key, err := parseSecret(secret)
	if err != nil {
		return err
	}
	timestamp := h.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: webhook-timestamp is no number", ErrSignature)
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return fmt.Errorf("%w: it is %v old", ErrSignature, age.Round(time.Second))
	}
	want := mac(key, h.Get("Webhook-Id"), timestamp, body)
	for s := range strings.FieldsSeq(h.Get("Webhook-Signature")) {
		text, ok := strings.CutPrefix(s, "v1,")
		got, err := base64.StdEncoding.DecodeString(text)
		if ok && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return fmt.Errorf("%w: no signature fits", ErrSignature)
}
