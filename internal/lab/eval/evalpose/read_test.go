package evalpose_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// frameOf returns a frame of parts with confidence 1.
func frameOf(parts map[keypoint.Part]keypoint.Point) (f keypoint.Frame) {
	for p, at := range parts {
		f.Set(p, at, 1)
	}
	return f
}

// flat returns COCO's 51 numbers for a nose at x, y.
func flat(x, y, v int) string {
	return fmt.Sprintf("[%d,%d,%d%s]", x, y, v, strings.Repeat(",0,0,0", 16))
}

func cocoFile(images, annotations string) string {
	return `{"info":{"year":2017},"annotations":[` + annotations + `],"images":[` + images + `]}`
}

func TestReadCOCO(t *testing.T) {
	nose := frameOf(map[keypoint.Part]keypoint.Point{keypoint.Nose: {10, 20}})
	doc := cocoFile(
		`{"id":7,"file_name":"b.jpg","width":64,"height":48},{"id":3,"file_name":"sub/a.jpg"}`,
		`{"id":1,"image_id":7,"category_id":1,"keypoints":`+flat(10, 20, 1)+`,"num_keypoints":1,"bbox":[1,2,3,4],"area":5.5,"iscrowd":0,"segmentation":[[1,2]]},
		 {"id":2,"image_id":7,"category_id":1,"keypoints":`+flat(0, 0, 0)+`,"num_keypoints":0,"bbox":[0,0,1,1],"area":1,"iscrowd":1},
		 {"id":3,"image_id":7,"category_id":18,"bbox":[0,0,9,9]}`)
	want := []evalpose.Labelled{
		{Image: "sub/a.jpg", Dominant: -1},
		{Image: "b.jpg", Size: image.Pt(64, 48), Dominant: 0, People: []evalpose.Person{
			{Parts: nose, Box: evalpose.Box{X: 1, Y: 2, Width: 3, Height: 4}, Area: 5.5},
			{Box: evalpose.Box{Width: 1, Height: 1}, Area: 1, Crowd: true},
		}},
	}
	got, err := evalpose.Read(strings.NewReader(" \n" + doc))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestReadCOCOErrors(t *testing.T) {
	img := `{"id":1,"file_name":"a.jpg"}`
	ann := func(members string) string { return `{"image_id":1,"category_id":1` + members + `}` }
	good := `,"keypoints":` + flat(1, 2, 2) + `,"bbox":[1,2,3,4],"area":5`
	for _, c := range []struct{ doc, want string }{
		{`{"images":[`, "ends too early"},
		{`{"images":[]}`, "/annotations: is required"},
		{`{"images":{},"annotations":[]}`, "/images: is an object, want an array"},
		{`{"images":[],"images":[]}`, "/images: the property is given twice"},
		{`{"images":[],"annotations":[]} x`, "more after"},
		{`{"images":[],"annotations":[]} {}`, "more after"},
		{cocoFile(`3`, ``), "/images/0: is a number, want an object"},
		{cocoFile(`{"id":"x"}`, ``), "/images/0/id: is a string, want an integer"},
		{cocoFile(`null`, ``), "/images/0: is required"},
		{cocoFile(`{"id":1}`, ``), "/images/0/file_name: is required"},
		{cocoFile(`{"id":1,"file_name":"../../etc/passwd"}`, ``), "/images/0/file_name: is"},
		{cocoFile(`{"id":1,"file_name":"a.jpg","width":0}`, ``), "/images/0/width: is 0"},
		{cocoFile(img+`,`+img, ``), "/images/1/id: is 1, which another picture has"},
		{cocoFile(img, ann(good)+`,`+strings.Replace(ann(good), `"image_id":1`, `"image_id":2`, 1)), "/annotations/1/image_id: is 2, and there is no such image"},
		{cocoFile(img, `{"category_id":1}`), "/annotations/0/image_id: is required"},
		{cocoFile(img, `{"image_id":1}`), "/annotations/0/category_id: is required"},
		{cocoFile(img, ann(`,"bbox":[1,2,3,4]`)), "/annotations/0/keypoints: is required: want x, y and v of each part: is this a file of keypoints?"},
		{cocoFile(img, ann(`,"keypoints":[1,2,3]`)), "/annotations/0/keypoints: has 3 elements, want 17 times x, y, v"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 2, 3))), "has v = 3 of nose"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 99999999, 2))), "/annotations/0/keypoints/1: is 9.9999999e+07"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 2, 2)+`,"num_keypoints":4`)), "/annotations/0/num_keypoints: is 4, but 1 keypoints are labelled"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 2, 2))), "/annotations/0/bbox: is required"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 2, 2)+`,"bbox":[1,2,-3,4]`)), "negative width"},
		{cocoFile(img, ann(`,"keypoints":`+flat(1, 2, 2)+`,"bbox":[1,2,3,4]`)), "/annotations/0/area: is required"},
		{cocoFile(img, ann(good+`,"iscrowd":2`)), "/annotations/0/iscrowd: is 2"},
		{`{"categories":[{"id":1,"name":"person","keypoints":["nose"]}],"images":[],"annotations":[]}`, "/categories/0/keypoints: are [nose]"},
	} {
		_, err := evalpose.Read(strings.NewReader(c.doc))
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.120s\n gives %v\n want %s", c.doc, err, c.want)
		}
	}
	broken := errors.New("the disk is broken")
	if _, err := evalpose.Read(failing{broken}); !errors.Is(err, broken) || errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("a broken reader gives %v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

func TestReadAnnotations(t *testing.T) {
	doc := `[{"image":"images/a.jpg","width":640,"height":425,"dominantPerson":true,"dominantIndex":1,"flickrUrl":"x","persons":[
		{"bbox":[0,0,10,20],"area":200,"areaSource":"bbox","iscrowd":1,"numKeypoints":0,"keypoints":{}},
		{"bbox":[0,0,10,20],"area":90,"areaSource":"segmentation","iscrowd":0,"numKeypoints":2,
		 "keypoints":{"nose":[10,20,2],"leftEye":[1.5,2,1],"rightEye":[0,0,0]}},
		{"bbox":[0,0,10,20],"keypoints":{}}]},
	  {"image":"b.jpg","persons":[],"dominantPerson":false,"dominantIndex":null},
	  {"image":"c.jpg","persons":[{"bbox":[0,0,10,20],"keypoints":{"nose":[1,2,2]}}]},
	  {"image":"d.jpg","dominantPerson":false,"dominantIndex":0,"persons":[{"bbox":[0,0,10,20],"keypoints":{"nose":[1,2,2]}}]}]`
	box := evalpose.Box{Width: 10, Height: 20}
	face := frameOf(map[keypoint.Part]keypoint.Point{keypoint.Nose: {10, 20}, keypoint.LeftEye: {1.5, 2}})
	nose := frameOf(map[keypoint.Part]keypoint.Point{keypoint.Nose: {1, 2}})
	want := []evalpose.Labelled{
		{Image: "images/a.jpg", Size: image.Pt(640, 425), Dominant: 1, People: []evalpose.Person{
			{Box: box, Area: 106, Crowd: true}, {Parts: face, Box: box, Area: 90}, {Box: box, Area: 106},
		}},
		{Image: "b.jpg", Dominant: -1},
		{Image: "c.jpg", Dominant: 0, People: []evalpose.Person{{Parts: nose, Box: box, Area: 106}}},
		{Image: "d.jpg", Dominant: -1, People: []evalpose.Person{{Parts: nose, Box: box, Area: 106}}},
	}
	got, err := evalpose.Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestReadAnnotationsErrors(t *testing.T) {
	picture := func(members string) string { return `[{"image":"a.jpg",` + members + `}]` }
	person := func(members string) string { return picture(`"persons":[{` + members + `}]`) }
	box := `"bbox":[0,0,1,1],`
	for _, c := range []struct{ doc, want string }{
		{``, "ends too early"},
		{`"x"`, "is a string, want an array"},
		{`[3]`, "/0: is a number, want an object"},
		{`[null]`, "/0: is required"},
		{`[{}]`, "/0/image: is required"},
		{`[{"image":"a.jpg"}]`, "/0/persons: is required"},
		{`[{"image":"/a.jpg","persons":[]}]`, "/0/image: is \"/a.jpg\""},
		{picture(`"persons":{}`), "/0/persons: is an object"},
		{picture(`"persons":[],"width":0.5`), "/0/width: is 0.5"},
		{picture(`"persons":[],"width":0`), "/0/width: is 0"},
		{picture(`"persons":[],"dominantPerson":true`), "/0/dominantPerson: is true, but dominantIndex is missing"},
		{picture(`"persons":[],"dominantIndex":0`), "/0/dominantIndex: is 0, but there are 0 persons"},
		{picture(`"dominantIndex":0,"persons":[{` + box + `"keypoints":{}}]`), "/0/dominantIndex: is 0, a person without keypoints"},
		{person(`"keypoints":{}`), "/0/persons/0/bbox: is required"},
		{person(box + `"area":1`), "/0/persons/0/keypoints: is required"},
		{person(`"bbox":[0,0,1],"keypoints":{}`), "/0/persons/0/bbox: has 3 elements"},
		{person(`"bbox":[0,0,1,-1],"keypoints":{}`), "/0/persons/0/bbox: has a negative width"},
		{person(box + `"area":-1,"keypoints":{}`), "/0/persons/0/area: is -1"},
		{person(box + `"iscrowd":2,"keypoints":{}`), "/0/persons/0/iscrowd: is 2"},
		{person(box + `"keypoints":{"tail":[1,2,2]}`), "/0/persons/0/keypoints/tail: is not a known property"},
		{person(box + `"keypoints":{"nose":[1,2]}`), "/0/persons/0/keypoints/nose: has 2 elements"},
		{person(box + `"keypoints":{"nose":[1,2,3]}`), "/0/persons/0/keypoints/nose: has v = 3"},
		{person(box + `"keypoints":{"nose":[1,1e9,2]}`), "/0/persons/0/keypoints/nose/1: is 1e+09"},
		{person(box + `"numKeypoints":2,"keypoints":{"nose":[1,2,2]}`), "/0/persons/0/numKeypoints: is 2, but 1"},
	} {
		_, err := evalpose.Read(strings.NewReader(c.doc))
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n gives %v\n want %s", c.doc, err, c.want)
		}
	}
}

func TestReadReference(t *testing.T) {
	want := keypoint.Sequence{Times: []float64{0, .5}, Frames: make([]keypoint.Frame, 2)}
	want.Frames[0].Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
	want.Frames[0].Set(keypoint.LeftEye, keypoint.Point{3, 4}, .5)
	own, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for doc, wantClipped := range map[string]int{
		`{"tool":"x","frames":[{"frame":0,"t":0,"keypoints":{"nose":[1,2],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`: 0,
		`{"frames":[{"t":0,"keypoints":{"nose":[1,2,1.25],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`:                 1,
		string(own): 0,
	} {
		got, clipped, err := evalpose.ReadReference(strings.NewReader(doc))
		if err != nil || clipped != wantClipped {
			t.Fatalf("%s: %d clipped, want %d (%v)", doc, clipped, wantClipped, err)
		}
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
			t.Errorf("%s (-want +got):\n%s", doc, d)
		}
	}
	for _, c := range []struct{ doc, want string }{
		{``, "ends too early"},
		{`[]`, "is an array, want an object"},
		{`{}`, "/frames: is required"},
		{`{"frames":[{}]}`, "/frames/0/t: is required"},
		{`{"frames":[{"t":0}]}`, "/frames/0/keypoints: is required"},
		{`{"frames":[{"t":1,"keypoints":{}},{"t":1,"keypoints":{}}]}`, "/frames/1/t: is 1"},
		{`{"frames":[{"t":1,"keypoints":{"nose":[1]}}]}`, "/frames/0/keypoints/nose: has 1 elements"},
		{`{"frames":[{"t":1,"keypoints":{"nose":[1,2,-0.1]}}]}`, "has the confidence -0.1"},
		{`{"keypoint":[{}]}`, "has no times"},
		{`{"keypoint":[{}],"timestamps":[0,1]}`, "invalid"},
	} {
		_, _, err := evalpose.ReadReference(strings.NewReader(c.doc))
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n gives %v\n want %s", c.doc, err, c.want)
		}
	}
}

// TestReadData reads the measuring data.
func TestReadData(t *testing.T) {
	for pattern, read := range map[string]func([]byte) error{
		"images_gt/*/annotations.json":      func(b []byte) error { _, err := evalpose.Read(bytes.NewReader(b)); return err },
		"videos/*/reference_keypoints.json": func(b []byte) error { _, _, err := evalpose.ReadReference(bytes.NewReader(b)); return err },
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

func ExampleRead() {
	pictures, err := evalpose.Read(strings.NewReader(`[{"image": "a.jpg", "persons": [
		{"bbox": [0, 0, 100, 200], "keypoints": {"nose": [50, 10, 2]}}]}]`))
	fmt.Println(len(pictures), pictures[0].Dominant, err)
	// Output: 1 0 <nil>
}

func ExampleReadReference() {
	s, clipped, err := evalpose.ReadReference(strings.NewReader(`{"frames": [{"t": 0, "keypoints": {"nose": [50, 10, 1.02]}}]}`))
	fmt.Println(s.Len(), s.Times, s.Frames[0].Confidence(keypoint.Nose), clipped, err)
	// Output: 1 [0] 1 1 <nil>
}
