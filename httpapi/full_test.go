package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage/file"
)

// TestDiskFull: an upload for which the disk has no room is asked to come again later.
func TestDiskFull(t *testing.T) {
	blobs, err := file.Open(t.TempDir(), file.Options{MinFree: 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Blobs = blobs })
	data := picture()
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	r := w.do("PUT", m["uploadUrl"].(string), "", string(data))
	if r.status != 503 || r.header.Get("Retry-After") == "" || strings.Contains(string(r.body), "disk") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}
