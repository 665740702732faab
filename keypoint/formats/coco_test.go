package formats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func readCOCO(text string) error {
	_, err := formats.ReadAs(strings.NewReader(text), "coco", formats.Options{})
	return err
}

func TestCOCORoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sequences(0, rapid.Bool().Draw(t, "timed")).Draw(t, "sequence")
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "coco", want) })
		got, err := formats.ReadAs(strings.NewReader(text), "coco", formats.Options{})
		if err != nil {
			t.Fatal(err, text)
		}
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestCOCOOfPeople reads labels of photographs with several people. If one of them is dominant by
// the areas of the boxes, that one is kept.
func TestCOCOOfPeople(t *testing.T) {
	b, err := os.ReadFile(testkit.Data(t, "images_gt/coco/annotations.json"))
	if err != nil {
		t.Fatal(err)
	}
	var data []struct {
		Width, Height  int
		DominantPerson bool
		DominantIndex  int
		Persons        []struct {
			Box       []float64 `json:"bbox"`
			Keypoints map[keypoint.Part][3]float64
			IsCrowd   int
		}
	}
	if err := json.Unmarshal(b, &data); err != nil {
		t.Fatal(err)
	}
	type object map[string]any
	var images, annotations []object
	for i, m := range data {
		images = append(images, object{"id": 7 * i, "width": m.Width, "height": m.Height})
		for _, person := range m.Persons {
			list := make([]float64, 0, 51)
			for p := range keypoint.Part(keypoint.NumBody) {
				v := person.Keypoints[p]
				list = append(list, v[:]...)
			}
			annotations = append(annotations, object{"image_id": 7 * i, "keypoints": list, "bbox": person.Box, "iscrowd": person.IsCrowd})
		}
	}
	text, err := json.Marshal(object{"annotations": annotations, "info": object{"year": 2017}, "images": images})
	if err != nil {
		t.Fatal(err)
	}
	s, err := formats.ReadAs(bytes.NewReader(text), "coco", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dominant := 0
	for i, m := range data {
		if !m.DominantPerson {
			continue
		}
		dominant++
		var want keypoint.Frame
		for p, v := range m.Persons[m.DominantIndex].Keypoints {
			want.Set(p, keypoint.Point{v[0], v[1]}, 1)
		}
		if want != s.Frames[i] {
			t.Errorf("image %d: %v is kept, want %v", i, s.Frames[i], want)
		}
	}
	if dominant != 21 || s.Len() != 32 || s.Times != nil || s.Size != (image.Point{}) {
		t.Errorf("%d dominant people in %d frames, times %v, size %v", dominant, s.Len(), s.Times, s.Size)
	}
}

func TestCOCOCategories(t *testing.T) {
	text := `{"categories":[{"id":3,"keypoints":["neck","right_hip","nose"]},{"id":4,"name":"dog"}],
		"annotations":[{"image_id":2,"category_id":4},{"image_id":2,"category_id":3,"keypoints":[1,1,2,30,40,1,5,6,0.25]},
			{"image_id":2,"category_id":3,"iscrowd":1,"keypoints":[0,0,2,0,0,2,9000,9000,2]},
			{"image_id":9,"category_id":3,"keypoints":[1,1,2,null,40,1,0,0,0]}],
		"images":[{"id":9,"width":64,"height":48},{"id":2,"width":64,"height":48}]}`
	want := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Size: image.Pt(64, 48)}
	want.Frames[1].Set(keypoint.RightHip, keypoint.Point{30, 40}, 1)
	want.Frames[1].Set(keypoint.Nose, keypoint.Point{5, 6}, 0.25)
	got, err := formats.ReadAs(strings.NewReader(text), "coco", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCOCOWrong(t *testing.T) {
	one := func(annotation string) string {
		return `{"images":[{"id":1}],"annotations":[` + annotation + `],"categories":[{"id":1,"keypoints":["nose"]}]}`
	}
	wrongs(t, readCOCO, map[string][2]string{
		"empty":           {"", "the document ends too early"},
		"results":         {"1", "is a number, want an object"},
		"no images":       {"{}", "/images: is missing"},
		"images twice":    {`{"images":[],"images":[]}`, "/images: appears twice"},
		"no id":           {`{"images":[{"file_name":"a"}]}`, "/images/0/id: is missing"},
		"id":              {`{"images":[{"id":"1"}]}`, "/images/0/id: is a string, want a whole number"},
		"id twice":        {`{"images":[{"id":1},{"id":1}]}`, "/images/1/id: is 1, which another image has"},
		"size":            {`{"images":[{"id":1,"width":-1}]}`, "/images/0: has the size -1×0"},
		"some times":      {`{"images":[{"id":1,"time":1},{"id":2}]}`, "/images/1/time: is there on some"},
		"times":           {`{"images":[{"id":1,"time":1},{"id":2,"time":1}]}`, "/images/1/time: is 1 s"},
		"no image id":     {one(`{"keypoints":[1,2,2]}`), "/annotations/0/image_id: is missing"},
		"unknown image":   {one(`{"image_id":2,"category_id":1,"keypoints":[1,2,2]}`), "/annotations/0/image_id: is 2, want"},
		"unknown kind":    {one(`{"image_id":1,"category_id":2,"keypoints":[1,2,2]}`), "/annotations/0/category_id: is 2, want"},
		"keypoints":       {one(`{"image_id":1,"category_id":1,"keypoints":[1,2]}`), "/annotations/0/keypoints: has 2 numbers, want 3"},
		"scores":          {one(`{"image_id":1,"category_id":1,"keypoints":[1,2,2],"keypoint_scores":[]}`), "/annotations/0/keypoint_scores: has 0 numbers, want 1"},
		"without order":   {`{"images":[{"id":1}],"annotations":[{"image_id":1,"keypoints":[1,2,2]}]}`, "has 3 numbers, want 51"},
		"no category id":  {`{"categories":[{"name":"person"}]}`, "/categories/0/id: is missing"},
		"category twice":  {`{"categories":[{"id":1},{"id":1}]}`, "/categories/1/id: is 1"},
		"keypoint twice":  {`{"categories":[{"id":1,"keypoints":["left_eye","leftEye"]}]}`, "/categories/0/keypoints: has leftEye twice"},
		"bad syntax":      {`{"images":[{"id":1}],,`, "is not JSON"},
		"bad other thing": {`{"info":{"a":}}`, "is not JSON"},
		"more":            {`{"images":[]}{}`, "there is more after the document"},
	})
	_, err := formats.ReadAs(strings.NewReader(`{"images":[{"id":1},{"id":2}]}`), "coco", formats.Options{Limits: formats.Limits{Frames: 1}})
	if err == nil || !strings.Contains(err.Error(), "/images/1: there are more than 1 frames") {
		t.Errorf("too many: %v", err)
	}
	if _, err := formats.ReadAs(broken{}, "coco", formats.Options{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := formats.Write(broken{}, "coco", short()); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := formats.Write(io.Discard, "coco", keypoint.Sequence{Times: []float64{math.NaN()}}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Error(err)
	}
}

func FuzzReadCOCO(f *testing.F) {
	f.Add(written(f, func(b *bytes.Buffer) error { return formats.Write(b, "coco", short()) }))
	f.Add(written(f, func(b *bytes.Buffer) error { return formats.Write(b, "coco", shod()) }))
	f.Add(fmt.Sprintf(`{"images":[{"id":1}],"annotations":[{"image_id":1,"keypoints":[%s1,2,0.5]}]}`, strings.Repeat("0,0,0,", 16)))
	f.Add(fmt.Sprintf(`{"images":[{"id":1}],"annotations":[{"image_id":1,"keypoints":[%s1,2,2],"foot_kpts":[%s1,2,2]}]}`, strings.Repeat("0,0,0,", 16), strings.Repeat("0,0,0,", 5)))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := formats.ReadAs(strings.NewReader(text), "coco", formats.Options{Limits: formats.Limits{Frames: 1000}})
		sound(t, s, err)
		if err != nil {
			return
		}
		again, err := formats.ReadAs(strings.NewReader(written(t, func(b *bytes.Buffer) error { return formats.Write(b, "coco", s) })), "coco", formats.Options{})
		if len(s.Frames) == 0 {
			s = keypoint.Sequence{Frames: []keypoint.Frame{}} // no image has the size
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(s, again); d != "" {
			t.Fatal(d)
		}
	})
}
