package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// file serves a signed link: an upload to files/movies/<id> or files/images/<id>, a download
// from there if Options.OriginalMedia allows it, or from files/drawings/<id>.jpg or .mp4.
func (c *call) file(folder, name string) {
	kind := storage.Kind(folder)
	if !isMedia(kind) && kind != storage.Drawings {
		c.nothing()
		return
	}
	parameter, methods := "{file}", []string{"GET", "HEAD"}
	if isMedia(kind) {
		parameter = "{id}"
		if methods = append(methods, "PUT"); !c.opt.OriginalMedia {
			methods = []string{"PUT"}
		}
	}
	c.pattern = "/files/" + folder + "/" + parameter
	if !c.allow(methods...) {
		return
	}
	upload, signed := c.r.Method == http.MethodPut, http.MethodGet
	if upload {
		signed = http.MethodPut
	}
	link, ok := c.verify(signed, folder+"/"+name)
	switch expired := ok && !time.Now().Before(link.expires); {
	case upload && expired:
		c.problem(problem{Status: http.StatusForbidden, Detail: "The upload link has expired; register the file again."})
		return
	case upload && !ok:
		c.problem(problem{Status: http.StatusForbidden, Detail: "The upload link is invalid; register the file again."})
		return
	case !ok || expired:
		c.problem(problem{Status: http.StatusForbidden, Detail: "The link is invalid or has expired; read the record to get a new one."})
		return
	}
	c.client = link.client
	if !c.knownQuery() {
		return
	}
	number, _, _ := strings.Cut(name, ".")
	id, err := strconv.ParseInt(number, 10, 64)
	switch {
	case err != nil:
		c.nothing()
	case !upload && isMedia(kind):
		c.downloadMedia(kind, id)
	case !upload:
		c.download(id, name)
	case !c.refuse():
		c.upload(kind, id, link)
	}
}

// download serves a drawn file.
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
	contentType := "image/jpeg"
	if strings.HasSuffix(name, ".mp4") {
		contentType = "video/mp4"
	}
	c.send(blob, contentType, fmt.Sprintf(`inline; filename=%q`, name))
}

// downloadMedia serves an uploaded file like a drawn one.
func (c *call) downloadMedia(kind storage.Kind, id int64) {
	blob, err := c.service.OpenMedia(c.r.Context(), c.client, kind, id)
	if err != nil {
		c.fail(err)
		return
	}
	defer blob.Close()
	contentType, extension, err := original(blob)
	if err != nil {
		c.fail(err)
		return
	}
	disposition := "inline"
	if extension == "" {
		disposition = "attachment"
	}
	c.send(blob, contentType, fmt.Sprintf("%s; filename=%q", disposition, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(string(kind), "s"), id, extension)))
}

// send serves a file with ranges and an ETag, or redirects to the storage.
func (c *call) send(blob storage.Blob, contentType, disposition string) {
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
	http.ServeContent(c.w, c.r, "", info.Modified, blob)
}
