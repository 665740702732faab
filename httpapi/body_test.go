package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// TestMistakesInOrder holds that a request with several mistakes gets the same answer each time.
func TestMistakesInOrder(t *testing.T) {
	w := newWorld(t, nil)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	for _, c := range []struct{ path, body string }{
		{"/keypoints/", `{"movieId":1,"choose":{"policy":"centreFront","point":[1,2],"track":3,"seconds":1}}`},
		{"/keypoints/", `{"movieId":1,"rate":"x","feet":1,"scale":{"length":-1,"bodyHeight":"x"},"floor":"x","origin":[1],"capture":{"frameRate":0}}`},
		{"/analyses/", fmt.Sprintf(`{"keypointId":%d,"gait":true,"jump":true,"from":1,"to":2}`, key)},
		{"/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[{"analysisType":"x"},{"points":1}],"gait":3,"jump":"x","from":"x"}`, key)},
		{"/comparisons/", `{"person":0,"targetPerson":"x","alignment":1,"mirror":2,"repetitions":[]}`},
		{"/drawings/", fmt.Sprintf(`{"keypointId":%d,"preset":"x","layout":"x","values":1,"from":"x","to":0}`, key)},
		{"/movies/", `{"name":1,"text":2}`},
	} {
		first := ""
		for i := range 40 {
			r := w.do("POST", c.path, w.token, c.body, "X-Request-Id", "same")
			if r.status != 400 {
				t.Fatalf("%s: %d %s", c.body, r.status, r.body)
			}
			if i == 0 {
				first = string(r.body)
			}
			if first != string(r.body) {
				t.Fatalf("%s: %s, and then %s", c.body, first, r.body)
			}
		}
	}
}

// TestCharset: a body is UTF-8, and one that says something else is refused.
func TestCharset(t *testing.T) {
	d := newDirect(t, nil)
	for contentType, status := range map[string]int{
		"application/json": 201, "application/json; charset=UTF-8": 201, `application/json;charset="utf-8"`: 201, "application/json; x=y": 201,
		"application/json; charset=utf-16": 415, "application/json; charset=iso-8859-1": 415, "application/json; charset=": 415, "text/json": 415,
	} {
		if r := d.do("POST", "/movies/", "alice", newMovie, "Content-Type", contentType); r.Code != status {
			t.Errorf("%s: %d %s, want %d", contentType, r.Code, r.Body, status)
		}
	}
}

// slowMotion is a Decoder of a movie with a picture an hour.
type slowMotion struct{ inference.Decoder }

func (slowMotion) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: image.Pt(4, 3), Frames: 2, FrameRate: 1. / 3600, Duration: 7200}, nil
}

// TestSlowestRate: a frame rate is never rounded to 0.
func TestSlowestRate(t *testing.T) {
	d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder = slowMotion{} })
	id := uploaded(t, d.service, "alice", storage.Movies, []byte("movie"))
	var m struct {
		FPS  float64
		Time string
	}
	r := d.do("GET", fmt.Sprintf("/movies/%d/", id), "alice", "")
	if err := json.Unmarshal(r.Body.Bytes(), &m); err != nil || m.FPS != 1./3600 || m.Time != "02:00:00" {
		t.Errorf("%s (%v)", r.Body, err)
	}
}
