// Package extraction processes the keypoints that were found in a movie or an image, and stores them.
package extraction

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Options say how keypoints are processed.
type Options struct {
	Clean       clean.Options
	CaptureRate float64 // frames per second of the camera, if not those of the movie; else 0
	Calibration keypoint.Calibration
	World       keypoint.World // without a Calibration: what that of somebody else in the movie has found
	Corrections correct.List   // by hand, of the cleaned keypoints of all people; Process leaves them out
}

// Result is what becomes of keypoints.
type Result struct {
	Sequence keypoint.Sequence
	Cleaning clean.Report // empty if there was nothing to clean or fill
	Quality  quality.Report
	Moved    bool // corrections have changed the World
}

// Process cleans keypoints, unless there is nothing to clean or fill, calibrates them, and judges
// the result.
func Process(raw keypoint.Sequence, opt Options) (r Result, err error) {
	r.Sequence = raw
	if opt.CaptureRate != 0 {
		r.Sequence, err = raw.CapturedAt(opt.CaptureRate)
	}
	if err == nil && (opt.Clean != (clean.Options{}) || raw.Looks != nil) {
		r.Sequence, r.Cleaning, err = clean.Run(r.Sequence, opt.Clean)
	}
	if r.Sequence.World = opt.World; err == nil && opt.Calibration != (keypoint.Calibration{}) {
		r.Sequence.World, err = r.Sequence.Calibrate(opt.Calibration)
	}
	if err == nil {
		r.Quality, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.Cleaning})
	}
	return r, err
}

// Make processes the keypoints of the chosen person and of the others, with corrections, and returns what
// is stored of all, and what became of the chosen person's. The Calibration is found from the chosen
// person.
func Make(people inference.People, opt Options) (d Documents, r Result, err error) {
	first := opt
	if len(opt.Corrections.Of(0)) > 0 {
		first.Calibration = keypoint.Calibration{} // is found from the corrected keypoints
	}
	d, r, err = of(people.Chosen.Sequence, first)
	cleaning := r.Cleaning
	if err == nil && len(opt.Corrections.Of(0)) > 0 {
		d, r, err = d.correct(opt.Corrections.Of(0), opt)
	}
	opt.World, opt.Calibration = r.Sequence.World, keypoint.Calibration{}
	for _, p := range people.All {
		if err == nil && p.Track != people.Chosen.Track {
			err = d.add(p, opt)
		}
	}
	r.Cleaning = cleaning
	return d, r, err
}

// of processes the keypoints of one person, without corrections.
func of(raw keypoint.Sequence, opt Options) (d Documents, r Result, err error) {
	if r, err = Process(raw, opt); err == nil {
		d, err = newDocuments(raw, opt, r)
	}
	return d, r, err
}

// add adds one of the others.
func (d *Documents) add(p inference.Person, opt Options) error {
	one, r, err := of(p.Sequence, opt)
	one.Counts = r.Counts()
	if own := opt.Corrections.Of(p.Track); err == nil && len(own) > 0 {
		one, _, err = one.correct(own, opt)
	}
	if err != nil {
		return fmt.Errorf("person %d: %w", p.Track, err)
	}
	if d.People == nil {
		d.People = map[int]Documents{}
	}
	d.People[p.Track] = one
	return nil
}

// Counts returns how many points cleaning has changed.
func (r Result) Counts() catalog.Counts {
	n := r.Cleaning
	return catalog.Counts{
		Swapped: n.Count(clean.Swapped), Rejected: n.Count(clean.Rejected | clean.Coincident),
		Filled: n.Count(clean.Filled), Smoothed: n.Count(clean.Smoothed), Skipped: len(n.Skips),
	}
}

// Documents are the stored form of keypoints. Members may be missing in old records.
type Documents struct {
	Cleaned json.RawMessage `json:"cleaned"`           // keypoint.Sequence
	Raw     json.RawMessage `json:"raw,omitempty"`     // as found: without cleaning, CaptureRate and World; nil if Cleaned is that
	Quality json.RawMessage `json:"quality,omitempty"` // quality.Report

	// Changes are the changes of each frame: two hexadecimal digits a part, of clean.Change;
	// without those of the feet if they have none.
	Changes []string `json:"changes,omitempty"`

	Corrections Corrections `json:"corrections,omitzero"`

	// Of the people beside the chosen one, by track; and what cleaning has changed, of such a person.
	People map[int]Documents `json:"people,omitempty"`
	Counts catalog.Counts    `json:"counts,omitzero"`
}

