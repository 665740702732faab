package compare

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// WriteCSV writes a comparison as comma-separated values with a row for each frame of the source: its number from 0, its time
// in seconds, the distance (0 to 1) and direction (deg) of each part that was compared in some frame, the differences of angles
// (deg) and the shift (s) if there are any. An absent number is an empty cell. Scores, repetitions and the path are left out.
// times are those of the source, nil for an image; times that are not one a frame or do not increase are a keypoint.ErrInvalid.
func WriteCSV(w io.Writer, times []float64, r Result) error {
	var columns []tables.Column
	for p := range keypoint.Part(keypoint.NumParts) {
		if slices.ContainsFunc(r.Frames, func(f Frame) bool { return f.present.Has(p) }) {
			name := say.Name(p.String()).String()
			columns = append(columns,
				tables.Column{Name: name + " distance", At: func(i int) (float64, bool) {
					d, ok := r.Frames[i].At(p)
					return d.Distance, ok
				}},
				tables.Column{Name: name + " direction", Unit: "deg", At: func(i int) (float64, bool) {
					d, ok := r.Frames[i].At(p)
					return d.Direction, ok
				}})
		}
	}
	for _, a := range r.Angles {
		columns = append(columns, tables.Column{Name: say.Name(a.Name()).String() + " difference", Unit: "deg", At: func(i int) (float64, bool) {
			v := valueAt(a.Values, i)
			return v.X, v.Present
		}})
	}
	if r.Shift != nil {
		columns = append(columns, tables.Column{Name: "shift", Unit: "s", At: func(i int) (float64, bool) {
			v := valueAt(r.Shift, i)
			return v.X, v.Present
		}})
	}
	return tables.WriteCSV(w, times, len(r.Frames), columns)
}

// WriteJSONL writes a comparison as JSON Lines: a header with what applies to the whole, such as the score, and then a line for each frame
// of the source with its time in seconds and what the JSON of a Result has for each frame. The errors are those of WriteCSV.
//
//	{"score":{"overall":0.93,"parts":{…}},"timed":true}
//	{"time":0,"difference":{"leftKnee":{"distance":0.02,"direction":270}},"angles":{"leftKneeFlexion":4.5},"shift":0}
func WriteJSONL(w io.Writer, times []float64, r Result) error {
	var series struct{ Difference, Angles, Shift []json.RawMessage }
	head, err := tables.Split(r, &series, "difference", "angles", "shift")
	if err != nil {
		return err
	}
	if r.Score == nil {
		delete(head, "score")
	}
	type line struct {
		Time       json.RawMessage `json:"time,omitempty"`
		Difference json.RawMessage `json:"difference"`
		Angles     json.RawMessage `json:"angles,omitempty"`
		Shift      json.RawMessage `json:"shift,omitempty"`
	}
	return tables.WriteJSONL(w, times, len(r.Frames), head, func(i int, time json.RawMessage) any {
		l := line{Time: time, Difference: series.Difference[i]}
		if series.Angles != nil {
			l.Angles = series.Angles[i]
		}
		if i < len(series.Shift) {
			l.Shift = series.Shift[i]
		}
		return l
	})
}
