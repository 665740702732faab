package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// TestETags: a client that has an answer gets 304 until the answer changes.
func TestETags(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	image := fmt.Sprintf("/images/%d/", img)
	for _, path := range []string{image, "/images/", fmt.Sprintf("/keypoints/%d/", key), fmt.Sprintf("/keypoints/%d/?format=csv", key)} {
		first := w.do("GET", path, w.token, "")
		tag := first.header.Get("ETag")
		if first.status != 200 || tag == "" || first.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d %v", path, first.status, first.header)
		}
		for _, value := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			r := w.do("GET", path, w.token, "", "If-None-Match", value)
			if r.status != 304 || len(r.body) != 0 || r.header.Get("ETag") != tag || r.header.Get("Vary") == "" || r.header.Get("Content-Length") != "" {
				t.Errorf("%s for %s: %d %v", path, value, r.status, r.header)
			}
		}
		for _, value := range []string{`"other"`, tag[:len(tag)-2] + `"`} {
			if r := w.do("GET", path, w.token, "", "If-None-Match", value); r.status != 200 || !bytes.Equal(r.body, first.body) {
				t.Errorf("%s for %s: %d", path, value, r.status)
			}
		}
		if r := w.do("GET", path, w.other, "", "If-None-Match", tag); path != "/images/" && r.status != 404 || path == "/images/" && r.status != 200 {
			t.Errorf("%s of somebody else: %d", path, r.status)
		}
	}
	before := w.do("GET", image, w.token, "").header.Get("ETag")
	if r := w.do("PATCH", image, w.token, `{"name":"another"}`); r.status != 200 {
		t.Fatal(r.status)
	}
	if r := w.do("GET", image, w.token, "", "If-None-Match", before); r.status != 200 || r.header.Get("ETag") == before || r.get(t)["name"] != "another" {
		t.Errorf("after a change: %d %s", r.status, r.body)
	}
}

// TestGzip: JSON and text of more than a kibibyte are compressed for clients that take gzip, and for no others.
func TestGzip(t *testing.T) {
	w := newWorld(t, nil)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	const none = "identity"
	long := strings.Repeat("a longer text ", 100)
	made := fmt.Sprintf(`{"contentMd5":%q,"text":%q}`, base64MD5([]byte("x")), long)
	for _, c := range []struct {
		method, path, body string
		packed             bool
	}{
		{"POST", "/images/", made, true}, {"GET", "/images/2/", "", true}, {"GET", fmt.Sprintf("/keypoints/%d/?format=csv", key), "", true},
		{"GET", fmt.Sprintf("/keypoints/%d/?format=report", key), "", true}, {"GET", "/openapi.json", "", true}, {"GET", "/docs/", "", true},
		{"GET", "/images/1/", "", false}, {"GET", fmt.Sprintf("/keypoints/%d/", key), "", false}, {"GET", fmt.Sprintf("/keypoints/%d/?format=sheet", key), "", false},
		{"GET", fmt.Sprintf("/keypoints/%d/?format=openpose", key), "", false},
	} {
		plain := w.do(c.method, c.path, w.token, c.body, "Accept-Encoding", none)
		r := w.do(c.method, c.path, w.token, c.body, "Accept-Encoding", "br, gzip;q=0.5")
		if plain.header.Get("Content-Encoding") != "" || r.status/100 != 2 || r.status != plain.status {
			t.Fatalf("%s: %d %v", c.path, r.status, plain.header)
		}
		if packed := r.header.Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%s of %d bytes: compressed %v", c.path, len(plain.body), packed)
			continue
		} else if !packed {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(z)
		if err != nil || c.method == "GET" && !bytes.Equal(unpacked, plain.body) || len(unpacked) <= len(r.body) || r.header.Get("Content-Length") != fmt.Sprint(len(r.body)) {
			t.Errorf("%s: %d bytes are unpacked to %d, want %d (%v)", c.path, len(r.body), len(unpacked), len(plain.body), err)
		}
		if c.method == "GET" && r.header.Get("ETag") != plain.header.Get("ETag") {
			t.Errorf("%s: the ETags differ", c.path)
		}
	}
}

// TestRefusedFiles: what net/http refuses of a file is refused as everything else is.
func TestRefusedFiles(t *testing.T) {
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.OriginalMedia = true })
	img := w.image(w.token)
	address := fmt.Sprint(w.do("GET", fmt.Sprintf("/images/%d/?include=media", img), w.token, "").get(t)["mediaUrl"])
	size := len(picture())
	for name, c := range map[string]struct {
		header, value string
		status        int
	}{
		"beyond the end":   {"Range", fmt.Sprintf("bytes=%d-", size), http.StatusRequestedRangeNotSatisfiable},
		"another version":  {"If-Match", `"other"`, http.StatusPreconditionFailed},
		"an older version": {"If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT", http.StatusPreconditionFailed},
	} {
		r := w.do("GET", address, "", "", c.header, c.value)
		if r.status != c.status || r.header.Get("Content-Type") != "application/problem+json" || r.get(t)["status"] != float64(c.status) || r.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: %d %v %s", name, r.status, r.header, r.body)
		}
		if got := r.header.Get("Content-Range"); c.header == "Range" && name == "beyond the end" && got != fmt.Sprintf("bytes */%d", size) {
			t.Errorf("%s: Content-Range %q", name, got)
		}
	}
	if r := w.do("GET", address, "", "", "Range", "frames=1-2"); r.status != 200 || len(r.body) != size {
		t.Errorf("an unknown unit: %d and %d bytes, want the whole file", r.status, len(r.body))
	}
}

// TestNames: a name and a text are as they were given, also empty ones; null is none.
func TestNames(t *testing.T) {
	w := newWorld(t, nil)
	for body, want := range map[string][2]any{
		`"name":"","text":""`: {"", ""}, `"name":"a"`: {"a", nil}, `"name":null,"text":"b"`: {nil, "b"}, `"text":null`: {nil, nil},
	} {
		m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q,%s}`, base64MD5(nil), body)).get(t)
		path := fmt.Sprintf("/movies/%v/", m["id"])
		again := w.do("GET", path, w.token, "").get(t)
		for _, got := range []map[string]any{m, again} {
			if got["name"] != want[0] || got["text"] != want[1] {
				t.Errorf("%s: %v %v, want %v", body, got["name"], got["text"], want)
			}
		}
		if item := w.do("GET", "/movies/?size=1", w.token, "").get(t)["data"].([]any)[0].(map[string]any); item["name"] != want[0] {
			t.Errorf("%s in the list: %v", body, item["name"])
		}
		changed := w.do("PATCH", path, w.token, `{"name":"","text":null}`).get(t)
		if changed["name"] != "" || changed["text"] != want[1] {
			t.Errorf("%s changed: %v %v", body, changed["name"], changed["text"])
		}
	}
}
