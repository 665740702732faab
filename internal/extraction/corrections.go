//go:build !js

package extraction

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bodymotion/motion/inference"
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
	digests := map[int]string{0: digest(chosen)}
	for _, p := range people {
		own := list.Of(p.Track)
		if p.Chosen || moved {
			own = append(own, chosen...)
		}
		digests[p.Track] = digest(own)
	}
	maps.DeleteFunc(digests, func(_ int, digest string) bool { return digest == "" })
	return digests
}

// digest returns 16 hexadecimal digits that depend on what is corrected, not on who did it or when. Without corrections it returns "".
func digest(list correct.List) string {
	if len(list) == 0 {
		return ""
	}
	h := sha256.New()
	byPerson := func(a, b correct.Correction) int { return cmp.Compare(a.Person, b.Person) }
	for _, c := range slices.SortedStableFunc(slices.Values(list), byPerson) {
		fmt.Fprintf(h, "%d %d %d", c.Person, c.Frame, c.Part)
		if c.Point != nil {
			fmt.Fprint(h, " ", *c.Point)
		}
		if c.Exchange {
			fmt.Fprintf(h, " to %d", c.Last)
		}
		if c.Carry > 0 {
			fmt.Fprintf(h, " carry %d", c.Carry)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Edit returns the documents after the edits of requests by a client at a time, each whole or not at all, and the keypoints
// of the chosen person that they then hold, calibrated and judged again; without corrections, the cleaned ones. refused gets
// why a request is not made, and has it already of those that are not to be: edits of parts other than the given ones, and
// others that correct.Check or List.With refuse, are keypoint.FieldErrors; keypoints that can no longer be calibrated are a
// keypoint.ErrInvalid. If all are refused, the documents stay.
func (d Documents) Edit(requests [][]correct.Edit, refused []error, parts keypoint.Parts, at time.Time, client string, c keypoint.Calibration) (Documents, Result, error) {
	cleaned, err := decode[keypoint.Sequence](d.Cleaned)
	if err != nil {
		return d, Result{}, err
	}
	list, left := d.AllCorrections(), 0
	for i, edits := range requests {
		if refused[i] == nil {
			refused[i] = correct.Check(edits, cleaned.Len(), cleaned.Size, parts)
		}
		if refused[i] != nil {
			continue
		}
		var with correct.List
		if with, refused[i] = list.With(edits, at.UTC().Truncate(time.Microsecond), client); refused[i] == nil {
			list, left = with, left+1
		}
	}
	if left == 0 {
		return d, Result{}, nil
	}
	edited, r, err := d.edited(cleaned, list, c)
	if !errors.Is(err, keypoint.ErrInvalid) {
		return edited, r, err
	}
	for i := range requests { // which of them is it?
		switch {
		case refused[i] != nil:
		case left == 1:
			refused[i] = fmt.Errorf("with these edits: %w", err)
		default:
			next, result, err := d.Edit(requests[i:i+1], refused[i:i+1], parts, at, client, c)
			if err != nil {
				return d, r, err
			}
			if refused[i] == nil {
				d, r = next, result
			}
		}
	}
	return d, r, nil
}

// edited returns the documents with a list of the corrections of everybody.
func (d Documents) edited(cleaned keypoint.Sequence, list correct.List, c keypoint.Calibration) (Documents, Result, error) {
	d, r, err := d.correct(cleaned, list.Of(0), Options{Calibration: c})
	if err != nil {
		return d, r, err
	}
	d.People = maps.Clone(d.People)
	for track, p := range d.People {
		if own := list.Of(track); len(own)+len(p.Corrections.List) > 0 {
			if d.People[track], _, err = p.recorrect(own, Options{World: r.Sequence.World}); err != nil {
				return d, r, err
			}
		}
	}
	return d, r, nil
}

// recorrect returns the documents with other corrections of one person. Of the options, Calibration and World count.
func (d Documents) recorrect(list correct.List, opt Options) (Documents, Result, error) {
	cleaned, err := decode[keypoint.Sequence](d.Cleaned)
	if err != nil {
		return d, Result{}, err
	}
	return d.correct(cleaned, list, opt)
}

// correct is recorrect of documents whose cleaned keypoints are known.
func (d Documents) correct(cleaned keypoint.Sequence, list correct.List, opt Options) (_ Documents, r Result, err error) {
	d.Corrections = Corrections{List: list}
	if found := cleaned.World != (keypoint.World{}); len(list) == 0 && (found || opt.Calibration == (keypoint.Calibration{})) {
		r.Sequence = cleaned
		if r.Quality, err = d.Report(); err == nil {
			err = r.study()
		}
		return d, r, err
	}
	changes, err := d.Changed()
	if err == nil {
		r, err = correctBy(cleaned, changes, list, opt)
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
