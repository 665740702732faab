package httpapi

import (
	"fmt"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

func (c *call) listMedia(kind storage.Kind) {
	p, ok := c.page(false)
	if !ok {
		return
	}
	list := c.service.Images
	if kind == storage.Movies {
		list = c.service.Movies
	}
	records, total, err := list(c.r.Context(), c.client, p.Page)
	items := make([]mediaItem, len(records))
	for i, m := range records {
		items[i] = mediaItem{m.ID, text(m.Name), stamp(m.CreatedAt), stamp(m.UpdatedAt)}
	}
	c.listed(p, total, items, err)
}

func (c *call) makeMedia(kind storage.Kind) {
	b, ok := c.body("name", "text", "contentMd5")
	if !ok {
		return
	}
	var m motion.NewMedia
	m.Name, _ = b.get("name").Text()
	m.Text, _ = b.get("text").Text()
	if v := b.get("contentMd5"); v.Require("the MD5 of the file, base64 or hexadecimal") {
		m.ContentMD5, _ = v.Text()
	}
	if !c.done(b) {
		return
	}
	register := c.service.RegisterImage
	if kind == storage.Movies {
		register = c.service.RegisterMovie
	}
	rec, err := register(c.r.Context(), c.client, m)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	c.created(kind, rec.ID, newMedia{
		ID: rec.ID, UploadURL: c.link(http.MethodPut, fmt.Sprintf("%s/%d", kind, rec.ID)),
		Name: text(rec.Name), Text: text(rec.Text), ContentMD5: rec.ContentMD5,
		CreatedAt: stamp(rec.CreatedAt), UpdatedAt: stamp(rec.UpdatedAt),
	})
}

func (c *call) changeMedia(kind storage.Kind, id int64) {
	b, ok := c.body("name", "text")
	if !ok {
		return
	}
	var change motion.MediaChange
	for _, f := range []struct {
		name string
		to   **string
	}{{"name", &change.Name}, {"text", &change.Text}} {
		if v := b.get(f.name); v.Present() {
			words, _ := v.Text()
			*f.to = &words
		}
	}
	if !c.done(b) {
		return
	}
	m, err := c.service.ChangeMedia(c.r.Context(), c.client, kind, id, change)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	c.answer(http.StatusOK, mediaDetail(m))
}

func (c *call) getMedia(kind storage.Kind, id int64) {
	m, err := c.media(kind, id)
	if err != nil {
		c.fail(err, asIs)
		return
	}
	c.answer(http.StatusOK, mediaDetail(m))
}
