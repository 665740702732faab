// Package viewer serves the web page for the v1 API: embedded plain files without a build step.
package viewer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/examples/sample"
)

//go:embed page
var page embed.FS

// moviePath is where the page finds the movie to try.
const moviePath = "/viewer/sample.mp4"

// Policy is the Content-Security-Policy of every file of the page. It allows the page's own
// scripts, styles and requests, and blob addresses for the pictures and movies that the user
// opens.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
	"media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// types are the media types by file name extension; those of the system differ between machines.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".jpg":  "image/jpeg",
	".mp4":  "video/mp4",
}

// file is one file of the page.
type file struct {
	name, contentType, etag string
	content, packed         []byte // packed is nil where compression does not help
}

func newFile(name, contentType string, content []byte) file {
	sum := sha256.Sum256(content)
	f := file{name: name, contentType: contentType, etag: fmt.Sprintf(`"%x"`, sum[:12]), content: content}
	if !strings.HasPrefix(contentType, "text/") {
		return f
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for unknown levels only
	_, _ = w.Write(content)                               // a bytes.Buffer takes everything
	_ = w.Close()
	f.packed = b.Bytes()
	return f
}

// packs reports whether a request takes gzip: it names it, not with the weight 0.
func packs(r *http.Request) bool {
	for _, coding := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}

// Permissions is the Permissions-Policy of every file of the page: it may use the camera, and neither the
// microphone nor the place.
const Permissions = "camera=(self), microphone=(), geolocation=()"

// Options are the options of New.
type Options struct {
	// Live shows the tab of live pictures, which needs the handler of package httpapi/live at
	// "/anymotion/v1/live/".
	Live bool
}

// New returns the handler of the page, to be mounted at "/". The other files are below
// "/viewer/".
func New(opt Options) (http.Handler, error) {
	files := map[string]file{}
	err := fs.WalkDir(page, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := page.ReadFile(name)
		if err != nil {
			return err
		}
		contentType, ok := types[path.Ext(name)]
		if !ok {
			return fmt.Errorf("viewer: %s has an extension without a media type", name)
		}
		at := "/viewer/" + strings.TrimPrefix(name, "page/")
		if at == "/viewer/index.html" {
			at = "/"
			if opt.Live {
				content = bytes.Replace(content, []byte(` data-t="live.title" hidden`), []byte(` data-t="live.title"`), 1)
			}
		}
		files[at] = newFile(path.Base(name), contentType, content)
		return nil
	})
	if err != nil {
		return nil, err
	}
	files[moviePath] = newFile(path.Base(moviePath), types[".mp4"], sample.Squats())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.contentType)
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Permissions-Policy", Permissions)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache") // always revalidate; the ETag saves the transfer
		content, etag := f.content, f.etag
		if f.packed != nil {
			h.Set("Vary", "Accept-Encoding")
			if packs(r) {
				h.Set("Content-Encoding", "gzip")
				content, etag = f.packed, strings.TrimSuffix(etag, `"`)+`-gzip"`
			}
		}
		h.Set("ETag", etag)
		http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(content))
	}), nil
}
