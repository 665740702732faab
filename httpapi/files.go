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
	link, ok := c.verify(methods[0], folder+"/"+name)
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
	case !upload:
		c.download(id, name)
	case !c.refuse():
		c.upload(kind, id, link)
	}
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
