package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/storage"
)

type mediaItem struct {
	ID        int64   `json:"id"`
	Name      *string `json:"name"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
	about
}

func (c *call) mediaItem(m motion.Media) mediaItem {
	return mediaItem{m.ID, m.Name, stamp(m.CreatedAt), stamp(m.UpdatedAt), c.about(m.Recording, m.Filmed())}
}

// newMedia is the form of a created movie or image.
type newMedia struct {
	mediaItem
	Text       *string `json:"text"`
	ContentMD5 string  `json:"contentMd5"`
	UploadURL  string  `json:"uploadUrl"`
}

type image struct {
	mediaItem
	Text       *string  `json:"text"`
	ContentMD5 string   `json:"contentMd5"`
	Height     *int     `json:"height"`
	Width      *int     `json:"width"`
	MediaURL   **string `json:"mediaUrl,omitempty"` // null before the upload, left out unless it is asked for
}

type movie struct {
	image
	Frame *int     `json:"frame"`
	FPS   *float64 `json:"fps"`
	Time  *string  `json:"time"`
}

// media is the form of a movie's or image's record. link is the address of the file, nil if it is left out.
func (c *call) media(m motion.Media, link **string) any {
	d := image{mediaItem: c.mediaItem(m), Text: m.Text, ContentMD5: m.ContentMD5, MediaURL: link}
	probed := m.Size.X > 0
	if probed {
		d.Height, d.Width = &m.Size.Y, &m.Size.X
	}
	if m.Kind == storage.Images {
		return d
	}
	v := movie{image: d}
	if probed && m.Frames > 0 {
		v.Frame = &m.Frames
	}
	if probed && m.FrameRate > 0 {
		fps := m.FrameRate // a picture an hour is not 0
		if rounded := math.Round(fps*1000) / 1000; rounded > 0 {
			fps = rounded // 30000/1001 is 29.97
		}
		v.FPS = &fps
	}
	if probed && m.Duration > 0 {
		clock := clockTime(m.Duration)
		v.Time = &clock
	}
	return v
}

func listMedia(c *call) error {
	find := func(ctx context.Context, client string, page motion.Page) ([]motion.Media, int, error) {
		return c.service.ListMedia(ctx, client, c.kind, page)
	}
	return listed(c, find, c.mediaItem)
}

func makeMedia(c *call) error {
	b, err := c.body(append(aboutMembers, "name", "text", "contentMd5")...)
	if err != nil {
		return err
	}
	var m motion.NewMedia
	m.Name, m.Text = b.text("name"), b.text("text")
	m.Recording = b.newRecording()
	if v := b.get("contentMd5"); v.Require("the MD5 of the file, base64 or hexadecimal") {
		m.ContentMD5, _ = v.Text()
	}
	register := func(ctx context.Context, client string, m motion.NewMedia) (motion.Media, error) {
		return c.service.RegisterMedia(ctx, client, c.kind, m)
	}
	m.Key = c.key
	return create(c, b, m, register, func(m motion.Media) any {
		return newMedia{c.mediaItem(m), m.Text, m.ContentMD5, ""}
	})
}

func changeMedia(c *call, id int64) error {
	b, err := c.body(append(aboutMembers, "name", "text")...)
	if err != nil {
		return err
	}
	change := motion.MediaUpdate{Name: b.text("name"), Text: b.text("text"), RecordingUpdate: b.about()}
	if err := b.err(); err != nil {
		return err
	}
	m, err := c.service.UpdateMedia(c.r.Context(), c.client, c.kind, id, change)
	return answerMedia(c, m, err)
}

func getMedia(c *call, id int64) error {
	if format := c.query.Get("format"); c.query.Has("format") {
		switch {
		case format != "thumbnail":
			return invalid(inQuery("format", format, "thumbnail"))
		case c.query.Has("include"):
			return invalid(inQuery("include", c.query.Get("include"), "left out together with format"))
		}
		return thumbnail(c, id)
	}
	if err := c.included("media", "recordedAt"); err != nil {
		return err
	}
	if c.includes("media") && !c.opt.OriginalMedia {
		return invalid(mistake{Parameter: "include", Detail: "The query parameter include asks for the uploaded file, which this service does not give out."})
	}
	m, err := readMedia(c, c.kind, id)
	return answerMedia(c, m, err)
}

func readMedia(c *call, kind storage.Kind, id int64) (motion.Media, error) {
	return c.service.GetMedia(c.r.Context(), c.client, kind, id)
}

func answerMedia(c *call, m motion.Media, err error) error {
	var address **string
	if c.includes("media") {
		address = new(*string)
		if m.Uploaded {
			*address = orNull(link(c, http.MethodGet, fmt.Sprintf("%s/%d", m.Kind, m.ID)))
		}
	}
	return c.found(c.media(m, address), err)
}

const pictureQuality = 85 // of JPEG

// thumbnail answers with a small picture of a movie or image, or of the person of keypoints.
func thumbnail(c *call, id int64) error {
	picture, err := c.service.GetThumbnail(c.r.Context(), c.client, c.kind, id)
	if errors.Is(err, motion.ErrConflict) && c.kind == storage.Keypoints {
		e, unread := c.service.GetExtraction(c.r.Context(), c.client, id)
		if _, media := recording(e); unread == nil && media == 0 { // no waiting cures that
			err = wire.Refuse(http.StatusNotFound, "There is no thumbnail: the keypoints were given without a movie or an image.")
		}
	}
	if err != nil {
		return err
	}
	c.answerBytes(http.StatusOK, "image/jpeg", "private, no-cache", picture) // the client may keep it, and has to ask again
	return nil
}

// clockTime returns a duration as HH:MM:SS, rounded half up to the second.
func clockTime(seconds float64) string {
	n := int64(math.Floor(math.Round(max(seconds, 0)*1e6)/1e6 + 0.5)) // 45 times 1/30 is 1.5
	return fmt.Sprintf("%02d:%02d:%02d", n/3600, n/60%60, n%60)
}
