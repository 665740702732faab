package httpapi_test

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// whole finds somebody of 100 pixels who stands still.
type whole struct{}

func (whole) Estimate(context.Context, image.Image, inference.Hint) (f keypoint.Frame, _ error) {
	for p, height := range map[keypoint.Part]float64{
		keypoint.LeftAnkle: 3.9, keypoint.LeftKnee: 28.5, keypoint.LeftHip: 53, keypoint.LeftShoulder: 81.8, keypoint.LeftEar: 92.5,
	} {
		f.Set(p, keypoint.Point{20, 110 - height}, 0.875)
		f.Set(p.Mirror(), keypoint.Point{20, 110 - height}, 0.875)
	}
	return f, nil
}

// calibrated is a world with a movie of 8 frames, 60 a second, of whole.
func calibrated(t *testing.T) (w *world, movie int64) {
	w = newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder, c.Estimator = fakes.Decoder{}, whole{}
	})
	var pictures []image.Image
	for range 8 {
		pictures = append(pictures, fakes.Picture(image.Pt(40, 120)))
	}
	data := fakes.Movie(60, pictures...)
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		t.Fatalf("upload: %d %s", r.status, r.body)
	}
	return w, int64(m["id"].(float64))
}

// TestCalibration: a record echoes capture, scale, floor and origin, and shows what was found; analyses
// and files made from it follow, and keypointId does it anew.
func TestCalibration(t *testing.T) {
	w, movie := calibrated(t)
	type members = map[string]any
	list := func(v ...any) []any { return v }
	asked := members{"capture": members{"frameRate": 240.0}, "scale": members{"bodyHeight": 1.8}, "floor": list(list(0.0, 110.0), list(30.0, 110.0))}
	body := `,"capture":{"frameRate":240},"scale":{"bodyHeight":1.8},"floor":[[0,110],[30,110]],"origin":null}`
	of := func(m members) members {
		out := members{}
		for _, name := range []string{"capture", "scale", "floor", "origin", "cameraPitch"} {
			if v, ok := m[name]; ok {
				out[name] = v
			}
		}
		return out
	}
	r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId":%d%s`, movie, body))
	if diff := cmp.Diff(asked, of(r.get(t))); r.status != 201 || diff != "" {
		t.Errorf("%d: %s", r.status, diff)
	}
	id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movie_id":%d%s`, movie, body))
	if diff := cmp.Diff(asked, of(m)); diff != "" {
		t.Error(diff)
	}
	found := m["world"].(members)
	if k := found["metresPerPixel"].(float64); math.Abs(k-0.018) > 1e-4 || found["scaleError"].(float64) < 0.014 || found["floor"] != 0.0 || !cmp.Equal(found["origin"], list(0.0, 110.0)) {
		t.Errorf("found: %v", found)
	}
	for _, query := range []string{"", "&raw=true"} {
		times := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=timestamps%s", id, query), w.token, "").get(t)["timestamps"].([]any)
		if last := times[7].(float64); math.Abs(last-7./240) > 1e-6 {
			t.Errorf("%q: the last frame is at %v s", query, last)
		}
		trc := string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=trc%s", id, query), w.token, "").body)
		if !strings.Contains(trc, "\tm\t") || !strings.Contains(trc, "240") {
			t.Errorf("%q: a TRC file without metres or the rate:\n%.300s", query, trc)
		}
	}
	rule := `[{"analysisType":"euclideanDistance","points":["leftHip","leftKnee"]},{"analysisType":"speed","points":["leftHip"]}]`
	thigh := func(keypoint int64) (value float64, units []any) {
		_, a := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, keypoint, rule))
		results := a["result"].([]any)
		return results[0].(members)["values"].([]any)[0].(float64), list(results[0].(members)["unit"], results[1].(members)["unit"])
	}
	if v, units := thigh(id); math.Abs(v-24.5*0.018) > 0.003 || !cmp.Equal(units, list("m", "m/s")) {
		t.Errorf("the thigh is %v long, in %v", v, units)
	}

	zero := list(0.0, 0.0)
	for more, want := range map[string]struct {
		asked, world any
		thigh        float64
		unit         string
	}{
		``:                           {members{}, nil, 24.5, "px"},
		`,"scale":null,"floor":null`: {members{}, nil, 24.5, "px"},
		`,"cameraPitch":12`: {
			members{"cameraPitch": 12.0}, members{"floor": 0.0, "origin": zero, "pitch": 12.0, "pitchError": 4.0}, 24.5, "px",
		},
		`,"scale":{"metresPerPixel":0.5,"length":null}`: {
			members{"scale": members{"metresPerPixel": 0.5}}, members{"metresPerPixel": 0.5, "floor": 0.0, "origin": zero}, 12.25, "m",
		},
		`,"scale":{"length":2,"from":[0,100],"to":[0,0]},"floor":-1.5,"origin":[1,2]`: {
			members{"scale": members{"length": 2.0, "from": list(0.0, 100.0), "to": zero}, "floor": -1.5, "origin": list(1.0, 2.0)},
			members{"metresPerPixel": 0.02, "scaleError": math.Sqrt2 / 100, "floor": -1.5, "origin": list(1.0, 2.0)}, 0.49, "m",
		},
		`,"floor":0`: {members{"floor": 0.0}, members{"floor": 0.0, "origin": zero}, 24.5, "px"},
	} {
		again, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d%s}`, id, more))
		if diff := cmp.Diff(list(want.asked, want.world), list(of(m), m["world"])); diff != "" {
			t.Errorf("%s: %s", more, diff)
		}
		if v, units := thigh(again); math.Abs(v-want.thigh) > 1e-9 || units[0] != want.unit {
			t.Errorf("%s: the thigh is %v long, in %v", more, v, units)
		}
		_, drawn := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, id, again))
		if drawn["execStatus"] != "SUCCESS" {
			t.Errorf("%s: compared: %v", more, drawn)
		}
	}

	// What the recording does not show says what to give instead.
	_, m = w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"floor":"auto"}`, id))
	if detail, _ := m["failureDetail"].(string); m["execStatus"] != "FAILURE" || m["floor"] != "auto" || m["world"] != nil || !strings.HasSuffix(detail, "give two points or an angle.") {
		t.Errorf("the floor under somebody who stands: %v", m)
	}
}

