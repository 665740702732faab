package httpapi_test

import (
	"context"
	"fmt"
	"image"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// halting is an estimator that, once it has looked n times, waits until it is let go.
type halting struct {
	fakes.Estimator
	n    atomic.Int64
	goOn chan struct{}
}

func (h *halting) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if h.n.Add(-1) < 0 {
		select {
		case <-ctx.Done():
			return keypoint.Frame{}, ctx.Err()
		case <-h.goOn:
		}
	}
	return h.Estimator.Estimate(ctx, img, hint)
}

// TestFound: while keypoints are found, those that are found so far can be read, by their owner alone, and
// they are the raw ones in the end.
func TestFound(t *testing.T) {
	var pictures []image.Image
	for i := range 30 {
		pictures = append(pictures, fakes.Picture(image.Pt(280, 80), image.Rect(10, 20, 30, 70).Add(image.Pt(3*i, 0))))
	}
	data := fakes.Movie(10, pictures...)
	for name, c := range map[string]struct {
		options string
		known   bool
	}{
		"plain":     {`"clean": {"smooth": {"method": "oneEuro"}}`, true},
		"rate":      {`"rate": 5`, true},
		"capture":   {`"capture": {"frameRate": 100}`, true},
		"everybody": {`"everybody": true`, false},
		"watched":   {`"choose": {"policy": "mostMovement", "seconds": 60}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := &halting{goOn: make(chan struct{})}
			h.n.Store(12)
			w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
				c.Decoder, c.Estimator, c.Workers = fakes.Decoder{}, h, 1
			})
			m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
			if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
				t.Fatalf("upload: %d %s", r.status, r.body)
			}
			id := int64(w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId": %v, %s}`, m["id"], c.options)).get(t)["id"].(float64))
			path := fmt.Sprintf("/keypoints/%d/", id)
			get := func(query string) map[string]any { return w.do("GET", path+query, w.token, "").get(t) }
			testkit.Wait(t, "the estimator is held", func() bool { return h.n.Load() < 0 })
			waiting := get("?include=found")
			frames := func(v any) (list []any) {
				found, _ := v.(map[string]any)
				list, _ = found["keypoint"].([]any)
				return list
			}
			for c.known && len(frames(waiting["found"])) < 8 { // the last looks are being made final
				waiting = get("?include=found")
			}
			if waiting["execStatus"] != "PROCESSING" || waiting["keypoint"] != nil {
				t.Fatalf("the record: %v", waiting)
			}
			if v, ok := waiting["found"]; !ok || (v != nil) != c.known {
				t.Errorf("found is %v", v)
			}
			if v, ok := get("")["found"]; ok {
				t.Errorf("without being asked for, found is %v", v)
			}
			if r := w.do("GET", path+"?include=found", w.other, ""); r.status != 404 {
				t.Errorf("somebody else: %d %s", r.status, r.body)
			}
			if _, ok := w.service.GetFound("bob", id, 0); ok {
				t.Error("somebody else's frames are known")
			}
			if c.known {
				for i, want := range []any{nil, 1.0, 2.0} { // the first one is at work
					another := path
					if i > 0 {
						again := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId": %v}`, m["id"])).get(t)
						another = fmt.Sprintf("/keypoints/%v/", again["id"])
					}
					if ahead, ok := w.do("GET", another+"?include=ahead,preliminary", w.token, "").get(t)["ahead"]; !ok || ahead != want {
						t.Errorf("before record %d are %v, want %v", i, ahead, want)
					}
				}
			}
			from, past := get("?include=found&foundFrom=3")["found"], get("?include=found&foundFrom=1000")["found"]

			close(h.goOn)
			done := w.do("GET", path+"?wait=60&raw=true&include=found,timestamps", w.token, "").get(t)
			if v, ok := done["found"]; !ok || v != nil || done["execStatus"] != "SUCCESS" {
				t.Errorf("after %v, found is %v", done["execStatus"], v)
			}
			if _, ok := w.service.GetFound("alice", id, 0); ok {
				t.Error("the frames are kept after the end of the job")
			}
			if !c.known {
				return
			}
			raw := done["keypoint"].([]any)
			seconds := func(first, n int) (list []any) {
				for i := range n {
					list = append(list, float64(first+i)/10)
				}
				return list
			}
			n := len(frames(from))
			want := map[string]any{"from": 3.0, "keypoint": raw[3 : 3+n], "timestamps": seconds(3, n)}
			if diff := cmp.Diff(want, from); diff != "" || n < 5 || n > 20 {
				t.Errorf("%d frames from 3 on: %s", n, diff)
			}
			if diff := cmp.Diff(map[string]any{"from": 1000.0, "keypoint": []any{}, "timestamps": []any{}}, past); diff != "" {
				t.Errorf("past the end: %s", diff)
			}
			for _, query := range []string{"include=found&foundFrom=-1", "include=found&foundFrom=x", "include=found&foundFrom=", "include=found&foundFrom=1.5", "include=scores&foundFrom=1", "foundFrom=0"} {
				if r := w.do("GET", path+"?"+query, w.token, ""); r.status != 400 || !strings.Contains(string(r.body), `"parameter":"foundFrom"`) {
					t.Errorf("%s: %d %s", query, r.status, r.body)
				}
			}
		})
	}
}

// TestFoundEnds: the frames are forgotten too if the record is deleted while it is worked on.
func TestFoundEnds(t *testing.T) {
	h := &halting{goOn: make(chan struct{})}
	h.n.Store(5)
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder, c.Estimator = fakes.Decoder{}, h })
	var pictures []image.Image
	for range 9 {
		pictures = append(pictures, fakes.Picture(image.Pt(40, 60), image.Rect(10, 10, 20, 50)))
	}
	data := fakes.Movie(10, pictures...)
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		t.Fatalf("upload: %d %s", r.status, r.body)
	}
	id := int64(w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId": %v}`, m["id"])).get(t)["id"].(float64))
	known := func() bool { _, ok := w.service.GetFound("alice", id, 0); return ok }
	testkit.Wait(t, "something is found", known)
	if err := w.service.DeleteRecord(t.Context(), "alice", storage.Keypoints, id); err != nil {
		t.Fatal(err)
	}
	testkit.Wait(t, "what was found is forgotten", func() bool { return !known() })
}
