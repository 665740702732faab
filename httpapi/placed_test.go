package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// kneeOf is the truth: the flexion of the left knee of the doll in degrees, in space.
func kneeOf(t float64) float64 {
	at := sample.Doll(t)
	thigh, shank := at[keypoint.LeftKnee].Sub(at[keypoint.LeftHip]), at[keypoint.LeftAnkle].Sub(at[keypoint.LeftKnee])
	return math.Acos(thigh.Normalize().Dot(shank.Normalize())) * 180 / math.Pi
}

// laboratory is the doll in a TRC file as a laboratory writes it, in a unit, flat without depth.
func laboratory(unit string, perMetre float64, flat bool) string {
	const frames = 220
	var b strings.Builder
	b.WriteString("PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n")
	fmt.Fprintf(&b, "100\t100\t%d\t%d\t%s\t100\t1\t%[1]d\nFrame#\tTime", frames, keypoint.NumBody, unit)
	for p := range keypoint.Part(keypoint.NumBody) {
		fmt.Fprintf(&b, "\t%v\t\t", p)
	}
	b.WriteString("\n\t\tX1\tY1\tZ1\n\n")
	for i := range frames {
		fmt.Fprintf(&b, "%d\t%.2f", i+1, float64(i)/100)
		for p, at := range sample.Doll(float64(i) / 100) {
			if !keypoint.Body.Has(keypoint.Part(p)) {
				continue
			}
			if flat {
				at[2] = 0
			}
			fmt.Fprintf(&b, "\t%.5f\t%.5f\t%.5f", at[0]*perMetre, at[1]*perMetre, at[2]*perMetre)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lengths is a rule that knows of a scale: the flexion of the left knee, and how high the hips are.
const inSpaceRules = `[{"analysisType":"kneeFlexion","side":"left"},{"analysisType":"hipHeight"}]`

// measured returns the values of inSpaceRules of a keypoint record, their units, and how many there are of each.
func (w *world) measured(id int64) (values [2][]float64, units [2]string, counts [2]int) {
	w.t.Helper()
	_, analysis := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, id, inSpaceRules))
	for k, result := range analysis["result"].([]any) {
		units[k], _ = result.(map[string]any)["unit"].(string)
		for _, v := range result.(map[string]any)["values"].([]any) {
			number, ok := v.(float64)
			if !ok {
				number = math.NaN()
			} else {
				counts[k]++
			}
			values[k] = append(values[k], number)
		}
	}
	return values, units, counts
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// TestPlacedKeypoints: markers with three coordinates are measured in space, whatever their unit, without a picture: as exactly as
// they are. What the record is exported as, in any format with positions, gives the same again.
func TestPlacedKeypoints(t *testing.T) {
	w := newWorld(t, nil)
	for unit, perMetre := range map[string]float64{"m": 1, "mm": 1000, "cm": 100} {
		bodies := []string{`{"data":` + quoted(laboratory(unit, perMetre, false)) + `}`, ""}
		for again := range 2 {
			id, m := w.record(storage.Keypoints, w.token, bodies[again])
			space, _ := m["space"].(map[string]any)
			if space["unit"] != "m" || space["residual"] != nil || m["cameras"] != nil || m["size"] != nil || m["world"] != nil {
				t.Errorf("%s: %v, size %v, world %v", unit, space, m["size"], m["world"])
			}
			if warnings := fmt.Sprint(m["quality"]); strings.Contains(warnings, "cutOff") {
				t.Errorf("%s: %s", unit, warnings)
			}
			got, units, counts := w.measured(id)
			if units != [2]string{"°", "m"} || counts != [2]int{220, 220} {
				t.Fatalf("%s: %v, %v values", unit, units, counts)
			}
			for i, got := range got[0] {
				if want := kneeOf(float64(i) / 100); math.Abs(got-want) > 0.1 {
					t.Fatalf("%s: the knee bends by %v° in frame %d, want %v°", unit, got, i, want)
				}
			}
			bodies[1] = `{"format":"c3d","data":` + quoted(base64.StdEncoding.EncodeToString(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=c3d", id), w.token, "").body)) + `}`
			if unit == "cm" {
				bodies[1] = `{"data":` + quoted(string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=trc", id), w.token, "").body)) + `}`
			}
		}
	}
}

// TestPlacedInPlane: markers in a plane keep their scale, and need no picture either.
func TestPlacedInPlane(t *testing.T) {
	w := newWorld(t, nil)
	_, subject := 0, w.do("POST", "/subjects/", w.token, `{"name":"Ann","bodyHeight":1.2}`).get(t)
	for _, more := range []string{"", `,"size":[1280,720]`, `,"floor":1.5`, fmt.Sprintf(`,"subjectId":%v`, subject["id"])} {
		for unit, perMetre := range map[string]float64{"m": 1, "mm": 1000} {
			id, m := w.record(storage.Keypoints, w.token, `{"data":`+quoted(laboratory(unit, perMetre, true))+more+`}`)
			scale, _ := m["world"].(map[string]any)
			if scale["metresPerPixel"] != 0.001 || m["size"] != nil || m["space"] != nil {
				t.Errorf("%s%s: world %v, size %v, space %v", unit, more, m["world"], m["size"], m["space"])
			}
			cleaned, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":true}`, id))
			for _, id := range []int64{id, cleaned} {
				if _, units, counts := w.measured(id); units[1] != "m" || counts[1] < 200 {
					t.Errorf("%s%s: %v, %v", unit, more, units, counts)
				}
			}
		}
	}
}

// TestPlacedJoined: files of a record that is joined from two cameras give all its values again.
func TestPlacedJoined(t *testing.T) {
	w, put := filed(t)
	film := func(movie int, eye mgl64.Vec3) int64 {
		result, err := json.Marshal(sample.Film(sample.Camera(eye, mgl64.Vec3{0, 0.95, 0}, 900), 220))
		if err != nil {
			t.Fatal(err)
		}
		data := fmt.Sprintf(`{"from":[{"kind":"movies","id":%d}],"request":{"movieId":%[1]d}}`, movie)
		return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(data), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
	}
	for scale, unit := range map[string]string{"": "torso lengths", `,"scale":{"bodyHeight":1.7}`: "m"} {
		joined, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointIds":[%d,%d]%s}`, film(1, mgl64.Vec3{0, 1.2, 5}), film(2, mgl64.Vec3{4.6, 1.4, 1.5}), scale))
		want, _, counts := w.measured(joined)
		if counts[0] < 200 {
			t.Fatalf("%v values", counts)
		}
		for _, format := range []string{"trc", "c3d"} {
			data := string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=%s", joined, format), w.token, "").body)
			if format == "c3d" {
				data = base64.StdEncoding.EncodeToString([]byte(data))
			}
			id, _ := w.record(storage.Keypoints, w.token, `{"data":`+quoted(data)+`}`)
			got, _, n := w.measured(id)
			if n != counts {
				t.Errorf("%s in %s: %v values, want %v", format, unit, n, counts)
			}
			for k := range got {
				for i := range got[k] {
					if math.Abs(got[k][i]-want[k][i]) > 0.01 || math.IsNaN(got[k][i]) != math.IsNaN(want[k][i]) {
						t.Fatalf("%s in %s: value %d of frame %d is %v, want %v", format, unit, k, i, got[k][i], want[k][i])
					}
				}
			}
		}
	}
}

// TestPlacedRefused: what is of a picture is refused for places, and a file that cannot be read says what to do.
func TestPlacedRefused(t *testing.T) {
	w := newWorld(t, nil)
	lab := quoted(laboratory("mm", 1000, false))
	id, _ := w.record(storage.Keypoints, w.token, `{"data":`+lab+`}`)
	image := w.image(w.token)
	for name, c := range map[string]struct {
		body, pointer, want string
	}{
		"mirrored":     {`{"data":` + lab + `,"mirrored":true}`, "/keypoints", "not in a picture"},
		"on an image":  {fmt.Sprintf(`{"data":%s,"imageId":%d}`, lab, image), "/keypoints", "not in a picture"},
		"a height":     {`{"data":` + lab + `,"scale":{"bodyHeight":1.7}}`, "/scale", "in space with their own"},
		"a floor":      {`{"data":` + lab + `,"floor":"auto"}`, "/scale", "in space with their own"},
		"again":        {fmt.Sprintf(`{"keypointId":%d,"scale":{"bodyHeight":1.7}}`, id), "/scale", "in space with their own"},
		"no C3D":       {`{"format":"c3d","data":"AAAA"}`, "/data", "there are no header and parameters"},
		"no base64":    {`{"format":"c3d","data":"Al!"}`, "/data", "base64"},
		"feet":         {`{"data":` + quoted(laboratory("ft", 3.28, false)) + `}`, "/data", `is \"ft\", and there is a third coordinate: want m, cm or mm`},
		"still a size": {`{"data":` + quoted(laboratory("px", 300, true)) + `}`, "/size", "is missing"},
	} {
		if r := w.do("POST", "/keypoints/", w.token, c.body); r.status != 400 || !strings.Contains(string(r.body), `"pointer":"`+c.pointer+`"`) || !strings.Contains(string(r.body), c.want) {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"format=csv": {200, "nose_x"}, "format=jsonl": {200, `{"timed":true}`}, "format=coco": {200, "annotations"}, "format=openpose": {200, "PK"},
		"format=mediapipe": {400, "want the size of the picture"}, "format=sheet": {404, "without a movie"}, "format=thumbnail": {404, "without a movie"},
		"format=report": {200, "from the points of a laboratory"}, "format=report&language=ja": {200, "計測室"}, "include=space": {200, `"positions":[{"`},
	} {
		r := w.do("GET", fmt.Sprintf("/keypoints/%d/?%s", id, query), w.token, "")
		if text := string(r.body); r.status != want.status || !strings.Contains(text, want.says) || strings.Contains(text, "0 cameras") {
			t.Errorf("%s: %d %.300s", query, r.status, r.body)
		}
	}
	if r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", id), w.token, `{"edits":[{"frame":3,"part":"nose","point":[10,10]}]}`); r.status != 409 {
		t.Errorf("corrected: %d %s", r.status, r.body)
	}
	if r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d}`, id)); r.status != 409 {
		t.Errorf("drawn: %d %s", r.status, r.body)
	}
}
