// Package viewer serves the web page for the v1 API: embedded plain files without a build step.
//
// The page asks for a client id and secret, or takes the token that Options.Login gives it:
//
//	page, err := viewer.New(viewer.Options{})
//	…
//	mux.Handle("/", page)
package viewer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/say"
)

//go:embed page
var page embed.FS

//go:embed squats.mp4
var squats []byte

// Sample returns the movie that the page offers to try: three squats of a rendered person, an MP4 of
// 4 seconds with 640×640 pixels and 30 frames a second.
func Sample() []byte { return bytes.Clone(squats) }

// name is the title of the page unless Options.Title replaces it.
const name = "Motion viewer"

// headers are those of every file. The policy allows the page's own scripts, styles and requests, and blob
// addresses for the pictures and movies that the user opens; the permissions are the camera and nothing else.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
		"media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"Permissions-Policy":         "camera=(self), microphone=(), geolocation=()",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cache-Control":              "no-cache", // always revalidate; the ETag saves the transfer
}

// types are the media types by file name extension; those of the system differ between machines.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".jpg":  "image/jpeg",
	".mp4":  "video/mp4",
}

// Options are the options of New.
type Options struct {
	// Login answers the page's POST for an access token from what the host knows of the user: LocalToken, or the host's own
	// session. Its answer is that of the token endpoint: 200 and {"accessToken": "…"}, which the page sends back in the header
	// Authorization of each request, beside the cookies of the host. Where an Authenticator takes the cookie, any text of letters will
	// do. With 401 and the header Location the page goes there, to the host's own form. Without Login, or where it answers 204, the
	// page asks the user for a client id and secret, and sends them to oauth/v1/accesstokens below Path.
	Login http.Handler

	// Path is where the page is mounted, "/" by default, with a slash at its end.
	Path string

	// API is the path of the API on the same host, with a slash at its end; by default anymotion/v1/ below Path. The page shows
	// live pictures where package httpapi/live is at live/ below it.
	API string

	// Title is the name of the page in all languages instead of its own.
	Title string
}

// file is one file of the page.
type file struct {
	contentType, etag string
	content, packed   []byte // packed is nil where compression does not help
}

func newFile(name string, content []byte) file {
	sum := sha256.Sum256(content)
	f := file{contentType: types[path.Ext(name)], etag: fmt.Sprintf(`"%x"`, sum[:12]), content: content}
	if !strings.HasPrefix(f.contentType, "text/") {
		return f
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for unknown levels only
	_, _ = w.Write(content)                               // a bytes.Buffer takes everything
	_ = w.Close()
	f.packed = b.Bytes()
	return f
}

func (f file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "The method %s is not allowed here; allowed are GET, HEAD.", r.Method)
		return
	}
	h := w.Header()
	for name, value := range headers {
		h.Set(name, value)
	}
	h.Set("Content-Type", f.contentType)
	content, etag := f.content, f.etag
	if f.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if wire.TakesGzip(r) {
			h.Set("Content-Encoding", "gzip")
			content, etag = f.packed, strings.TrimSuffix(etag, `"`)+`-gzip"`
		}
	}
	h.Set("ETag", etag)
	var p wire.Problem
	if err := wire.Content(w, r, time.Time{}, bytes.NewReader(content)); errors.As(err, &p) {
		refuse(w, r, p.Status, "%s", p.Detail)
	}
}

// New returns the handler of the page, to be mounted at Options.Path. The other files are below viewer/.
func New(opt Options) (http.Handler, error) {
	if opt.Path == "" {
		opt.Path = "/"
	}
	if !strings.HasPrefix(opt.Path, "/") || !strings.HasSuffix(opt.Path, "/") {
		return nil, fmt.Errorf("viewer: Path %q does not begin and end with a slash", opt.Path)
	}
	if opt.API == "" {
		opt.API = opt.Path + "anymotion/v1/"
	}
	if !strings.HasPrefix(opt.API, "/") || !strings.HasSuffix(opt.API, "/") {
		return nil, fmt.Errorf("viewer: API %q does not begin and end with a slash", opt.API)
	}
	if opt.Login == nil {
		opt.Login = http.HandlerFunc(noToken)
	}
	known, err := names()
	if err != nil {
		return nil, err
	}
	files := map[string]file{
		opt.Path + "viewer/sample.mp4":    newFile("sample.mp4", squats),
		opt.Path + "viewer/base/names.js": newFile("names.js", known),
	}
	all, err := words()
	if err != nil {
		return nil, err
	}
	for _, language := range say.Languages() {
		text, err := dictionary(all, language)
		if err != nil {
			return nil, err
		}
		files[fmt.Sprintf("%sviewer/base/%s.js", opt.Path, language)] = newFile("words.js", text)
	}
	err = fs.WalkDir(page, "page", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := page.ReadFile(at)
		if err != nil {
			return err
		}
		to := opt.Path + "viewer/" + strings.TrimPrefix(at, "page/")
		if at == "page/index.html" {
			to = opt.Path
			content = bytes.Replace(content, []byte("<html"), []byte(`<html data-api="`+html.EscapeString(opt.API)+`"`), 1)
			if opt.Title != "" {
				content = bytes.ReplaceAll(content, []byte(name), []byte(html.EscapeString(opt.Title)))
			}
		}
		files[to] = newFile(path.Base(at), content)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		first, keyed := opt.Login.(*localToken)
		switch {
		case keyed && r.Method == http.MethodGet && r.URL.Path == opt.Path && r.URL.Query().Has("key"):
			first.visit(w, r, opt.Path)
		case ok:
			f.ServeHTTP(w, r)
		case r.URL.Path == opt.Path+"viewer/token" && r.Method == http.MethodPost:
			opt.Login.ServeHTTP(w, r)
		default:
			refuse(w, r, http.StatusNotFound, "There is nothing at this address. The API is at %s.", opt.API)
		}
	}), nil
}

// refuse answers as the API does.
func refuse(w http.ResponseWriter, r *http.Request, status int, format string, args ...any) {
	p := wire.Refuse(status, format, args...)
	p.Instance = wire.Address(r)
	wire.Write(w, p)
}