// newDocuments returns the documents of keypoints as they were found and what became of them.
func newDocuments(raw keypoint.Sequence, opt Options, r Result) (d Documents, err error) {
	if opt.Clean != (clean.Options{}) || raw.Looks != nil || opt.CaptureRate != 0 || r.Sequence.World != (keypoint.World{}) {
		for _, parts := range r.Cleaning.Changes {
			d.Changes = append(d.Changes, digits(parts))
		}
		if d.Raw, err = json.Marshal(raw); err != nil {
			return d, err
		}
	}
	if d.Quality, err = json.Marshal(r.Quality); err != nil {
		return d, err
	}
	d.Cleaned, err = json.Marshal(r.Sequence)
	return d, err
}

// digits writes the changes of a frame.
func digits(parts [keypoint.NumParts]clean.Change) string {
	b := make([]byte, keypoint.NumBody, keypoint.NumParts)
	for p, c := range parts {
		if p >= keypoint.NumBody && c != 0 {
			b = b[:keypoint.NumParts]
		}
		if p < len(b) {
			b[p] = byte(c)
		}
	}
	return hex.EncodeToString(b)
}

// Parse reads a stored result. That of a record which an old version has made is a keypoint.Sequence.
func Parse(result []byte) (d Documents, err error) {
	err = json.Unmarshal(result, &d)
	if d.Cleaned == nil {
		d.Cleaned = result
	}
	return d, err
}

// current returns the keypoints to use: cleaned and corrected.
func (d Documents) current() json.RawMessage {
	if d.Corrections.Corrected != nil {
		return d.Corrections.Corrected
	}
	return d.Cleaned
}

func (d Documents) raw() json.RawMessage {
	if d.Raw != nil {
		return d.Raw
	}
	return d.Cleaned
}

// Sequence returns the cleaned and corrected keypoints.
func (d Documents) Sequence() (seq keypoint.Sequence, err error) {
	err = json.Unmarshal(d.current(), &seq)
	return seq, err
}

// Found returns the keypoints as they were found, with the times of the movie and without a World.
func (d Documents) Found() (seq keypoint.Sequence, err error) {
	err = json.Unmarshal(d.raw(), &seq)
	return seq, err
}

// Everybody returns what Found does, of all people of a record.
func (d Documents) Everybody(presence []inference.Presence) (people inference.People, err error) {
	if people.Chosen.Sequence, err = d.Found(); err != nil {
		return people, err
	}
	for _, p := range presence {
		one := inference.Person{Track: p.Track, Sequence: people.Chosen.Sequence}
		if p.Chosen {
			people.Chosen = one
		} else if one.Sequence, err = d.People[p.Track].Found(); err != nil {
			return people, err
		}
		people.All = append(people.All, one)
	}
	return people, nil
}

// Report returns what the keypoints are good for; records of old versions have none.
func (d Documents) Report() (r quality.Report, err error) {
	text := d.Quality
	if d.Corrections.Quality != nil {
		text = d.Corrections.Quality
	}
	if text != nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// Changed returns what cleaning changed in each frame, nil if nothing was cleaned.
func (d Documents) Changed() ([][keypoint.NumParts]clean.Change, error) {
	if d.Changes == nil {
		return nil, nil
	}
	changes := make([][keypoint.NumParts]clean.Change, len(d.Changes))
	for i, text := range d.Changes {
		b, err := hex.DecodeString(text)
		if err != nil || len(b) > keypoint.NumParts {
			return nil, fmt.Errorf("the stored changes of frame %d are damaged", i)
		}
		for p, c := range b {
			changes[i][p] = clean.Change(c)
		}
	}
	return changes, nil
}

// Members are the API's members of a keypoint.Sequence; Timestamps is nil for an image.
type Members struct{ Keypoint, Scores, Timestamps json.RawMessage }

// Members returns the members of the cleaned and corrected keypoints, none if they are damaged.
func (d Documents) Members() Members { return membersOf(d.current()) }

// RawMembers returns the members of the keypoints as they were found, with the times of Members.
func (d Documents) RawMembers() Members {
	m := membersOf(d.raw())
	m.Timestamps = d.Members().Timestamps
	return m
}

func membersOf(sequence json.RawMessage) (m Members) {
	if json.Unmarshal(sequence, &m) != nil {
		return Members{}
	}
	return m
}
