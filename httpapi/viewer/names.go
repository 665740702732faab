package viewer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// names returns the module that tells the page what the library knows: words by language and name, the parts
// of the body, the lines between them, and the types of analysis.
func names() ([]byte, error) {
	type kind struct {
		Name   analyze.Type `json:"name"`
		Points int          `json:"points"`
		Sided  bool         `json:"sided"`
		Unit   string       `json:"unit"`
		Front  bool         `json:"front"` // it is seen from the front, not from the side
		Good   float64      `json:"good"`  // the largest uncertainty that needs no care; 0: unknown
	}
	spelled, parts, kinds := map[words.Language]map[string]string{}, []keypoint.Part{}, []kind{}
	for _, language := range words.Languages() {
		spelled[language] = language.All()
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		parts = append(parts, p)
	}
	for _, t := range analyze.Types() {
		kinds = append(kinds, kind{
			t, t.Points(), t.Sided(), t.Unit(), (&analyze.Rule{Type: t}).Plane() == quality.Frontal, study.GoodTo(t.Unit()),
		})
	}
	var b bytes.Buffer
	for _, c := range []struct {
		name  string
		value any
	}{{"words", spelled}, {"parts", parts}, {"skeleton", keypoint.Skeleton()}, {"types", kinds}} {
		text, err := json.Marshal(c.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "export const %s = %s;\n", c.name, text)
	}
	return b.Bytes(), nil
}
