package score_test

import (
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
)

// FuzzPictures: whatever labels are read, what is compared with them has a similarity of 0 to 1.
func FuzzPictures(f *testing.F) {
	f.Add([]byte(`[{"image":"a.jpg","width":640,"height":425,"dominantPerson":true,"dominantIndex":0,"persons":[
		{"bbox":[0,0,10,20],"area":200,"areaSource":"bbox","iscrowd":0,"keypoints":{"nose":[1,2,2]}}]}]`))
	f.Add([]byte(`[{"image":"b.jpg","persons":[]}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		pictures, err := truth.Pictures(b)
		if err != nil {
			return
		}
		for _, l := range pictures {
			if l.Image == "" || l.Dominant < -1 || l.Dominant >= len(l.People) {
				t.Fatalf("%q with the dominant person %d of %d", l.Image, l.Dominant, len(l.People))
			}
			p := score.Picture{People: l.People}
			for _, who := range l.People {
				if o := score.OKS(&who, &who.Parts); !(o >= 0 && o <= 1+1e-9) {
					t.Fatalf("OKS %v", o)
				}
				p.Found = append(p.Found, score.Detection{Parts: who.Parts})
			}
			score.AveragePrecision([]score.Picture{p})
		}
	})
}

// FuzzJudge: whatever truth is read, it can be compared with itself.
func FuzzJudge(f *testing.F) {
	f.Add([]byte(`{"frames":[{"t":0,"keypoints":{"nose":[1,2],"leftEye":[3,4,0.5]}},{"t":0.5,"keypoints":{}}]}`))
	f.Add([]byte(`{"format":"motion-truth/1","movie":{"width":200,"height":100},"parts":["nose"],"frames":{"t":[0],"visible":["1"],"in_picture":[1],
		"view_deg":[80],"world":[[[0,2,0]]],"xy":[[[10,20]]]},"angles2d":{"left_knee":[1]},"angles3d":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		known, err := truth.Read(b)
		if err != nil || known.Parts.Len() == 0 {
			return
		}
		if m, err := score.Judge(known, known.Parts); err != nil || m.Exchanged.Count > 0 {
			t.Fatalf("%+v (%v)", m, err)
		}
	})
}
