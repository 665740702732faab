package analyze_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestResultJSON: what is written is read back.
func TestResultJSON(t *testing.T) {
	seq := keypoint.Sequence{Times: []float64{0, 0.5, 1}, Frames: make([]keypoint.Frame, 3)}
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{1.5, 2}, 1)
	seq.Frames[2].Set(keypoint.Nose, keypoint.Point{-3, 4.25}, 1)
	nose := keypoint.PartSelectors(keypoint.Nose)
	results, err := analyze.Run(seq, []analyze.Rule{
		{Type: analyze.Coordinate, Points: nose, Movie: &analyze.MovieOption{Statistic: analyze.Max}},
		{Type: analyze.HorizontalDifference, Points: append(nose, nose...), Movie: &analyze.MovieOption{Statistic: analyze.Min}},
		{Type: analyze.Coordinate, Points: nose},
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	var back []analyze.Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(results, back, cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Errorf("%s\n%s", b, d)
	}
	for _, bad := range []string{`{}`, `{"analysisType":"coordinate","values":[1]}`, `{"analysisType":"vectorAngle","values":[[1,2]]}`, `{"analysisType":"coordinate","values":[[1]]}`, `[]`} {
		var r analyze.Result
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"analysisType":"coordinate","description":"x","values":[[1,2],null],"coverage":0.5,"movieOption":{"statisticsType":"max","targetValue":"all","value":[1,2]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r analyze.Result
		if json.Unmarshal(data, &r) != nil {
			return
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
	})
}
