package httpapi

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/catalog"
)

func upload(c *call, id int64, link signedLink) error {
	if err := c.drained(); err != nil {
		return err
	}
	if part := c.r.Header.Get("Content-Range"); part != "" {
		return wire.Refuse(http.StatusBadRequest, "The header Content-Range is %q: a file is put whole, not in parts. Nothing was stored.", part)
	}
	if c.uploads != nil {
		leave, ok := c.uploads.Enter(c.client)
		if !ok {
			return wire.Later(http.StatusTooManyRequests, "The client has %d uploads in progress; no more are allowed. Try again when one has ended.",
				c.uploads.Most)
		}
		defer leave()
	}
	if !c.uses.add(link, time.Now()) {
		return wire.Refuse(http.StatusForbidden, "The upload link was used %d times; register the file again.", maxUses)
	}
	if limit := c.service.Limits().UploadBytes; limit > 0 && c.r.ContentLength > limit {
		return wire.Refuse(http.StatusRequestEntityTooLarge, "The file has %d bytes; at most %d are allowed.", c.r.ContentLength, limit)
	}
	m, err := readMedia(c, c.kind, id)
	if err != nil {
		return err
	}
	sent, ok := catalog.ParseMD5(c.r.Header.Get("Content-MD5")) // both may be in base64 or hexadecimal
	registered, _ := catalog.ParseMD5(m.ContentMD5)
	if c.r.Header.Get("Content-MD5") != "" && !(ok && bytes.Equal(sent, registered)) {
		return wire.Refuse(http.StatusBadRequest, "The header Content-MD5 differs from the registered MD5; send the registered file, or register this one.")
	}
	body := &steady{control: http.NewResponseController(c.w), body: c.r.Body, idle: c.opt.Limits.IdleTimeout, least: c.opt.Limits.MinUploadRate}
	if err := setDeadline(body.control.SetWriteDeadline, time.Time{}); err != nil { // none during the upload
		return err
	}
	m, err = c.service.UploadMedia(c.r.Context(), c.client, c.kind, id, body)
	if c.w.extend() != nil {
		panic(http.ErrAbortHandler) // the connection is gone
	}
	switch {
	case errors.Is(body.err, errSlow) && err != nil:
		_ = body.control.SetReadDeadline(time.Now()) // the server does not wait for the rest
		return wire.Refuse(http.StatusBadRequest, "The upload was too slow: fewer than %d bytes a second arrived in a minute. "+
			"Nothing was stored. Send the file again over a faster connection.", c.opt.Limits.MinUploadRate)
	case body.err != nil && err != nil:
		return wire.Refuse(http.StatusBadRequest, "The upload was interrupted; nothing was stored. Send the file again.")
	case errors.Is(err, motion.ErrInvalid):
		return wire.Refuse(http.StatusBadRequest, "The MD5 of the file differs from the registered one; nothing was stored. "+
			"Send the registered file, or register this one.")
	case err != nil:
		return err
	}
	return c.answer(http.StatusOK, c.media(m, nil))
}

// add counts an upload with a link, and reports whether it is allowed.
func (u *uses) add(link signedLink, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.links) > 0 && (len(u.links) > maxLinks || !now.Before(u.links[0].expires)) {
		delete(u.count, u.links[0].signature)
		u.links = u.links[1:]
	}
	used := u.count[link.signature]
	if used == 0 {
		u.links = append(u.links, link)
	}
	u.count[link.signature] = min(used+1, maxUses)
	return used < maxUses
}

// getLimits answers with what the service accepts, so that clients can say before an upload what is too much.
func getLimits(c *call) error {
	l := c.service.Limits()
	return c.answer(http.StatusOK, map[string]any{"imagePixels": l.ImagePixels, "framePixels": l.FramePixels, "frames": l.Frames, "uploadBytes": l.UploadBytes})
}
