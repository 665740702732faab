package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A link is the URL of a file that needs no access token. It is signed for one method, file and client, and expires.

func sign(key []byte, method, file, client string, expires int64) []byte {
	mac := hmac.New(sha256.New, key)
	// Only the client, which comes last, may contain line breaks.
	mac.Write([]byte(strings.Join([]string{method, file, strconv.FormatInt(expires, 10), client}, "\n")))
	return mac.Sum(nil)
}

// link returns the signed URL of a file for the authenticated client. It lives for at least LinkTTL.
func link(c *call, method, file string) string {
	return linkUntil(c, method, file, time.Now().Add(c.opt.LinkTTL+time.Second-1).Unix())
}

// linkUntil returns the signed URL of a file that expires at a Unix time.
func linkUntil(c *call, method, file string, expires int64) string {
	q := url.Values{
		"client":    {base64.RawURLEncoding.EncodeToString([]byte(c.client))},
		"expires":   {strconv.FormatInt(expires, 10)},
		"signature": {base64.RawURLEncoding.EncodeToString(sign(c.opt.LinkKeys[0], method, file, c.client, expires))},
	}
	u := c.public("/files/" + file)
	u.RawQuery = q.Encode()
	return u.String()
}

func verify(c *call, method, file string) (l signedLink, ok bool) {
	q := c.query
	name, err1 := base64.RawURLEncoding.DecodeString(q.Get("client"))
	expires, err2 := strconv.ParseInt(q.Get("expires"), 10, 64)
	signature, err3 := base64.RawURLEncoding.DecodeString(q.Get("signature"))
	if err1 != nil || err2 != nil || err3 != nil || len(name) == 0 {
		return l, false
	}
	for _, key := range c.opt.LinkKeys {
		if hmac.Equal(signature, sign(key, method, file, string(name), expires)) {
			return signedLink{string(name), string(signature), time.Unix(expires, 0)}, true
		}
	}
	return l, false
}

// signedLink is a link whose signature is valid.
type signedLink struct {
	client    string
	signature string // of all spellings of the same link
	expires   time.Time
}

const (
	maxUses  = 20 // uploads with one link
	maxLinks = 20_000
)
