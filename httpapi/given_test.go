package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// landmarks returns what MediaPipe for Python has found in a movie of squats, as its results are written.
func tasksResults(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(testkit.Data(t, "videos/tfjs_squats/blazepose_33_px.json"))
	if err != nil {
		t.Fatal(err)
	}
	var frames [][][]float64
	if err := json.Unmarshal(b, &frames); err != nil {
		t.Fatal(err)
	}
	type landmark map[string]float64
	var results []map[string]any
	for i, f := range frames {
		one := []landmark{}
		for _, p := range f {
			one = append(one, landmark{"x": p[0] / 720, "y": p[1] / 1280, "z": 0, "presence": 1})
		}
		results = append(results, map[string]any{"timestamp_ms": i * 200, "pose_landmarks": []any{one}, "pose_world_landmarks": []any{}})
	}
	if b, err = json.Marshal(results); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestGivenKeypoints: results of MediaPipe become a record without a movie, with its verdict, repetitions and report, and
// what it answers is taken again as our own form.
func TestGivenKeypoints(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("POST", "/keypoints/", w.token, `{"size":[720,1280],"clean":true,"scale":{"bodyHeight":1.8},"data":`+tasksResults(t)+`}`)
	if made.status != 201 {
		t.Fatalf("%d %s", made.status, made.body)
	}
	m := made.get(t)
	if m["execStatus"] != "SUCCESS" || m["movie"] != nil || m["image"] != nil || fmt.Sprint(m["size"]) != "[720 1280]" {
		t.Errorf("%v", m)
	}
	id := int64(m["id"].(float64))
	address := fmt.Sprintf("/keypoints/%d/", id)
	record := w.do("GET", address+"?include=scores,timestamps", w.token, "").get(t)
	if n := len(record["keypoint"].([]any)); n != 65 || record["world"] == nil || record["cleaned"] == nil {
		t.Errorf("%d frames, %v", n, record["world"])
	}
	quality := record["quality"].(map[string]any)
	warnings := quality["warnings"].([]any)
	if last := warnings[len(warnings)-1].(map[string]any); last["code"] != "unseen" || quality["verdict"] == "good" {
		t.Errorf("%v: %v", quality["verdict"], warnings)
	}
	_, analysis := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true}`, id))
	overview := analysis["overview"].(map[string]any)
	if count := overview["repetitions"].(map[string]any)["count"]; overview["movement"] != "squat" || count.(float64) < 3 {
		t.Errorf("%v: %v", overview["movement"], count)
	}
	if r := w.do("GET", address+"?format=report", w.token, ""); r.status != 200 || !strings.Contains(string(r.body), "<html") {
		t.Errorf("report: %d", r.status)
	}
	if r := w.do("GET", address+"?format=sheet", w.token, ""); r.status != 404 || !strings.Contains(string(r.body), "without a movie") {
		t.Errorf("sheet: %d %s", r.status, r.body)
	}
	if r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d}`, id)); r.status != 409 || !strings.Contains(string(r.body), "no movie or image to draw on") {
		t.Errorf("drawing: %d %s", r.status, r.body)
	}
	again, whole := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":false}`, id))
	if fmt.Sprint(whole["size"]) != "[720 1280]" || len(whole["keypoint"].([]any)) != 65 {
		t.Errorf("cleaned again: %v", whole["size"])
	}
	raw, err := json.Marshal(map[string]any{"keypoints": record["keypoint"], "scores": record["scores"], "timestamps": record["timestamps"], "size": record["size"], "clean": false})
	if err != nil {
		t.Fatal(err)
	}
	_, own := w.record(storage.Keypoints, w.token, string(raw))
	if fmt.Sprint(own["keypoint"]) != fmt.Sprint(record["keypoint"]) {
		t.Error("the own form is read as something else")
	}
	if _, compared := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, id, again)); compared["difference"] == nil {
		t.Error("no comparison")
	}
}

// TestGivenMirrored: the sides of a mirrored picture are put right, also in the picture.
func TestGivenMirrored(t *testing.T) {
	w := newWorld(t, nil)
	_, m := w.record(storage.Keypoints, w.token, `{"keypoints":[{"leftWrist":[10,20],"nose":[30,5]}],"size":[100,50],"mirrored":true,"clean":false}`)
	if got := fmt.Sprint(m["keypoint"]); got != "[map[nose:[70 5] rightWrist:[90 20]]]" || m["mirrored"] != true {
		t.Error(got)
	}
}

// reddest finds the left wrist in the reddest column of a picture.
type reddest struct{}

