package motion_test

import (
	"errors"
	"image/jpeg"
	"os"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// TestLabelsWriteAnalyses: a label writes the value of an analysis of the same keypoints,
// which may be unfinished and is not needed any more when the drawing was asked for.
func TestLabelsWriteAnalyses(t *testing.T) {
	s := newParts().service(t, nil)
	run(t, s)
	data := picture(400, 600)
	m := upload(t, s, data)
	e, other := extract(t, s, m.ID), extract(t, s, m.ID)
	a, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: rules(t,
		`[{"analysisType":"euclideanDistance","points":["leftHip","rightHip"]},{"analysisType":"vectorAngle","points":["leftHip","leftShoulder","nose"]}]`)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Compare(t.Context(), owner, motion.CompareRequest{SourceID: e.ID, TargetID: other.ID})
	if err != nil {
		t.Fatal(err)
	}
	const label = `{"drawingType":"label","points":["leftHip"],"text":"hips","analysis":1}`
	dark := func(path string) (n int) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := jpeg.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		for y := range 600 {
			for x := range 400 {
				if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
					n++
				}
			}
		}
		return n
	}
	plain := dark(drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rule: []byte(`{"drawingType":"label","points":["leftHip"],"text":"hips"}`)}))
	for name, req := range map[string]motion.DrawRequest{
		"keypoints":  {KeypointID: e.ID, AnalysisID: a.ID, Rule: []byte(label)},
		"comparison": {ComparisonID: c.ID, AnalysisID: a.ID, Rule: []byte(label)},
	} {
		if with := dark(drawn(t, s, req)); with <= plain+5 {
			t.Errorf("%s: %d dark pixels with the value, %d without", name, with, plain)
		}
	}
	list, _, err := s.Drawings(t.Context(), owner, motion.Page{})
	if err != nil || list[0].AnalysisID != a.ID {
		t.Errorf("the newest drawing is of the analysis %d (%v), want %d", list[0].AnalysisID, err, a.ID)
	}

	far := `{"drawingType":"label","points":["leftHip"],"analysis":2}`
	for name, c := range map[string]struct {
		req   motion.DrawRequest
		field string
	}{
		"no analysis":                {motion.DrawRequest{KeypointID: e.ID, Rule: []byte(label)}, "analysisId"},
		"an analysis of others":      {motion.DrawRequest{KeypointID: other.ID, AnalysisID: a.ID, Rule: []byte(label)}, "analysisId"},
		"an analysis that is not":    {motion.DrawRequest{KeypointID: e.ID, AnalysisID: 999, Rule: []byte(label)}, ""},
		"a number beyond its values": {motion.DrawRequest{KeypointID: e.ID, AnalysisID: a.ID, Rule: []byte(far)}, "rule"},
	} {
		_, err := s.Draw(t.Context(), owner, c.req)
		var wrong *motion.RequestError
		switch {
		case c.field == "" && errors.Is(err, motion.ErrNotFound):
		case errors.As(err, &wrong) && wrong.Field == c.field:
		default:
			t.Errorf("%s: %v, want a mistake at %q", name, err, c.field)
		}
	}
	wait(t, s, storage.Analyses, a.ID, storage.Success)
}
