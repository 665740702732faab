package viewer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// names returns the module that tells the page what the library knows: how amounts are written, the parts of the body, the lines between
// them, and the types of analysis.
func names() ([]byte, error) {
	type kind struct {
		Name   analyze.Type `json:"name"`
		Points int          `json:"points"`
		Sided  bool         `json:"sided"`
		Unit   string       `json:"unit"`
		Front  bool         `json:"front"` // it is seen from the front, not from the side
		Good   float64      `json:"good"`  // the largest uncertainty that needs no care; 0: unknown
	}
	parts, kinds := []keypoint.Part{}, []kind{}
	for p := range keypoint.Part(keypoint.NumParts) {
		parts = append(parts, p)
	}
	for _, t := range analyze.Types() {
		kinds = append(kinds, kind{
			t, t.Points(), t.Sided(), t.Unit(), (&analyze.Rule{Type: t}).Plane() == quality.Frontal, quality.GoodTo(t.Unit()),
		})
	}
	measures := []string{"height", "rise", "drop", "sway"} // of jumps and tests
	for _, k := range kinds {
		measures = append(measures, string(k.Name))
	}
	var small []string
	for _, measure := range measures {
		if say.Measured(measure, 0, 0, "m").Unit != "m" {
			small = append(small, measure)
		}
	}
	var b bytes.Buffer
	for _, c := range []struct {
		name  string
		value any
	}{{"units", say.Units()}, {"small", small}, {"parts", parts}, {"skeleton", keypoint.Skeleton()}, {"types", kinds}} {
		text, err := json.Marshal(c.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "export const %s = %s;\n", c.name, text)
	}
	return b.Bytes(), nil
}
