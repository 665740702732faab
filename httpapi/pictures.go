package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	goimage "image"
	"image/jpeg"
	"io"
	"net/http"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

const (
	thumbnailSide  = 320 // pixels of the longer side
	sheetFrames    = 12
	sheetSide      = 320 // pixels of a frame's longer side
	pictureQuality = 85  // of JPEG
)

// thumbnail answers with a small picture of a movie or image: of a movie the frame at one second, or
// the middle one of a movie shorter than two.
func (c *call) thumbnail(id int64) {
	m, err := c.media(c.kind, id)
	if err != nil {
		c.fail(err)
		return
	}
	tag := fmt.Sprintf(`"%s-thumbnail"`, m.ContentMD5)
	if m.Uploaded && c.r.Header.Get("If-None-Match") == tag { // the file of a record never changes
		c.w.Header().Set("ETag", tag)
		c.w.WriteHeader(http.StatusNotModified)
		return
	}
	var b bytes.Buffer
	err = c.service.Stills(c.r.Context(), c.client, c.kind, id, func(picture func(int) (goimage.Image, error)) error {
		img, err := picture(max(min(int(m.FrameRate+0.5), m.Frames/2), 0))
		if err != nil {
			return err
		}
		return jpeg.Encode(&b, film.Shrunk(img, thumbnailSide), &jpeg.Options{Quality: pictureQuality})
	})
	if err != nil {
		c.fail(err)
		return
	}
	h := c.w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Length", fmt.Sprint(b.Len()))
	h.Set("Cache-Control", "private, no-cache") // the client may keep it, and has to ask again
	h.Set("ETag", tag)
	c.w.WriteHeader(http.StatusOK)
	c.w.Write(b.Bytes())
}

// sheet writes a contact sheet of a recording: some of its frames with the skeleton and the time of
// each.
func (c *call) sheet(w io.Writer, e motion.Extraction, seq keypoint.Sequence) error {
	kind, id := storage.Movies, e.MovieID
	if e.ImageID != 0 {
		kind, id = storage.Images, e.ImageID
	}
	return c.service.Stills(c.r.Context(), c.client, kind, id, func(picture func(int) (goimage.Image, error)) error {
		m, err := sheet.Draw(seq, picture, sheet.Options{Count: sheetFrames, CellSize: sheetSide, Rules: draw.Sides()})
		if err != nil {
			return err
		}
		return jpeg.Encode(w, m, &jpeg.Options{Quality: pictureQuality})
	})
}

// original returns the content type of an uploaded file, and the extension of its name. Only pictures
// and movies have a type of their own: a browser must not take a file for a page.
func original(r io.ReadSeeker) (contentType, extension string, err error) {
	head := make([]byte, 512)
	if _, err = r.Seek(0, io.SeekStart); err != nil {
		return "", "", err
	}
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", "", err
	}
	head = head[:n]
	if format := inference.ImageFormat(head[:min(n, 16)]); format != "" {
		return "image/" + format, "." + format, nil
	}
	switch sniffed := http.DetectContentType(head); {
	case len(head) >= 12 && string(head[4:12]) == "ftypqt  ":
		return "video/quicktime", ".mov", nil
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return "video/mp4", ".mp4", nil
	case strings.HasPrefix(sniffed, "video/"):
		return sniffed, "." + strings.TrimPrefix(sniffed, "video/"), nil
	}
	return "application/octet-stream", "", nil
}