// TestCalibrationRefused: a wrong value is a 400 that names its member.
func TestCalibrationRefused(t *testing.T) {
	w, movie := calibrated(t)
	picture := w.image(w.token)
	still, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d,"scale":{"bodyHeight":1.8},"floor":2}`, picture))
	for more, want := range map[string]string{
		`"capture":240`:                                        "/capture",
		`"capture":{}`:                                         "/capture/frameRate",
		`"capture":{"frameRate":null}`:                         "/capture/frameRate",
		`"capture":{"frameRate":"240"}`:                        "/capture/frameRate",
		`"capture":{"frameRate":0}`:                            "/capture/frameRate",
		`"capture":{"frameRate":-240}`:                         "/capture/frameRate",
		`"capture":{"frameRate":1e999}`:                        "/capture/frameRate",
		`"capture":{"frameRate":20000}`:                        "/capture",
		`"capture":{"frame_rate":240}`:                         "/capture/frame_rate",
		`"scale":1.78`:                                         "/scale",
		`"scale":{}`:                                           "/scale",
		`"scale":{"height":1.78}`:                              "/scale/height",
		`"scale":{"bodyHeight":178}`:                           "/scale",
		`"scale":{"bodyHeight":0}`:                             "/scale/bodyHeight",
		`"scale":{"bodyHeight":"1.78"}`:                        "/scale/bodyHeight",
		`"scale":{"bodyHeight":1.78,"metresPerPixel":1}`:       "/scale",
		`"scale":{"bodyHeight":1.78,"from":[1,2]}`:             "/scale",
		`"scale":{"metresPerPixel":-1}`:                        "/scale/metresPerPixel",
		`"scale":{"metresPerPixel":1e300}`:                     "/scale",
		`"scale":{"length":2}`:                                 "/scale",
		`"scale":{"length":2,"from":[1,2]}`:                    "/scale",
		`"scale":{"length":2,"from":[1,2],"to":[1,2]}`:         "/scale",
		`"scale":{"length":2,"from":[1,2],"to":[3]}`:           "/scale/to",
		`"scale":{"length":2,"from":[1,2],"to":[3,null]}`:      "/scale/to/1",
		`"scale":{"length":2,"from":[1,2],"to":{"x":3,"y":4}}`: "/scale/to",
		`"scale":{"length":-2,"from":[1,2],"to":[3,4]}`:        "/scale/length",
		`"floor":"level"`:                                      "/floor",
		`"floor":true`:                                         "/floor",
		`"floor":91`:                                           "/floor",
		`"floor":[[1,2]]`:                                      "/floor",
		`"floor":[1,2]`:                                        "/floor/0",
		`"floor":[[1,2],[3,"4"]]`:                              "/floor/1/1",
		`"floor":[[1,2],null]`:                                 "/floor/1",
		`"floor":[[1,2],[1,2]]`:                                "/floor",
		`"floor":[[1,2],[1e7,2]]`:                              "/floor",
		`"origin":"centre"`:                                    "/origin",
		`"origin":[1]`:                                         "/origin",
		`"origin":[1,1e7]`:                                     "/origin",
	} {
		r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId":%d,%s}`, movie, more))
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, want)) {
			t.Errorf("%s: %d %s, want 400 at %s", more, r.status, r.body, want)
		}
	}
	for _, of := range []string{fmt.Sprintf(`{"imageId":%d,`, picture), fmt.Sprintf(`{"keypointId":%d,`, still)} {
		for more, want := range map[string]string{`"capture":{"frameRate":240}}`: "/capture", `"floor":"auto"}`: "/floor"} {
			r := w.do("POST", "/keypoints/", w.token, of+more)
			if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, want)) {
				t.Errorf("%s%s: %d %s, want 400 at %s", of, more, r.status, r.body, want)
			}
		}
	}
}
