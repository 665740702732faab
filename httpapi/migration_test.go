package httpapi_test

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// standing is somebody who stands still and faces the camera for three frames; the left wrist is
// missing in the middle one.
func standing() keypoint.Sequence {
	s := keypoint.Sequence{Size: image.Pt(400, 400)}
	for i := range 3 {
		var f keypoint.Frame
		for p, at := range map[keypoint.Part]keypoint.Point{
			keypoint.Nose: {200, 65}, keypoint.LeftEye: {208, 57}, keypoint.RightEye: {192, 57},
			keypoint.LeftEar: {216, 60}, keypoint.RightEar: {184, 60},
			keypoint.LeftShoulder: {233, 100}, keypoint.RightShoulder: {167, 100},
			keypoint.LeftElbow: {245, 160}, keypoint.RightElbow: {155, 160},
			keypoint.LeftWrist: {250, 210}, keypoint.RightWrist: {150, 210},
			keypoint.LeftHip: {219, 200}, keypoint.RightHip: {181, 200},
			keypoint.LeftKnee: {220, 280}, keypoint.RightKnee: {180, 280},
			keypoint.LeftAnkle: {221, 360}, keypoint.RightAnkle: {179, 360},
		} {
			f.Set(p, at, 0.9)
		}
		if i == 1 {
			f.Unset(keypoint.LeftWrist)
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/30)
	}
	return s
}

// TestMigrationExamples holds that the requests of docs/use/api.md are accepted and that the records
// have the members shown there, with these values.
func TestMigrationExamples(t *testing.T) {
	text, err := os.ReadFile("../docs/use/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(text), "```") {
		if code, ok := strings.CutPrefix(part, "json\n"); ok && i%2 == 1 {
			blocks = append(blocks, code)
		}
	}
	if len(blocks) != 6 {
		t.Fatalf("docs/use/api.md has %d JSON examples, want three requests and what each gives", len(blocks))
	}
	w, put := filed(t)
	result, err := json.Marshal(standing())
	if err != nil {
		t.Fatal(err)
	}
	id := put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
	for i, at := range []struct {
		kind storage.Kind
		path string
	}{{storage.Keypoints, "/keypoints/%d/?include=changes"}, {storage.Keypoints, "/keypoints/%d/"}, {storage.Analyses, "/analyses/%d/"}} {
		var request, shown map[string]any
		if err := json.Unmarshal([]byte(blocks[2*i]), &request); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(blocks[2*i+1]), &shown); err != nil {
			t.Fatal(err)
		}
		request["keypointId"] = id
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		id, _ = w.record(at.kind, w.token, string(body))
		record := w.do("GET", fmt.Sprintf(at.path, id), w.token, "").get(t)
		for name, want := range shown {
			if diff := cmp.Diff(want, record[name], cmpopts.EquateApprox(0, 5e-7)); diff != "" {
				t.Errorf("%s, %s (- the document, + the record):\n%s", at.kind, name, diff)
			}
		}
	}
}
