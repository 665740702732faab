package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// file serves a signed link: an upload to files/movies/<id> or files/images/<id>, or a
// download from files/drawings/<id>.jpg or .mp4.
func (c *call) file(folder, name string) {
	kind := storage.Kind(folder)
	upload := isMedia(kind)
	if !upload && kind != storage.Drawings {
		c.nothing()
		return
	}
	parameter, methods := "{file}", []string{"GET", "HEAD"}
	if upload {
		parameter, methods = "{id}", []string{"PUT"}
	}
	c.pattern = "/files/" + folder + "/" + parameter
	if !c.allow(methods...) {
		return
	}
	client, ok := c.verify(methods[0], folder+"/"+name)
	if !ok {
		c.problem(problem{Status: http.StatusForbidden, Detail: "The link is invalid or has expired; read the record to get a new one."})
		return
	}
	c.client = client
	number, _, _ := strings.Cut(name, ".")
	id, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil:
		c.nothing()
	case !upload:
		c.download(id, name)
	case !c.refuse():
		c.upload(kind, id)
	}
}

// upload stores the file of a movie or image.
func (c *call) upload(kind storage.Kind, id int64) {
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
	body := &steady{control: http.NewResponseController(c.w), body: c.r.Body, idle: c.opt.IdleTimeout}
	if err := setDeadline(body.control.SetWriteDeadline, time.Time{}); err != nil { // none during the upload
		c.fail(err)
		return
	}
	m, err = c.service.Upload(c.r.Context(), c.client, kind, id, body)
	if c.w.extend() != nil {
		panic(http.ErrAbortHandler) // the connection is gone
	}
	switch {
	case body.err != nil && err != nil:
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The upload was interrupted; nothing was stored. Send the file again."})
	case errors.Is(err, motion.ErrInvalid):
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The MD5 of the file differs from the registered one; nothing was stored. Send the registered file, or register this one."})
	case err != nil:
		c.fail(err)
	default:
		c.answer(http.StatusOK, mediaDetail(m))
	}
}

// sameMD5 reports whether two MD5 sums, each in base64 or hexadecimal, are equal.
func sameMD5(a, b string) bool {
	decode := func(s string) []byte {
		if len(s) == 32 {
			if v, err := hex.DecodeString(s); err == nil {
				return v
			}
		}
		v, _ := base64.StdEncoding.DecodeString(s)
		return v
	}
	x := decode(strings.TrimSpace(a))
	return len(x) == 16 && bytes.Equal(x, decode(b))
}

// download serves a drawn file with ranges and an ETag, or redirects to the storage.
func (c *call) download(id int64, name string) {
	d, err := c.service.Drawing(c.r.Context(), c.client, id)
	if err == nil && d.File != name {
		err = motion.ErrNotFound
	}
	if err != nil {
		c.fail(err)
		return
	}
	blob, err := c.service.OpenDrawing(c.r.Context(), c.client, id)
	if err != nil {
		c.fail(err)
		return
	}
	defer blob.Close()
	contentType, disposition := "image/jpeg", fmt.Sprintf(`inline; filename=%q`, name)
	if strings.HasSuffix(name, ".mp4") {
		contentType = "video/mp4"
	}
	h := c.w.Header()
	// Links of the storage are valid for GET only.
	if linker, ok := storage.As[storage.Linker](blob); ok && c.opt.RedirectDownloads && c.r.Method == http.MethodGet {
		link, err := linker.Link(c.r.Context(), storage.LinkOptions{TTL: c.opt.LinkTTL, ContentType: contentType, ContentDisposition: disposition})
		if err != nil {
			c.fail(err)
			return
		}
		h.Set("Cache-Control", "no-store")
		h.Set("Location", link)
		c.w.WriteHeader(http.StatusFound)
		return
	}
	info := blob.Info()
	h.Set("Content-Type", contentType)
	h.Set("ETag", fmt.Sprintf(`"%x"`, info.MD5))
	h.Set("Content-Disposition", disposition)
	h.Set("Cache-Control", "private")
	http.ServeContent(c.w, c.r, name, info.Modified, blob)
}
