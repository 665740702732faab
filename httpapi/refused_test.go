package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRefused: what would be read as something else than was sent is refused, at its place.
func TestRefused(t *testing.T) {
	w := newWorld(t, nil)
	image := w.image(w.token)
	frames := `{"size":[100,50],"keypoints":[{"nose":[1,2]},%s],"timestamps":[0,1]}`
	if r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(frames, `{"nose":[1,2],"leftEye":[1,2]}`)); r.status != 201 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	media := fmt.Sprintf("/images/%d/", image)
	for _, c := range []struct{ method, path, body, place string }{
		{"POST", "/keypoints/", fmt.Sprintf(frames, `{"nose":[1,2],"leftEye":[1,2],"nose":[3,4]}`), "/keypoints/1/nose"},
		{"POST", "/keypoints/", fmt.Sprintf(frames, `{"nose":[1,2],"\u006eose":[3,4]}`), "/keypoints/1/nose"},
		{"POST", "/keypoints/", `{"size":[100,50],"keypoints":[{"nose":[1,2]}],"scores":[{"nose":1,"nose":0}]}`, "/scores/0/nose"},
		{"POST", "/keypoints/", `{"size":[100,50],"format":"json","data":{"frames":[],"frames":[]}}`, "/data/frames"},
		{"POST", "/keypoints/", `{"size":[100,50],"format":"jsonl","data":"{\"frame\":0,\"frame\":1}\n"}`, "/data"},
		{"PATCH", media, `{"tags":["\u202e"]}`, "/tags"},
		{"PATCH", media, `{"tags":["\u200b"]}`, "/tags"},
		{"PATCH", media, `{"tags":["\u0301"]}`, "/tags"},
		{"PATCH", media, `{"tags":["squat\u202e"]}`, "/tags"},
		{"PATCH", media, `{"recordedAt":"0001-01-01T00:00:00Z"}`, "/recordedAt"},
		{"PATCH", media, `{"recordedAt":"0001-01-01T09:00:00+09:00"}`, "/recordedAt"},
	} {
		if r := w.do(c.method, c.path, w.token, c.body); r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf("%q", c.place)) {
			t.Errorf("%s: %d %s, want a mistake at %s", c.body, r.status, r.body, c.place)
		}
	}
	if r := w.do("PATCH", media, w.token, `{"tags":["膝","👩‍⚕️","e\u0301"],"recordedAt":"2026-11-02T14:10:00Z"}`); r.status != 200 {
		t.Errorf("good tags: %d %s", r.status, r.body)
	}
	if r := w.do("PATCH", media, w.token, `{"recordedAt":"0001-01-01T00:00:00Z"}`); r.status != 400 || w.do("GET", media, w.token, "").get(t)["recordedAt"] == nil {
		t.Errorf("the date is gone: %d %s", r.status, r.body)
	}
}

// TestPartOfUpload: a part of a file is not stored as the whole.
func TestPartOfUpload(t *testing.T) {
	w := newWorld(t, nil)
	data := string(picture())
	link := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5([]byte(data)))).get(t)["uploadUrl"].(string)
	for _, part := range []string{"bytes 0-99/200", "bytes */200", "bytes 0-" + fmt.Sprint(len(data)-1) + "/" + fmt.Sprint(len(data))} {
		if r := w.do("PUT", link, "", data, "Content-Range", part, "Content-Type", "image/png"); r.status != 400 || !strings.Contains(string(r.body), "Content-Range") {
			t.Errorf("%s: %d %s", part, r.status, r.body)
		}
	}
	if r := w.do("PUT", link, "", data, "Content-Type", "image/png"); r.status != 200 {
		t.Errorf("the whole: %d %s", r.status, r.body)
	}
}
