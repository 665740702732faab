package server

import (
	"crypto/md5"
	"fmt"
	"image"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestSlowPicture: a JPEG picture that is made to keep its decoder busy fails soon, another picture
// behind it is done soon, and one that may still be decoded does not keep the server from ending.
func TestSlowPicture(t *testing.T) {
	testkit.NeedSignals(t)
	const grace = 2 * time.Second
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret", "--grace", grace.String())
	c := login(t, server.url)
	extract := func(picture []byte) (path string) {
		t.Helper()
		image := c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(picture)))
		c.call("PUT", image["uploadUrl"].(string), string(picture))
		return fmt.Sprintf("/anymotion/v1/keypoints/%v/", c.call("POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"imageId":%v}`, image["id"]))["id"])
	}
	begin := time.Now()
	size := image.Pt(3490, 3490)
	slow, good := extract(testkit.SlowJPEG(size, 20_000)), extract(sample.JPEG())
	if got := c.call("GET", slow+"?wait=30", ""); got["execStatus"] != "FAILURE" || time.Since(begin) > 15*time.Second {
		t.Errorf("after %v: %v", time.Since(begin), got)
	}
	if got := c.call("GET", good+"?wait=30", ""); got["execStatus"] != "SUCCESS" || time.Since(begin) > 20*time.Second {
		t.Errorf("after %v: %v", time.Since(begin), got)
	}
	extract(testkit.SlowJPEG(size, 100))
	for until := time.Now().Add(time.Minute); c.statuses()["PROCESSING"] == 0; time.Sleep(10 * time.Millisecond) { // as a client asks
		if time.Now().After(until) {
			t.Fatalf("%v\n%s", c.statuses(), server.said())
		}
	}
	if took, err := server.end(t, syscall.SIGTERM); took > grace+2*time.Second {
		t.Errorf("the server ended after %v: %v\n%s", took, err, server.said())
	}
}