func (reddest) Estimate(_ context.Context, img image.Image, _ inference.Hint) (f keypoint.Frame, _ error) {
	b, most := img.Bounds(), uint32(0)
	for x := b.Min.X; x < b.Max.X; x++ {
		if r, _, _, _ := img.At(x, b.Min.Y).RGBA(); r > most {
			most = r
			f.Set(keypoint.LeftWrist, keypoint.Point{float64(x), 5}, 1)
		}
	}
	return f, nil
}

// TestMirrored: the picture of a selfie camera is put right before anything is found in it, and drawings and sheets show
// it so. Its red grows to the right: mirrored, to the left.
func TestMirrored(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder, c.Estimator = fakes.Decoder{}, reddest{}
	})
	red := func(address, token string, x int) uint32 {
		t.Helper()
		r := w.do("GET", address, token, "")
		m, err := jpeg.Decode(bytes.NewReader(r.body))
		if err != nil {
			t.Fatalf("%d: %v", r.status, err)
		}
		v, _, _, _ := m.At(m.Bounds().Min.X+x, m.Bounds().Max.Y/2).RGBA()
		return v
	}
	still := w.image(w.token)
	for mirrored, want := range map[bool]string{false: "[map[leftWrist:[19 5]]]", true: "[map[leftWrist:[0 5]]]"} {
		id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d,"mirrored":%v}`, still, mirrored))
		if got := fmt.Sprint(m["keypoint"]); got != want || (m["mirrored"] == true) != mirrored {
			t.Errorf("mirrored %v: %s", mirrored, got)
		}
		_, drawing := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":[{"drawingType":"keypoint","points":["nose"]}]}`, id))
		address := drawing["drawingUrl"].(string)
		if left, right := red(address, "", 2), red(address, "", 17); (left > right) != mirrored {
			t.Errorf("the drawing, mirrored %v: %d on the left, %d on the right", mirrored, left, right)
		}
	}
	film := image.NewRGBA(image.Rect(0, 0, 40, 120))
	for y := range 120 {
		for x := range 40 {
			film.Set(x, y, color.RGBA{R: uint8(6 * x), A: 255})
		}
	}
	data := fakes.Movie(30, film, film)
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		t.Fatalf("upload: %d %s", r.status, r.body)
	}
	id, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%v,"mirrored":true}`, m["id"]))
	if got := fmt.Sprint(record["keypoint"]); got != "[map[leftWrist:[0 5]] map[leftWrist:[0 5]]]" {
		t.Errorf("a movie: %s", got)
	}
	if _, again := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d}`, id)); again["mirrored"] != true {
		t.Errorf("made anew: %v", again["mirrored"])
	}
	sheet := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=sheet", id), w.token, "")
	if sheet.status != 200 {
		t.Errorf("sheet: %d %s", sheet.status, sheet.body)
	}
}

