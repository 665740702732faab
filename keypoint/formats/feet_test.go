package formats_test

import (
	"bytes"
	"encoding/json"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// shod is short with parts of both feet.
func shod() keypoint.Sequence {
	s := short()
	s.Frames[0].Set(keypoint.RightBigToe, keypoint.Point{10, 20}, 0.5)
	s.Frames[2].Set(keypoint.LeftHeel, keypoint.Point{30, 40}, 0.25)
	return s
}

// TestFeetOnlyWhereFound: files of recordings without feet have the places of the 17 parts, those of
// recordings with feet all.
func TestFeetOnlyWhereFound(t *testing.T) {
	for name, c := range map[string]struct {
		write func(b *bytes.Buffer, s keypoint.Sequence) error
		size  func(text string) int
		want  [2]int
	}{
		"CSV": {
			func(b *bytes.Buffer, s keypoint.Sequence) error { return formats.Write(b, "csv", s) },
			func(text string) int { return strings.Count(strings.SplitAfter(text, "\n")[0], ",") }, [2]int{1 + 3*17, 1 + 3*23},
		},
		"TRC": {
			func(b *bytes.Buffer, s keypoint.Sequence) error {
				return formats.Write(b, "trc", s)
			},
			func(text string) int { return strings.Count(strings.SplitAfter(text, "\n")[6], "\t") }, [2]int{1 + 3*17, 1 + 3*23},
		},
		"COCO": {
			func(b *bytes.Buffer, s keypoint.Sequence) error { return formats.Write(b, "coco", s) },
			func(text string) int { return strings.Count(text, `_`+`heel"`) }, [2]int{0, 2},
		},
	} {
		for i, s := range []keypoint.Sequence{short(), shod()} {
			text := written(t, func(b *bytes.Buffer) error { return c.write(b, s) })
			if n := c.size(text); n != c.want[i] {
				t.Errorf("%s: %d, want %d in\n%s", name, n, c.want[i], text)
			}
		}
	}
}

// TestCOCOFeet: the points of the feet have the order and the names of COCO-WholeBody, and the lines of
// the skeleton lead to them.
func TestCOCOFeet(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "coco", shod()) })
	var got struct {
		Annotations []struct {
			Keypoints []float64 `json:"keypoints"`
			Count     int       `json:"num_keypoints"`
		} `json:"annotations"`
		Categories []struct {
			Keypoints []string `json:"keypoints"`
			Skeleton  [][2]int `json:"skeleton"`
		} `json:"categories"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	names, lines := got.Categories[0].Keypoints, got.Categories[0].Skeleton
	want := []string{"left_big_toe", "left_small_toe", "left_heel", "right_big_toe", "right_small_toe", "right_heel"}
	if d := cmp.Diff(want, names[17:]); d != "" || len(lines) != 22 {
		t.Errorf("%d lines, names %s", len(lines), d)
	}
	for k, e := range keypoint.Skeleton() {
		for i, p := range e {
			if name := strings.ReplaceAll(names[lines[k][i]-1], "_", ""); name != strings.ToLower(p.String()) {
				t.Errorf("line %d goes to %s, want %v", k, name, p)
			}
		}
	}
	if a := got.Annotations[0]; a.Count != 3 || len(a.Keypoints) != 69 || a.Keypoints[60] != 10 || a.Keypoints[62] != 2 || got.Annotations[1].Keypoints[3*19] != 30 {
		t.Errorf("%+v", got.Annotations)
	}
}

// TestCOCOWholeBody reads the points of the feet as the annotations of COCO-WholeBody have them.
func TestCOCOWholeBody(t *testing.T) {
	body := `"keypoints":[5,6,2` + strings.Repeat(",0", 48) + `]`
	document := func(annotation string) string {
		return `{"images":[{"id":1,"width":64,"height":48}],"annotations":[{"image_id":1,` + annotation + `}]}`
	}
	want := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Size: image.Pt(64, 48)}
	want.Frames[0].Set(keypoint.Nose, keypoint.Point{5, 6}, 1)
	want.Frames[0].Set(keypoint.LeftSmallToe, keypoint.Point{1, 2}, 1)
	want.Frames[0].Set(keypoint.RightHeel, keypoint.Point{3, 4}, 1)
	got, err := formats.ReadAs(strings.NewReader(document(body+`,"foot_kpts":[0,0,0,1,2,1,0,0,0,0,0,0,0,0,0,3,4,2],"foot_valid":true`)), "coco", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(want, got); d != "" {
		t.Error(d)
	}
	wrongs(t, readCOCO, map[string][2]string{"number": {document(body + `,"foot_kpts":[1,2,2]`), "/annotations/0/foot_kpts: has 3 numbers, want 18"}})
}

// TestMediaPipeFeet: heels and foot indices of MediaPipe's list are heels and big toes.
func TestMediaPipeFeet(t *testing.T) {
	list := make([]string, 33)
	for i := range list {
		list[i] = "null"
	}
	for i, at := range []string{"[29,290]", "[30,300]", "[31,310]", "[32,320]"} {
		list[29+i] = at
	}
	s, err := formats.ReadLandmarks(strings.NewReader("[["+strings.Join(list, ",")+"]]"), false, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want keypoint.Frame
	for p, x := range map[keypoint.Part]float64{keypoint.LeftHeel: 29, keypoint.RightHeel: 30, keypoint.LeftBigToe: 31, keypoint.RightBigToe: 32} {
		want.Set(p, keypoint.Point{x, 10 * x}, 1)
	}
	if s.Frames[0] != want {
		t.Errorf("%v, want %v", s.Frames[0], want)
	}
}
