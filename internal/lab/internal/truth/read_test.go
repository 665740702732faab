package truth_test

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// document is the truth of a rendered movie of one frame.
const document = `{"format":"motion-truth/1","movie":{"width":200,"height":100},"parts":["nose"],"frames":{"t":[0],"visible":["1"],"in_picture":[1],
	"view_deg":[80],"world":[[[0,2,0]]],"xy":[[[10,20]]]},"angles2d":{"left_knee":[1]},"angles3d":{}}`

// frameOf returns a frame of parts with confidence 1.
func frameOf(parts map[keypoint.Part]keypoint.Point) (f keypoint.Frame) {
	for p, at := range parts {
		f.Set(p, at, 1)
	}
	return f
}

func TestPictures(t *testing.T) {
	doc := `[{"image":"images/a.jpg","width":640,"height":425,"dominantPerson":true,"dominantIndex":1,"flickrUrl":"x","persons":[
		{"bbox":[0,0,10,20],"area":200,"areaSource":"bbox","iscrowd":1,"numKeypoints":0,"keypoints":{}},
		{"bbox":[0,0,10,20],"area":90,"areaSource":"segmentation","iscrowd":0,"numKeypoints":2,
		 "keypoints":{"nose":[10,20,2],"leftEye":[1.5,2,1],"rightEye":[0,0,0]}},
		{"bbox":[0,0,10,20],"keypoints":{}}]},
	  {"image":"b.jpg","persons":[],"dominantPerson":false,"dominantIndex":null},
	  {"image":"c.jpg","persons":[{"bbox":[0,0,10,20],"keypoints":{"nose":[1,2,2]}}]},
	  {"image":"d.jpg","dominantPerson":false,"dominantIndex":0,"persons":[{"bbox":[0,0,10,20],"keypoints":{"nose":[1,2,2]}}]}]`
	box := truth.Box{Width: 10, Height: 20}
	face := frameOf(map[keypoint.Part]keypoint.Point{keypoint.Nose: {10, 20}, keypoint.LeftEye: {1.5, 2}})
	nose := frameOf(map[keypoint.Part]keypoint.Point{keypoint.Nose: {1, 2}})
	want := []truth.Picture{
		{Image: "images/a.jpg", Size: image.Pt(640, 425), Dominant: 1, People: []truth.Person{
			{Box: box, Area: 106, Crowd: true}, {Parts: face, Box: box, Area: 90}, {Box: box, Area: 106},
		}},
		{Image: "b.jpg", Dominant: -1},
		{Image: "c.jpg", Dominant: 0, People: []truth.Person{{Parts: nose, Box: box, Area: 106}}},
		{Image: "d.jpg", Dominant: -1, People: []truth.Person{{Parts: nose, Box: box, Area: 106}}},
	}
	got, err := truth.Pictures([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestPicturesErrors(t *testing.T) {
	picture := func(members string) string { return `[{"image":"a.jpg",` + members + `}]` }
	person := func(members string) string { return picture(`"persons":[{` + members + `}]`) }
	box := `"bbox":[0,0,1,1],`
	for _, c := range []struct{ doc, want string }{
		{``, "unexpected end"}, {`"x"`, "cannot unmarshal"}, {`[3]`, "cannot unmarshal"}, {`[]`, "there is no picture"},
		{`[{}]`, `picture 0: image is ""`}, {`[{"image":"a.jpg"}]`, "persons is missing"},
		{`[{"image":"/a.jpg","persons":[]}]`, `image is "/a.jpg"`}, {`[{"image":"../a.jpg","persons":[]}]`, `image is "../a.jpg"`},
		{picture(`"persons":{}`), "cannot unmarshal"},
		{picture(`"persons":[],"dominantPerson":true`), "dominantIndex"}, {picture(`"persons":[],"dominantIndex":0`), "dominantIndex"},
		{picture(`"dominantIndex":0,"persons":[{` + box + `"keypoints":{}}]`), "dominantIndex"},
		{person(`"keypoints":{}`), "want bbox"}, {person(box + `"area":1`), "and keypoints"},
		{person(`"bbox":[0,0,1],"keypoints":{}`), "want bbox"}, {person(`"bbox":[0,0,1,-1],"keypoints":{}`), "want bbox"},
		{person(box + `"keypoints":{"tail":[1,2,2]}`), "tail is [1 2 2]"}, {person(box + `"keypoints":{"nose":[1,2]}`), "nose is [1 2]"},
		{person(box + `"keypoints":{"nose":[1,2,3]}`), "nose is [1 2 3]"}, {person(box + `"keypoints":{"nose":[1,1e9,2]}`), "nose is [1 1e+09 2]"},
	} {
		_, err := truth.Pictures([]byte(c.doc))
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n gives %v\n want %s", c.doc, err, c.want)
		}
	}
}

// TestSets reads the labels of a folder, whose pictures must be there.
func TestSets(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{"none.json": "there is no file", "[": "syntax error in pattern"} {
		if _, err := truth.Sets(filepath.Join(dir, pattern)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
	write("annotations.json", `[{"image":"a.png","persons":[]}]`)
	if _, err := truth.Sets(filepath.Join(dir, "*.json")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "a.png") {
		t.Errorf("without the picture: %v", err)
	}
	write("a.png", "")
	sets, err := truth.Sets(filepath.Join(dir, "*.json"))
	if err != nil || len(sets) != 1 || sets[0].Name != filepath.Base(dir) || sets[0].Pictures[0].Image != filepath.Join(dir, "a.png") {
		t.Errorf("%+v (%v)", sets, err)
	}
}

func TestReadKeypoints(t *testing.T) {
	want := keypoint.Sequence{Times: []float64{0, .5}, Frames: make([]keypoint.Frame, 2)}
	want.Frames[0].Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
	want.Frames[0].Set(keypoint.LeftEye, keypoint.Point{3, 4}, .5)
	own, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []string{
		`{"tool":"x","frames":[{"frame":0,"t":0,"keypoints":{"nose":[1,2],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`,
		`{"frames":[{"t":0,"keypoints":{"nose":[1,2,1.25],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`,
		string(own),
	} {
		got, err := truth.Read([]byte(doc))
		if err != nil || got.Inside[1] != 1 || got.Angles2D != nil {
			t.Fatalf("%s: %+v (%v)", doc, got, err)
		}
		if d := cmp.Diff(want, got.Parts, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
			t.Errorf("%s (-want +got):\n%s", doc, d)
		}
	}
	for _, c := range []struct{ doc, want string }{
		{``, "unexpected end"}, {`[]`, "cannot unmarshal"}, {`{}`, "frames"},
		{`{"frames":[{}]}`, "want t and keypoints"}, {`{"frames":[{"t":0}]}`, "want t and keypoints"},
		{`{"frames":[{"t":1,"keypoints":{}},{"t":1,"keypoints":{}}]}`, "invalid"},
		{`{"frames":[{"t":1,"keypoints":{"nose":[1]}}]}`, "nose is [1]"}, {`{"frames":[{"t":1,"keypoints":{"tail":[1,2]}}]}`, "tail is [1 2]"},
		{`{"keypoint":[{}]}`, "no times"}, {`{"keypoint":[{}],"timestamps":[0,1]}`, "invalid"},
	} {
		if _, err := truth.Read([]byte(c.doc)); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n gives %v\n want %s", c.doc, err, c.want)
		}
	}
}

// TestRecordings: what is known of a movie lies beside it; without movies in a folder, those of its subfolders are taken.
func TestRecordings(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	names := func(path string) (list []string) {
		recordings, err := truth.Recordings(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recordings {
			known := ""
			if r.Truth != nil {
				known = "*"
			}
			list = append(list, r.Name+known)
		}
		return list
	}
	if _, err := truth.Recordings(dir); err == nil || !strings.Contains(err.Error(), "there is no movie") {
		t.Errorf("an empty folder: %v", err)
	}
	write("a/video.mp4", "")
	write("a/reference_keypoints.json", `{"frames":[{"t":0,"keypoints":{}}]}`)
	write("b/other.mov", "")
	write("c/notes.txt", "")
	if d := cmp.Diff([]string{"a/video.mp4*", "b/other.mov"}, names(dir)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	write("walk.mp4", "")
	write("walk.json", document)
	if d := cmp.Diff([]string{"walk.mp4*"}, names(dir)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"walk.mp4*"}, names(filepath.Join(dir, "walk.mp4"))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	write("walk.json", `{"frames":1}`)
	if _, err := truth.Recordings(dir); err == nil || !strings.Contains(err.Error(), "walk.json: ") {
		t.Errorf("a wrong reference: %v", err)
	}
}

// TestData reads the measuring data.
func TestData(t *testing.T) {
	for pattern, read := range map[string]func([]byte) error{
		"images_gt/*/annotations.json":      func(b []byte) error { _, err := truth.Pictures(b); return err },
		"videos/*/reference_keypoints.json": func(b []byte) error { _, err := truth.Read(b); return err },
	} {
		paths, err := filepath.Glob(filepath.Join(testkit.Data(t, ""), pattern))
		if err != nil || len(paths) == 0 {
			t.Errorf("%s: %v, %d files", pattern, err, len(paths))
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err == nil {
				err = read(b)
			}
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// FuzzRead: whatever a file has, an error is of its kind, and what is read has something of each frame.
func FuzzRead(f *testing.F) {
	for _, doc := range []string{document, `{"format":"motion-truth/1"}`, `{"format":"motion-truth/1","parts":[""]}`, `{"frames":[{"t":0,"keypoints":{"nose":[1,2],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`, `{"keypoint":[{"nose":[1,2]}],"timestamps":[0]}`} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := truth.Read(b)
		if err != nil {
			if !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if n := got.Parts.Len(); len(got.Inside) != n || len(got.View) != n || got.Angles2D != nil && len(got.Visible) != n {
			t.Fatalf("%d frames, %d visible, %d inside, %d views", n, len(got.Visible), len(got.Inside), len(got.View))
		}
	})
}
