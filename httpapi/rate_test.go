package httpapi_test

import (
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/storage"
)

// TestRate: a record echoes its rate, says which frames were looked at and filled, and its raw
// keypoints are those of the looks alone.
func TestRate(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder = fakes.Decoder{} })
	var pictures []image.Image
	for range 8 {
		pictures = append(pictures, fakes.Picture(image.Pt(40, 30)))
	}
	data := fakes.Movie(60, pictures...)
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		t.Fatalf("upload: %d %s", r.status, r.body)
	}
	movie := int64(m["id"].(float64))
	id, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId": %d, "rate": 20}`, movie))
	if record["rate"] != 20.0 || record["clean"] != nil || record["looks"] != nil {
		t.Errorf("the record: %v", record)
	}
	looks := []any{0.0, 3.0, 6.0, 7.0}
	d := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=looks,changes,timestamps", id), w.token, "").get(t)
	if diff := cmp.Diff(looks, d["looks"]); diff != "" {
		t.Error(diff)
	}
	counts := map[string]any{"swapped": 0.0, "rejected": 0.0, "filled": 20.0, "smoothed": 0.0, "skipped": 0.0}
	if diff := cmp.Diff(counts, d["cleaned"]); diff != "" {
		t.Error(diff)
	}
	raw := w.do("GET", fmt.Sprintf("/keypoints/%d/?raw=true&include=looks", id), w.token, "").get(t)
	if diff := cmp.Diff(looks, raw["looks"]); diff != "" {
		t.Error(diff)
	}
	if n := len(d["timestamps"].([]any)); n != 8 {
		t.Errorf("%d times", n)
	}
	for i := range 8 {
		looked := i%3 == 0 || i == 7
		filled := d["changes"].([]any)[i].(map[string]any)["nose"]
		if (filled == nil) != looked || filled != nil && !cmp.Equal(filled, []any{"filled"}) {
			t.Errorf("frame %d: the nose is %v", i, filled)
		}
		if n := len(d["keypoint"].([]any)[i].(map[string]any)); n != 5 {
			t.Errorf("frame %d has %d parts", i, n)
		}
		if n := len(raw["keypoint"].([]any)[i].(map[string]any)); (n == 5) != looked || n != 0 && n != 5 {
			t.Errorf("raw frame %d has %d parts", i, n)
		}
	}

	newest, again := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId": %d, "clean": true}`, id))
	if again["rate"] != 20.0 || again["keypointId"] != float64(id) {
		t.Errorf("cleaned again, the record has the rate %v and is made from %v", again["rate"], again["keypointId"])
	}
	for id, want := range map[int64]any{id: map[string]any{"id": float64(newest), "createdAt": again["createdAt"]}, newest: nil} {
		if newer, ok := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=newer", id), w.token, "").get(t)["newer"]; !ok || !cmp.Equal(newer, want) {
			t.Errorf("record %d leads to %v, want %v", id, newer, want)
		}
	}
	every, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId": %d, "rate": 0}`, movie))
	if rate, ok := record["rate"]; ok {
		t.Errorf("a record of every frame has the rate %v", rate)
	}
	if v, ok := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=looks", every), w.token, "").get(t)["looks"]; !ok || v != nil {
		t.Errorf("a record of every frame was looked at in %v", v)
	}

	picture := w.image(w.token)
	for body, want := range map[string]string{
		fmt.Sprintf(`{"movieId": %d, "rate": -1}`, movie):       "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": "30"}`, movie):     "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": 1e999}`, movie):    "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": NaN}`, movie):      "JSON",
		fmt.Sprintf(`{"imageId": %d, "rate": 30}`, picture):     "/rate",
		fmt.Sprintf(`{"keypointId": %d, "rate": 30}`, id):       "/keypointId",
		fmt.Sprintf(`{"movieId": %d, "rate": [30, 60]}`, movie): "/rate",
	} {
		if r := w.do("POST", "/keypoints/", w.token, body); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
}

// varying decodes a movie of fakes.Decoder with times of its own, of which it says other things before.
type varying struct {
	promised inference.Info
	times    []float64
}

func (v varying) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	return v.promised, nil
}

func (v varying) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	f, err := fakes.Decoder{}.Open(ctx, r)
	return &varied{Frames: f, times: v.times}, err
}

type varied struct {
	inference.Frames
	times []float64
}

func (v *varied) Next() (inference.Picture, error) {
	p, err := v.Frames.Next()
	if err == nil {
		p.Time, v.times = v.times[0], v.times[1:]
	}
	return p, err
}

// TestVariableRate: what was decoded corrects what the headers say: the frames, their rate and how long they last. Of a
// movie whose rate varies, the record, the report and the files have one rate, frames by duration, and the times stay.
func TestVariableRate(t *testing.T) {
	seconds := func(n int, each ...float64) (list []float64) {
		at := 0.0
		for i := range n {
			list = append(list, at)
			at += each[i*len(each)/n]
		}
		return list
	}
	for name, c := range map[string]struct {
		times []float64
		fps   float64
		time  string
		shown string // in the report
	}{
		"40 frames at 30":                {seconds(40, 1./30), 30.0, "00:00:01", "1.3 s, 30 pictures"},
		"45 frames at 30":                {seconds(45, 1./30), 30.0, "00:00:02", "1.5 s, 30 pictures"},
		"30 of 50 and 30 of 25 a second": {seconds(60, 0.02, 0.04), 33.523, "00:00:02", "1.8 s, 33.52 pictures"},
		"a hole of 2 seconds":            {append(seconds(30, 0.04), 3.2), 9.375, "00:00:03", "3.2 s, 9.38 pictures"},
	} {
		size := image.Pt(40, 30)
		w := newWorld(t, func(_ *httpapi.Options, cfg *motion.Config) {
			cfg.Decoder = varying{inference.Info{Size: size, Frames: 90, FrameRate: 25, Duration: 3.6}, c.times}
		})
		pictures := make([]image.Image, len(c.times))
		for i := range pictures {
			pictures[i] = fakes.Picture(size)
		}
		movie := w.put(storage.Movies, fakes.Movie(25, pictures...))
		var id int64
		if _, err := fmt.Sscanf(movie, "/movies/%d/", &id); err != nil {
			t.Fatal(err)
		}
		if m := w.do("GET", movie, w.token, "").get(t); m["frame"] != 90.0 || m["fps"] != 25.0 || m["time"] != "00:00:04" {
			t.Errorf("%s: the headers say %v", name, m)
		}
		key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId": %d}`, id))
		m := w.do("GET", movie, w.token, "").get(t)
		if m["frame"] != float64(len(c.times)) || m["fps"] != c.fps || m["time"] != c.time {
			t.Errorf("%s: %v frames, %v a second, %v", name, m["frame"], m["fps"], m["time"])
		}
		file := func(format string) string {
			return string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=%s", key, format), w.token, "").body)
		}
		rows := strings.Split(strings.TrimSpace(file("trc")), "\n")
		var rate, last float64
		_, err := fmt.Sscan(strings.Split(rows[2], "\t")[0]+" "+strings.Split(rows[len(rows)-1], "\t")[1], &rate, &last)
		if err != nil || math.Abs(rate-c.fps) > 0.0005 || math.Abs(last-c.times[len(c.times)-1]) > 1e-6 {
			t.Errorf("%s: DataRate %v, the last time %v (%v)", name, rate, last, err)
		}
		if page := file("report"); !strings.Contains(page, c.shown) {
			t.Errorf("%s: the report does not say %s", name, c.shown)
		}
	}
}
