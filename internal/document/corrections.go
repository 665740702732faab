package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/process"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
)

// Corrections are the stored corrections of keypoints and what became of the keypoints with them. They
// are applied to the cleaned keypoints, which stay.
type Corrections struct {
	List      correct.List    `json:"list,omitempty"`
	Corrected json.RawMessage `json:"corrected,omitempty"` // keypoint.Sequence
	Quality   json.RawMessage `json:"quality,omitempty"`   // quality.Report
}

// AllCorrections returns the corrections of all people in the documents.
func (d Documents) AllCorrections() correct.List {
	list := d.Corrections.List
	for _, track := range slices.Sorted(maps.Keys(d.People)) {
		list = append(list, d.People[track].Corrections.List...)
	}
	return list
}

// Digests returns the digest of the corrections by the track of each person, and by 0 for the chosen one;
// nil without any. Those of the chosen person that have moved the World belong to everybody's.
func Digests(list correct.List, people []inference.Presence, moved bool) map[int]string {
	if len(list) == 0 {
		return nil
	}
	chosen := list.Of(0)
	digests := map[int]string{0: chosen.Digest()}
	for _, p := range people {
		own := list.Of(p.Track)
		if p.Chosen || moved {
			own = append(own, chosen...)
		}
		digests[p.Track] = own.Digest()
	}
	maps.DeleteFunc(digests, func(_ int, digest string) bool { return digest == "" })
	return digests
}

// Edit returns the documents after edits by a client at a time, and the keypoints of the chosen person that
// they then hold, calibrated and judged again; without corrections, the cleaned ones. Edits of parts other
// than the given ones, and others that correct.Check or List.With refuse, are keypoint.FieldErrors;
// keypoints that can no longer be calibrated are a keypoint.ErrInvalid.
func (d Documents) Edit(edits []correct.Edit, parts keypoint.Parts, at time.Time, client string, c keypoint.Calibration) (Documents, process.Result, error) {
	seq, err := d.Sequence()
	if err == nil {
		err = correct.Check(edits, seq.Len(), seq.Size, parts)
	}
	if err != nil {
		return d, process.Result{}, err
	}
	list, err := d.AllCorrections().With(edits, at.UTC().Truncate(time.Microsecond), client)
	if err != nil {
		return d, process.Result{}, err
	}
	d, r, err := d.correct(list.Of(0), process.Options{Calibration: c})
	if err != nil {
		return d, r, fmt.Errorf("with these edits: %w", err)
	}
	d.People = maps.Clone(d.People)
	for track, p := range d.People {
		if own := list.Of(track); len(own)+len(p.Corrections.List) > 0 {
			if d.People[track], _, err = p.correct(own, process.Options{World: r.Sequence.World}); err != nil {
				return d, r, err
			}
		}
	}
	return d, r, nil
}

// correct returns the documents with other corrections of one person. Of the options, Calibration and World count.
func (d Documents) correct(list correct.List, opt process.Options) (Documents, process.Result, error) {
	var r process.Result
	cleaned, err := decode[keypoint.Sequence](d.Cleaned)
	if err != nil {
		return d, r, err
	}
	d.Corrections = Corrections{List: list}
	if found := cleaned.World != (keypoint.World{}); len(list) == 0 && (found || opt.Calibration == (keypoint.Calibration{})) {
		r.Sequence = cleaned
		r.Quality, err = d.Report()
		return d, r, err
	}
	changes, err := d.Changed()
	if err == nil {
		r, err = process.Correct(cleaned, changes, list, opt)
	}
	if err != nil {
		return d, r, err
	}
	if d.Corrections.Corrected, err = json.Marshal(r.Sequence); err == nil {
		d.Corrections.Quality, err = json.Marshal(r.Quality)
	}
	return d, r, err
}

// Marks returns what corrections have done to each frame, nil without any.
func (d Documents) Marks() ([][keypoint.NumParts]correct.Mark, error) {
	if len(d.Corrections.List) == 0 {
		return nil, nil
	}
	seq, err := decode[keypoint.Sequence](d.Cleaned)
	if err != nil {
		return nil, err
	}
	_, marks, err := correct.Apply(seq, d.Corrections.List)
	return marks, err
}
