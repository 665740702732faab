package httpapi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// SignTokens makes c issue signed tokens instead of keeping them in memory. They contain the
// client and the expiry time, signed with HMAC-SHA256, so every process with the same keys
// and clients accepts them, also after a restart. The first key signs, all are accepted;
// each has at least 16 bytes. Changing a client's secret revokes its tokens.
//
// Call SignTokens before the first token is issued.
func (c *Credentials) SignTokens(keys ...[]byte) error {
	if len(keys) == 0 {
		return errors.New("httpapi: no key for tokens")
	}
	for i, k := range keys {
		if len(k) < 16 {
			return fmt.Errorf("httpapi: key %d for tokens has %d bytes, want at least 16", i, len(k))
		}
	}
	c.keys = nil
	for _, k := range keys {
		c.keys = append(c.keys, bytes.Clone(k))
	}
	return nil
}

// sign returns a token: the expiry time in Unix seconds, the client, and their MAC.
func (c *Credentials) sign(key []byte, client string, end time.Time) string {
	content := append(binary.BigEndian.AppendUint64(nil, uint64(end.Unix())), client...)
	e := base64.RawURLEncoding
	return e.EncodeToString(content) + "." + e.EncodeToString(c.mac(key, client, content))
}

func (c *Credentials) mac(key []byte, client string, content []byte) []byte {
	h := hmac.New(sha256.New, key)
	secret := c.secrets[client]
	h.Write([]byte("motion token\x00"))
	h.Write(secret[:])
	h.Write(content)
	return h.Sum(nil)
}

// signed returns the client of a signed token.
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
