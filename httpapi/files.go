package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// signed serves the signed links of files: uploads to files/movies/<id> or files/images/<id>, downloads
// from there if Options.OriginalMedia allows it, and from files/drawings/<id>.jpg or .mp4.
func signed(do func(c *call, id int64, link signedLink) error) handler {
	return func(c *call) error {
		upload, method := c.r.Method == http.MethodPut, http.MethodGet
		if upload {
			method = http.MethodPut
		}
		link, ok := verify(c, method, string(c.kind)+"/"+c.name)
		switch expired := ok && !time.Now().Before(link.expires); {
		case upload && expired:
			return wire.Refuse(http.StatusForbidden, "The upload link has expired; register the file again.")
		case upload && !ok:
			return wire.Refuse(http.StatusForbidden, "The upload link is invalid; register the file again.")
		case !ok || expired:
			return wire.Refuse(http.StatusForbidden, "The link is invalid or has expired; read the record to get a new one.")
		}
		c.client = link.client
		if err := knownQuery(c); err != nil {
			return err
		}
		number, _, _ := strings.Cut(c.name, ".")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return motion.ErrNotFound
		}
		return do(c, id, link)
	}
}

func downloadDrawing(c *call, id int64, _ signedLink) error {
	d, err := c.service.GetDrawing(c.r.Context(), c.client, id)
	if err == nil && d.File != c.name {
		err = motion.ErrNotFound
	}
	if err != nil {
		return err
	}
	blob, err := c.service.OpenDrawing(c.r.Context(), c.client, id)
	if err != nil {
		return err
	}
	defer blob.Close()
	contentType := "image/jpeg"
	if strings.HasSuffix(c.name, ".mp4") {
		contentType = "video/mp4"
	}
	return sendFile(c, blob, contentType, "inline") // a name would win over the one that the page gives it
}

// downloadMedia serves an uploaded file like a drawn one.
func downloadMedia(c *call, id int64, _ signedLink) error {
	blob, err := c.service.OpenMedia(c.r.Context(), c.client, c.kind, id)
	if err != nil {
		return err
	}
	defer blob.Close()
	contentType, extension, err := original(blob)
	if err != nil {
		return err
	}
	disposition := "inline"
	if extension == "" {
		disposition = "attachment"
	}
	name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(string(c.kind), "s"), id, extension)
	return sendFile(c, blob, contentType, fmt.Sprintf("%s; filename=%q", disposition, name))
}

// original returns the content type of an uploaded file, and the extension of its name. Only pictures
// and movies have a type of their own: a browser must not take a file for a page.
func original(r io.ReadSeeker) (contentType, extension string, err error) {
	if _, err = r.Seek(0, io.SeekStart); err != nil {
		return "", "", err
	}
	head, err := io.ReadAll(io.LimitReader(r, 512))
	if err != nil {
		return "", "", err
	}
	if format := inference.ImageFormat(head[:min(len(head), 16)]); format != "" {
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

// sendFile serves a file with ranges and an ETag, or redirects to the storage.
func sendFile(c *call, blob storage.Blob, contentType, disposition string) error {
	h := c.w.Header()
	// Links of the storage are valid for GET only, and cannot be withdrawn as those to reports can.
	if linker, ok := storage.As[storage.Linker](blob); ok && c.opt.RedirectDownloads && c.r.Method == http.MethodGet && c.kind != storage.Keypoints {
		link, err := linker.Link(c.r.Context(), storage.LinkOptions{TTL: c.opt.LinkTTL, ContentType: contentType, ContentDisposition: disposition})
		if err != nil {
			return err
		}
		h.Set("Cache-Control", "no-store")
		h.Set("Location", link)
		c.w.WriteHeader(http.StatusFound)
		return nil
	}
	info := blob.Info()
	h.Set("Content-Type", contentType)
	h.Set("ETag", fmt.Sprintf(`"%x"`, info.MD5))
	h.Set("Content-Disposition", disposition)
	h.Set("Cache-Control", "private")
	return wire.Content(c.w, c.r, info.Modified, blob)
}
