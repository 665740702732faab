package httpapi

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

const (
	defaultUploads    = 20   // at the same time, of a client
	defaultUploadRate = 1024 // bytes per second
	maxUses           = 20   // uploads with one link
	maxLinks          = 20_000
)

// upload stores the file of a movie or image.
func (c *call) upload(kind storage.Kind, id int64, link signedLink) {
	if c.uploads != nil {
		leave, ok := c.uploads.Enter(c.client)
		if !ok {
			c.w.Header().Set("Retry-After", "5")
			c.problem(problem{Status: http.StatusTooManyRequests, Detail: fmt.Sprintf("The client has %d uploads in progress; no more are allowed. Try again when one has ended.", c.uploads.Most)})
			return
		}
		defer leave()
	}
	if !c.uses.add(link, time.Now()) {
		c.problem(problem{Status: http.StatusForbidden, Detail: fmt.Sprintf("The upload link was used %d times; register the file again.", maxUses)})
		return
	}
	if limit := c.service.Limits().UploadBytes; limit > 0 && c.r.ContentLength > limit {
		c.problem(problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("The file has %d bytes; at most %d are allowed.", c.r.ContentLength, limit)})
		return
	}
	m, err := c.media(kind, id)
	if err != nil {
		c.fail(err)
		return
	}
	if header := c.r.Header.Get("Content-MD5"); header != "" && !sameMD5(header, m.ContentMD5) {
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The header Content-MD5 differs from the registered MD5; send the registered file, or register this one."})
		return
	}
	body := &steady{control: http.NewResponseController(c.w), body: c.r.Body, idle: c.opt.IdleTimeout, least: c.opt.MinUploadRate}
	if err := setDeadline(body.control.SetWriteDeadline, time.Time{}); err != nil { // none during the upload
		c.fail(err)
		return
	}
	m, err = c.service.Upload(c.r.Context(), c.client, kind, id, body)
	if c.w.extend() != nil {
		panic(http.ErrAbortHandler) // the connection is gone
	}
	switch {
	case errors.Is(body.err, errSlow) && err != nil:
		_ = body.control.SetReadDeadline(time.Now()) // the server does not wait for the rest
		c.problem(problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf("The upload was too slow: fewer than %d bytes a second arrived in a minute. Nothing was stored. Send the file again over a faster connection.", c.opt.MinUploadRate)})
	case body.err != nil && err != nil:
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The upload was interrupted; nothing was stored. Send the file again."})
	case errors.Is(err, motion.ErrInvalid):
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The MD5 of the file differs from the registered one; nothing was stored. Send the registered file, or register this one."})
	case err != nil:
		c.fail(err)
	default:
		c.answer(http.StatusOK, mediaDetail(m, nil))
	}
}

// sameMD5 reports whether two MD5 sums, each in base64 or hexadecimal, are equal.
func sameMD5(a, b string) bool {
	x, ok := catalog.ParseMD5(a)
	y, _ := catalog.ParseMD5(b)
	return ok && bytes.Equal(x, y)
}

// uses counts the uploads with each link, whether they succeed or not. Beyond maxLinks, the
// links that were first used longest ago are forgotten.
type uses struct {
	mu     sync.Mutex
	byLink map[string]*list.Element // by signature
	order  list.List                // of *use, first used in front
}

type use struct {
	link  signedLink
	count int
}

// add counts an upload with a link, and reports whether it is allowed.
func (u *uses) add(link signedLink, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for e := u.order.Front(); e != nil && (u.order.Len() > maxLinks || !now.Before(e.Value.(*use).link.expires)); e = u.order.Front() {
		delete(u.byLink, u.order.Remove(e).(*use).link.signature)
	}
	e := u.byLink[link.signature]
	if e == nil {
		if u.byLink == nil {
			u.byLink = map[string]*list.Element{}
		}
		e = u.order.PushBack(&use{link: link})
		u.byLink[link.signature] = e
	}
	x := e.Value.(*use)
	x.count = min(x.count+1, maxUses+1)
	return x.count <= maxUses
}
