package evalpose_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// holds checks what every reader promises: an error is of its kind, and what is read can
// be worked with.
func holds(t *testing.T, pictures []evalpose.Labelled, err error) {
	if err != nil {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Fatalf("an error of another kind: %v", err)
		}
		return
	}
	for _, l := range pictures {
		if l.Image == "" || l.Dominant < -1 || l.Dominant >= len(l.People) {
			t.Fatalf("%q with the dominant person %d of %d", l.Image, l.Dominant, len(l.People))
		}
		p := evalpose.Picture{People: l.People}
		for _, who := range l.People {
			if o := evalpose.OKS(&who, &who.Parts); !(o >= 0 && o <= 1+1e-9) {
				t.Fatalf("OKS %v", o)
			}
			p.Found = append(p.Found, evalpose.Detection{Parts: who.Parts})
		}
		evalpose.AveragePrecision([]evalpose.Picture{p}, evalpose.AllSizes)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(cocoFile(`{"id":1,"file_name":"a.jpg"}`, `{"image_id":1,"category_id":1,"keypoints":`+flat(1, 2, 2)+`,"bbox":[1,2,3,4],"area":5}`)))
	f.Add([]byte(`{"images":[],"annotations":[],"categories":[{"id":1,"name":"person"}]}`))
	f.Add([]byte(`[{"image":"a.jpg","width":640,"height":425,"dominantPerson":true,"dominantIndex":0,"persons":[
		{"bbox":[0,0,10,20],"area":200,"areaSource":"bbox","iscrowd":0,"numKeypoints":1,"keypoints":{"nose":[1,2,2]}}]}]`))
	f.Add([]byte(`[{"image":"b.jpg","persons":[]}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		pictures, err := evalpose.Read(bytes.NewReader(b))
		holds(t, pictures, err)
	})
}

func FuzzReadReference(f *testing.F) {
	f.Add([]byte(`{"frames":[{"t":0,"keypoints":{"nose":[1,2],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`))
	f.Add([]byte(`{"keypoint":[{"nose":[1,2]}],"timestamps":[0]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, _, err := evalpose.ReadReference(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		pairs, err := evalpose.Match(s, s, 0)
		if err != nil || len(pairs) > s.Len() {
			t.Fatalf("%d pairs of %d frames, %v", len(pairs), s.Len(), err)
		}
		evalpose.Jitter(s)
	})
}

func FuzzReadTruth(f *testing.F) {
	f.Add([]byte(truth))
	f.Add([]byte(`{"format":"motion-truth/1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		truth, err := evalpose.ReadTruth(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if n := truth.Parts.Len(); len(truth.Visible) != n || len(truth.Inside) != n || len(truth.View) != n {
			t.Fatalf("%d frames, %d visible, %d inside, %d views", n, len(truth.Visible), len(truth.Inside), len(truth.View))
		}
		pairs, err := evalpose.Match(truth.Parts, truth.Parts, 0)
		if err != nil {
			t.Fatal(err)
		}
		evalpose.PeakAngleErrors(truth, truth.Parts, pairs)
		evalpose.PeakSpeedErrors(truth, truth.Parts, pairs)
	})
}
