package httpapi

import (
	"fmt"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// isMedia reports whether records of a kind are media, which have no status.
func isMedia(kind storage.Kind) bool { return kind == storage.Movies || kind == storage.Images }

func (c *call) listMedia() {
	find := c.service.Images
	if c.kind == storage.Movies {
		find = c.service.Movies
	}
	listed(c, find, func(m motion.Media) mediaItem {
		return mediaItem{m.ID, text(m.Name), stamp(m.CreatedAt), stamp(m.UpdatedAt)}
	})
}

func (c *call) makeMedia() {
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
	register := c.service.RegisterImage
	if c.kind == storage.Movies {
		register = c.service.RegisterMovie
	}
	create(c, b, m, register, func(m motion.Media) any {
		return newMedia{
			ID: m.ID, Name: text(m.Name), Text: text(m.Text), ContentMD5: m.ContentMD5,
			CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt),
		}
	})
}

func (c *call) changeMedia(id int64) {
	b, ok := c.body("name", "text")
	if !ok {
		return
	}
	given := func(name string) *string {
		v := b.get(name)
		if !v.Present() {
			return nil
		}
		words, _ := v.Text()
		return &words
	}
	change := motion.MediaChange{Name: given("name"), Text: given("text")}
	if !c.done(b) {
		return
	}
	c.answerMedia(c.service.ChangeMedia(c.r.Context(), c.client, c.kind, id, change))
}

func (c *call) getMedia(id int64) {
	q := c.r.URL.Query()
	if format := q.Get("format"); q.Has("format") {
		switch {
		case format != "thumbnail":
			c.invalid(inQuery("format", format, "thumbnail"))
		case q.Has("include"):
			c.invalid(inQuery("include", q.Get("include"), "left out together with format"))
		default:
			c.thumbnail(id)
		}
		return
	}
	if q.Has("include") {
		if include := q.Get("include"); include != "media" {
			c.invalid(inQuery("include", include, "media"))
			return
		}
		if !c.opt.OriginalMedia {
			c.invalid(mistake{Parameter: "include", Detail: "The query parameter include asks for the uploaded file, which this service does not give out."})
			return
		}
	}
	c.answerMedia(c.media(c.kind, id))
}

func (c *call) media(kind storage.Kind, id int64) (motion.Media, error) {
	if kind == storage.Movies {
		return c.service.Movie(c.r.Context(), c.client, id)
	}
	return c.service.Image(c.r.Context(), c.client, id)
}

func (c *call) answerMedia(m motion.Media, err error) {
	if err != nil {
		c.fail(err)
		return
	}
	var link **string
	if c.r.URL.Query().Has("include") {
		link = new(*string)
		if m.Uploaded {
			*link = text(c.link(http.MethodGet, fmt.Sprintf("%s/%d", m.Kind, m.ID)))
		}
	}
	c.answer(http.StatusOK, mediaDetail(m, link))
}
