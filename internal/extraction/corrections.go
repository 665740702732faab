package extraction

import (
	"encoding/json"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Corrections are the stored corrections of keypoints and what became of the keypoints with them. They
// are applied to the cleaned keypoints, which stay.
type Corrections struct {
	List      correct.List    `json:"list,omitempty"`
	Corrected json.RawMessage `json:"corrected,omitempty"` // keypoint.Sequence
	Quality   json.RawMessage `json:"quality,omitempty"`   // quality.Report
}

// Correct returns the documents with other corrections, and the keypoints that they then hold, calibrated
// and judged anew. Without corrections these are the cleaned ones. Of the options, only Calibration counts.
func (d Documents) Correct(list correct.List, opt Options) (Documents, Result, error) {
	var r Result
	err := json.Unmarshal(d.Cleaned, &r.Sequence)
	if err != nil {
		return d, r, err
	}
	d.Corrections = Corrections{List: list}
	if found := r.Sequence.World != (keypoint.World{}); len(list) == 0 && (found || opt.Calibration == (keypoint.Calibration{})) {
		r.Quality, err = d.Report()
		return d, r, err
	}
	var marks [][keypoint.NumParts]correct.Mark
	if r.Cleaning.Changes, err = d.Changed(); err == nil {
		r.Sequence, marks, err = correct.Apply(r.Sequence, list)
	}
	if err != nil {
		return d, r, err
	}
	for i := range r.Cleaning.Changes {
		for p, m := range marks[i] {
			if m != correct.None {
				r.Cleaning.Changes[i][p] = 0
			}
		}
	}
	r.Sequence.World = keypoint.World{}
	if opt.Calibration != (keypoint.Calibration{}) {
		r.Sequence.World, err = r.Sequence.Calibrate(opt.Calibration)
	}
	if err == nil {
		r.Quality, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.Cleaning})
	}
	if err == nil {
		d.Corrections.Corrected, err = json.Marshal(r.Sequence)
	}
	if err == nil {
		d.Corrections.Quality, err = json.Marshal(r.Quality)
	}
	return d, r, err
}

// Marks returns what corrections have done to each frame, nil without any.
func (d Documents) Marks() ([][keypoint.NumParts]correct.Mark, error) {
	if len(d.Corrections.List) == 0 {
		return nil, nil
	}
	var seq keypoint.Sequence
	if err := json.Unmarshal(d.Cleaned, &seq); err != nil {
		return nil, err
	}
	_, marks, err := correct.Apply(seq, d.Corrections.List)
	return marks, err
}
