package server

import (
	"bytes"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// caller is a client of the API.
type caller struct {
	t          testing.TB
	url, token string
}

func login(t testing.TB, url string) *caller {
	t.Helper()
	c := &caller{t: t, url: url}
	answer := c.call("POST", "/oauth/v1/accesstokens", `{"grantType":"client_credentials","clientId":"someone","clientSecret":"very-secret"}`)
	c.token, _ = answer["accessToken"].(string)
	return c
}

// call sends a request to a path of the server, or to an address, and decodes the answer.
func (c *caller) call(method, path, body string) map[string]any {
	c.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = c.url + path
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %s %s (%v)", method, path, resp.Status, text, err)
	}
	var answer map[string]any
	if len(bytes.TrimSpace(text)) > 0 {
		if err := json.Unmarshal(text, &answer); err != nil {
			c.t.Fatalf("%s %s: %s: %v", method, path, text, err)
		}
	}
	return answer
}

// statuses returns how many keypoint extractions have each status.
func (c *caller) statuses() map[string]int {
	c.t.Helper()
	n := map[string]int{}
	for _, r := range c.call("GET", "/anymotion/v1/keypoints/?size=1000", "")["data"].([]any) {
		n[r.(map[string]any)["execStatus"].(string)]++
	}
	return n
}

// TestResume kills a server that has work to do: one that is started again has the
// records and finishes the work.
func TestResume(t *testing.T) {
	testkit.NeedSignals(t)
	args := []string{"--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret"}
	server := start(t, args...)
	c := login(t, server.url)
	picture := sample.JPEG()
	image := c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x","text":"kept"}`, md5.Sum(picture)))
	c.call("PUT", image["uploadUrl"].(string), string(picture))
	const jobs = 15
	for range jobs {
		c.call("POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"imageId":%v}`, image["id"]))
	}
	if err := server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.cmd.Wait(); err == nil {
		t.Error("the server was killed and ends without an error")
	}

	server = start(t, args...)
	defer server.drain(t)
	c = login(t, server.url)
	before := c.statuses()
	if got := c.call("GET", fmt.Sprintf("/anymotion/v1/images/%v/", image["id"]), ""); got["text"] != "kept" || got["width"] != 1200.0 {
		t.Errorf("the image is %v", got)
	}
	if before["SUCCESS"] == jobs {
		t.Error("the killed server had no work left, which leaves nothing to see here")
	}
	for until := time.Now().Add(time.Minute); ; {
		n := c.statuses()
		if n["SUCCESS"] == jobs {
			t.Logf("%v after the start, all done now", before)
			return
		}
		if n["FAILURE"] > 0 || time.Now().After(until) {
			t.Fatalf("%v after the start, %v now", before, n)
		}
		time.Sleep(50 * time.Millisecond) // asked as a client asks
	}
}
