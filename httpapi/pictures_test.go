package httpapi_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/storage"
)

// filming is a world that decodes movies of the fake decoder.
func filming(t *testing.T, originals bool) *world {
	return newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		o.OriginalMedia, c.Decoder = originals, fakes.Decoder{}
	})
}

// put uploads a file and returns the path of its record.
func (w *world) put(kind storage.Kind, data []byte) string {
	w.t.Helper()
	m := w.do("POST", "/"+string(kind)+"/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(w.t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		w.t.Fatalf("upload: %d %s", r.status, r.body)
	}
	return fmt.Sprintf("/%s/%.0f/", kind, m["id"])
}

// greys is a movie of frames of 400×300 pixels, the grey of each of which is 2 times its number.
func greys(frames int, rate float64) []byte {
	pictures := make([]image.Image, frames)
	for i := range pictures {
		m := image.NewGray(image.Rect(0, 0, 400, 300))
		for p := range m.Pix {
			m.Pix[p] = uint8(2 * i)
		}
		pictures[i] = m
	}
	return fakes.Movie(rate, pictures...)
}

// TestOriginalMedia: the link to the uploaded file is there for its owner, for reading it alone, and
// only if the host allows it.
func TestOriginalMedia(t *testing.T) {
	w := filming(t, true)
	data := greys(3, 25)
	path := w.put(storage.Movies, data)
	if m := w.do("GET", path, w.token, "").get(t); m["mediaUrl"] != nil {
		t.Errorf("a link that nobody asked for: %v", m)
	}
	link, _ := w.do("GET", path+"?include=media", w.reader, "").get(t)["mediaUrl"].(string)
	r := w.do("GET", link, "", "")
	h := r.header
	if r.status != 200 || !bytes.Equal(r.body, data) || h.Get("Content-Type") != "application/octet-stream" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Fatalf("%d %v, %d bytes", r.status, h, len(r.body))
	}
	if r := w.do("GET", link, "", "", "Range", "bytes=5-14"); r.status != 206 || !bytes.Equal(r.body, data[5:15]) {
		t.Errorf("a range: %d, %d bytes", r.status, len(r.body))
	}
	if r := w.do("GET", link, "", "", "If-None-Match", h.Get("ETag")); r.status != 304 {
		t.Errorf("the same ETag: %d", r.status)
	}
	if r := w.do("HEAD", link, "", ""); r.status != 200 || r.header.Get("Content-Length") != fmt.Sprint(len(data)) {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}
	unfilled := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("GET", unfilled["uploadUrl"].(string), "", ""); r.status != 403 {
		t.Errorf("reading with an upload link: %d %s", r.status, r.body)
	}
	if m := w.do("GET", fmt.Sprintf("/movies/%.0f/?include=media", unfilled["id"]), w.token, "").get(t); m["mediaUrl"] != nil || !strings.Contains(fmt.Sprint(m), "mediaUrl") {
		t.Errorf("before the upload: %v", m)
	}
	if r := w.do("PUT", link, "", string(data)); r.status != 403 {
		t.Errorf("uploading with a download link: %d", r.status)
	}
	if r := w.do("GET", strings.Replace(link, "/movies/1", "/movies/2", 1), "", ""); r.status != 403 {
		t.Errorf("a link to another file: %d", r.status)
	}
	if r := w.do("GET", path+"?include=media", w.other, ""); r.status != 404 {
		t.Errorf("somebody else: %d", r.status)
	}
	w.do("DELETE", path, w.token, "")
	if r := w.do("GET", link, "", ""); r.status != 404 {
		t.Errorf("after deleting: %d", r.status)
	}
	for query, want := range map[string]string{"include=scores": "media", "include=": "media", "format=jpeg": "thumbnail", "format=thumbnail&include=media": "left out"} {
		if r := w.do("GET", "/movies/2/?"+query, w.token, ""); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}

	w = filming(t, false)
	path = w.put(storage.Movies, data)
	if r := w.do("GET", path+"?include=media", w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "does not give out") {
		t.Errorf("a service that gives out no files: %d %s", r.status, r.body)
	}
	if r := w.do("GET", "/files"+strings.TrimSuffix(path, "/"), "", ""); r.status != 405 || r.header.Get("Allow") != "PUT" {
		t.Errorf("a service that gives out no files: %d %v", r.status, r.header)
	}
}