// TestGivenWithMovie: keypoints of a movie have its size and rate, can be drawn on it, and must have its frames.
func TestGivenWithMovie(t *testing.T) {
	w, movie := calibrated(t)
	frame := `{"leftHip":[10,60],"leftKnee":[10,80],"leftAnkle":[10,100]}`
	body := func(n int, more string) string {
		return fmt.Sprintf(`{"movieId":%d,"keypoints":[%s]%s}`, movie, strings.TrimSuffix(strings.Repeat(frame+",", n), ","), more)
	}
	id, m := w.record(storage.Keypoints, w.token, body(8, ""))
	if fmt.Sprint(m["size"], m["movie"]) != fmt.Sprintf("[40 120] %d", movie) {
		t.Errorf("%v of %v", m["size"], m["movie"])
	}
	times := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=timestamps", id), w.token, "").get(t)["timestamps"].([]any)
	if len(times) != 8 || times[6] != 0.1 {
		t.Errorf("%v", times)
	}
	if r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d}`, id)); r.status != 201 {
		t.Errorf("drawing: %d %s", r.status, r.body)
	}
	for _, c := range []struct{ body, pointer string }{
		{body(7, ""), "/keypoints"}, {body(8, `,"size":[120,40]`), "/size"}, {body(8, `,"rate":5`), "/keypoints"},
	} {
		if r := w.do("POST", "/keypoints/", w.token, c.body); r.status != 400 || !strings.Contains(string(r.body), `"pointer":"`+c.pointer+`"`) {
			t.Errorf("%s: %d %s", c.pointer, r.status, r.body)
		}
	}
}

// TestGivenWrong: bodies with keypoints that are wrong are refused, with the place.
func TestGivenWrong(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Limits.Frames = 5 })
	one := `{"nose":[1,2]}`
	landmark := strings.TrimSuffix(strings.Repeat(`{"x":0.5,"y":0.5},`, 33), ",")
	mediapipe := func(data, more string) string {
		return `{"format":"mediapipe","size":[64,48],"data":` + data + more + `}`
	}
	wrong := []struct{ body, pointer, want string }{
		{`{}`, "/movieId", "exactly one of"},
		{`{"keypoints":null,"frameRate":30}`, "/frameRate", "is for keypoints or data"},
		{`{"size":[64,48]}`, "/size", "is for keypoints or data"},
		{`{"keypointId":1,"mirrored":true}`, "/keypointId", "mirrored"},
		{`{"keypointId":1,"shrink":true}`, "/keypointId", "shrink"},
		{`{"imageId":1,"shrink":true}`, "/shrink", "is for movies only"},
		{`{"keypoints":[` + one + `],"size":[64,48],"mirrored":1}`, "/mirrored", "want true or false"},
		{`{"format":"coco"}`, "/format", "is for keypoints or data"},
		{`{"keypoints":[` + one + `],"data":[]}`, "/data", "together with keypoints"},
		{`{"keypoints":[` + one + `]}`, "/size", "is missing"},
		{`{"keypoints":{},"size":[64,48]}`, "/keypoints", "is an object, want an array"},
		{`{"keypoints":"nose","size":[64,48]}`, "/keypoints", "is a string, want an array"},
		{`{"keypoints":[],"size":[64,48]}`, "/keypoints", "have no frame"},
		{`{"keypoints":[1],"size":[64,48]}`, "/keypoints/0", "want an object from part"},
		{`{"keypoints":[` + one + `,{"noze":[1,2]}],"size":[64,48]}`, "/keypoints/1", "noze"},
		{`{"keypoints":[{"nose":[1]}],"size":[64,48]}`, "/keypoints/0", "nose is not two numbers"},
		{`{"keypoints":[{"nose":[1,null]}],"size":[64,48]}`, "/keypoints/0", "nose is not two numbers"},
		{`{"keypoints":[{"nose":null}],"size":[64,48]}`, "/keypoints/0", "nose is not two numbers"},
		{`{"keypoints":[{"nose":["1",2]}],"size":[64,48]}`, "/keypoints/0", "want an object from part"},
		{`{"keypoints":[{"nose":[1e999,2]}],"size":[64,48]}`, "/keypoints/0", "want an object from part"},
		{`{"keypoints":[` + one + `,` + one + `],"size":[64,48]}`, "/frameRate", "is missing"},
		{`{"keypoints":[` + one + `],"size":64}`, "/size", "is a number, want an array"},
		{`{"keypoints":[` + one + `],"size":[64]}`, "/size", "want [width, height]"},
		{`{"keypoints":[` + one + `],"size":[64,0]}`, "/size/1", "want 1 to 65536"},
		{`{"keypoints":[` + one + `],"size":[64.5,48]}`, "/size/0", "want an integer"},
		{`{"keypoints":[` + one + `],"size":[64,48],"frameRate":0}`, "/frameRate", "above 0"},
		{`{"keypoints":[` + one + `],"size":[64,48],"frameRate":1e-9}`, "/frameRate", "want 0.001 to 1000000"},
		{`{"keypoints":[` + one + `],"size":[64,48],"frameRate":"30"}`, "/frameRate", "want a number"},
		{`{"keypoints":[` + one + `],"size":[64,48],"frameRate":30,"timestamps":[0]}`, "/frameRate", "together with timestamps"},
		{`{"keypoints":[` + one + `],"size":[64,48],"timestamps":[0,1]}`, "/timestamps/1", "of 1 frames only"},
		{`{"keypoints":[` + one + `,` + one + `],"size":[64,48],"timestamps":[1,1]}`, "/timestamps/1", "want more than the 1 s"},
		{`{"keypoints":[` + one + `],"size":[64,48],"timestamps":["0"]}`, "/timestamps/0", "want a number of seconds"},
		{`{"keypoints":[` + one + `],"size":[64,48],"timestamps":[null]}`, "/timestamps/0", "is null"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scores":[{}]}`, "/scores/0", "has 0 scores, want one for each of 1 points"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scores":[{"leftEye":1}]}`, "/scores/0", "has a score for leftEye"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scores":[{"nose":"1"}]}`, "/scores/0", "want an object from part to confidence"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scores":[]}`, "/scores", "has 0 frames"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scores":[{"nose":1},{}]}`, "/scores/1", "of 1 frames only"},
		{`{"keypoints":[` + one + `],"size":[64,48],"format":"json"}`, "/format", "is for data"},
		{`{"keypoints":[` + strings.Repeat(one+",", 4) + one + `],"size":[64,48],"frameRate":30}`, "/keypoints/4", "is one too many: want at most 4"},
		{`{"keypoints":[` + strings.Repeat(`{},`, 100_000) + `{}],"size":[64,48]}`, "/keypoints/4", "is one too many"},
		{`{"keypoints":[{"nose":[0.5,0.1],"leftEye":[0.5,0.1],"leftHip":[0.5,0.5],"rightHip":[0.4,0.5],"leftKnee":[0.5,0.7],"leftAnkle":[0.5,0.9]}],"size":[64,48]}`, "/keypoints", "look normalised"},
		{`{"keypoints":[{"nose":[500,1]}],"size":[64,48]}`, "/size", "far away"},
		{`{"keypoints":[` + one + `,` + one + `],"size":[64,48],"timestamps":[0,33]}`, "/timestamps", "33 s apart"},
		{`{"keypoints":[` + one + `],"size":[64,48],"choose":{"policy":"largest"}}`, "/keypoints", "exclude"},
		{`{"keypoints":[` + one + `],"size":[64,48],"keypointId":1}`, "/keypoints", "exclude keypointId"},
		{`{"keypoints":[` + one + `],"size":[64,48],"everybody":true}`, "/keypoints", "exclude"},
		{`{"keypoints":[` + one + `],"size":[64,48],"capture":{"frameRate":240}}`, "/capture", "is for movies only"},
		{`{"keypoints":[` + one + `],"size":[64,48],"scale":{"bodyHeight":1.8}}`, "/scale", ""},
		{`{"data":"hello"}`, "/format", "which is none of c3d, coco"},
		{`{"data":[],"format":"bvh"}`, "/format", "want one of c3d, coco"},
		{`{"data":[],"format":"coco","scores":[]}`, "/scores", "is for keypoints"},
		{`{"data":7,"format":"csv"}`, "/data", "frame"},
		{`{"data":"frame,noze_x\n","format":"csv"}`, "/data", "noze_x"},
		{`{"data":"hello","format":"trc"}`, "/data", "PathFileType"},
		{`{"format":"mediapipe","data":[[` + landmark + `]]}`, "/size", "want the size"},
		{mediapipe(`[[`+landmark+`],[`+landmark+`]]`, ``), "/frameRate", "2 frames without times"},
		{mediapipe(`[{"pose_landmarks":[[{"x":1}]]}]`, ``), "/data/0/pose_landmarks/0", "has 1 landmarks, want 33"},
		{mediapipe(`[{"poses":[]}]`, ``), "/data/0", "has no landmarks"},
		{mediapipe(`{"results":[]}`, ``), "/data/0", "has no landmarks"},
		{mediapipe(`[{"timestamp_ms":1,"landmarks":[]},{"timestamp_ms":0,"landmarks":[]}]`, ``), "/data/1/timestamp_ms", "want more than"},
		{`{"format":"json","data":{"width":640,"height":480,"keypoint":[{"nose":[1,2]}]},"size":[64,48]}`, "/size", "leave it out"},
		{`{"format":"openpose","data":{"people":[{"pose_keypoints_2d":[1,2,3]}]},"size":[64,48]}`, "/data/0/people/0/pose_keypoints_2d", "has 3 numbers"},
		{`{"format":"coco","data":[{"image_id":1,"keypoints":[1,2,3]}],"size":[64,48]}`, "/data/0/keypoints", "has 1 keypoints, want 17"},
	}
	for _, c := range wrong {
		r := w.do("POST", "/keypoints/", w.token, c.body)
		if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"`+c.pointer+`"`) || !strings.Contains(string(r.body), strings.ReplaceAll(c.want, `"`, `\"`)) {
			t.Errorf("%.80s: %d %s\nwant %q at %s", c.body, r.status, r.body, c.want, c.pointer)
		}
	}
	if len(wrong) < 40 {
		t.Errorf("%d bodies", len(wrong))
	}
	large := `{"format":"csv","data":"` + strings.Repeat("x", 16<<20) + `"}`
	if r := w.do("POST", "/keypoints/", w.token, large); r.status != 413 {
		t.Errorf("a large body: %d", r.status)
	}
	if r := w.do("POST", "/keypoints/", w.token, `{"movieId":987654,"keypoints":[`+one+`]}`); r.status != 404 {
		t.Errorf("no such movie: %d %s", r.status, r.body)
	}
}