// TestOriginalTypes: a browser never takes an uploaded file for a page.
func TestOriginalTypes(t *testing.T) {
	w := filming(t, true)
	for start, want := range map[string][2]string{
		"\x00\x00\x00\x18ftypisom":        {"video/mp4", "inline; filename=\"movie-%s.mp4\""},
		"\x00\x00\x00\x14ftypqt  ":        {"video/quicktime", "inline; filename=\"movie-%s.mov\""},
		"\x1a\x45\xdf\xa3\x01webm":        {"video/webm", "inline; filename=\"movie-%s.webm\""},
		"RIFF\x00\x00\x00\x00AVI LIST":    {"video/avi", "inline; filename=\"movie-%s.avi\""},
		"<html><script>alert(1)</script>": {"application/octet-stream", "attachment; filename=\"movie-%s\""},
		"<svg xmlns=":                     {"application/octet-stream", "attachment; filename=\"movie-%s\""},
		"GIF89a":                          {"image/gif", "inline; filename=\"movie-%s.gif\""},
	} {
		path := w.put(storage.Movies, []byte(start+strings.Repeat(" ", 40)))
		link := w.do("GET", path+"?include=media", w.token, "").get(t)["mediaUrl"].(string)
		h := w.do("GET", link, "", "").header
		name := fmt.Sprintf(want[1], strings.Trim(strings.TrimPrefix(path, "/movies"), "/"))
		if h.Get("Content-Type") != want[0] || h.Get("Content-Disposition") != name {
			t.Errorf("%.12q: %s, %s; want %s, %s", start, h.Get("Content-Type"), h.Get("Content-Disposition"), want[0], name)
		}
	}
}

func decodedJPEG(t *testing.T, r reply) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(r.body))
	if r.status != 200 || r.header.Get("Content-Type") != "image/jpeg" || err != nil {
		t.Fatalf("%d %v %.200s (%v)", r.status, r.header, r.body, err)
	}
	return m
}

func TestThumbnail(t *testing.T) {
	w := filming(t, false)
	for _, c := range []struct {
		frames int
		rate   float64
		want   int // the frame that is shown
	}{{100, 30, 30}, {40, 30, 20}, {1, 30, 0}} {
		path := w.put(storage.Movies, greys(c.frames, c.rate)) + "?format=thumbnail"
		r := w.do("GET", path, w.token, "")
		m := decodedJPEG(t, r)
		grey := color.GrayModel.Convert(m.At(100, 100)).(color.Gray).Y
		if m.Bounds() != image.Rect(0, 0, 320, 240) || int(grey) < 2*c.want-1 || int(grey) > 2*c.want+1 {
			t.Errorf("%d frames: %v of grey %d, want %d", c.frames, m.Bounds(), grey, 2*c.want)
		}
		if r := w.do("GET", path, w.token, "", "If-None-Match", r.header.Get("ETag")); r.status != http.StatusNotModified || len(r.body) > 0 {
			t.Errorf("the same ETag: %d", r.status)
		}
		if r := w.do("GET", path, w.other, ""); r.status != 404 {
			t.Errorf("somebody else: %d", r.status)
		}
	}
	if m := decodedJPEG(t, w.do("GET", w.put(storage.Images, picture())+"?format=thumbnail", w.token, "")); m.Bounds() != image.Rect(0, 0, 20, 30) {
		t.Errorf("of a small image: %v", m.Bounds())
	}
	damaged := greys(30, 10)
	for path, want := range map[string]string{
		fmt.Sprintf("/movies/%.0f/", w.do("POST", "/movies/", w.token, `{"contentMd5":"`+strings.Repeat("0", 32)+`"}`).get(t)["id"]): "has not been uploaded yet",
		w.put(storage.Movies, []byte("no movie")):                 "The video format is not supported.",
		w.put(storage.Movies, damaged[:len(damaged)/5]):           "The video format is not supported.",
		w.put(storage.Images, []byte("no picture")):               "The image format is not supported.",
		w.put(storage.Images, []byte("\xff\xd8\xff and no more")): "The image format is not supported.",
	} {
		if r := w.do("GET", path+"?format=thumbnail", w.token, ""); r.status != 409 || r.get(t)["detail"] == nil || !strings.Contains(r.get(t)["detail"].(string), want) {
			t.Errorf("%s: %d %s, want %q", path, r.status, r.body, want)
		}
	}
}

func TestSheet(t *testing.T) {
	w := filming(t, false)
	for _, c := range []struct {
		kind storage.Kind
		data []byte
		id   string
		want image.Point // at least
	}{{storage.Movies, greys(100, 30), "movieId", image.Pt(900, 600)}, {storage.Images, picture(), "imageId", image.Pt(200, 320)}} {
		path := w.put(c.kind, c.data)
		var media int
		fmt.Sscanf(path, "/"+string(c.kind)+"/%d/", &media)
		id, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{%q:%d}`, c.id, media))
		r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=sheet", id), w.token, "")
		m := decodedJPEG(t, r)
		if size := m.Bounds().Size(); size.X < c.want.X || size.Y < c.want.Y || r.header.Get("Content-Disposition") != fmt.Sprintf(`attachment; filename="keypoints-%d.jpg"`, id) {
			t.Errorf("%s: %v pixels, %v", c.kind, size, r.header)
		}
		if c.kind == storage.Movies { // the first cell shows the first frame, the last one the last
			first := color.GrayModel.Convert(m.At(60, 200)).(color.Gray).Y
			last := color.GrayModel.Convert(m.At(m.Bounds().Dx()-60, m.Bounds().Dy()-80)).(color.Gray).Y
			if first > 10 || last < 190 || last > 206 {
				t.Errorf("from grey %d to %d, want 0 to 198", first, last)
			}
		}
	}
	if r := w.do("GET", "/keypoints/9/?format=sheet", w.token, ""); r.status != 404 {
		t.Errorf("no record: %d", r.status)
	}
}
