// Package extraction processes the keypoints that were found in a movie or an image, and stores them.
package extraction

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Options say how keypoints are processed.
type Options struct {
	Clean       clean.Options
	CaptureRate float64 // frames per second of the camera, if not those of the movie; else 0
	Calibration keypoint.Calibration
}

// Result is what becomes of keypoints.
type Result struct {
	Sequence keypoint.Sequence
	Cleaning clean.Report // empty if there was nothing to clean or fill
	Quality  quality.Report
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
	if err == nil && opt.Calibration != (keypoint.Calibration{}) {
		r.Sequence.World, err = r.Sequence.Calibrate(opt.Calibration)
	}
	if err == nil {
		r.Quality, err = quality.Assess(quality.Input{Sequence: r.Sequence, Cleaning: r.Cleaning})
	}
	return r, err
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
}

// NewDocuments returns the documents of keypoints as they were found and what became of them.
func NewDocuments(raw keypoint.Sequence, opt Options, r Result) (d Documents, err error) {
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

// Parse reads a stored result. That of a plain record, which an old version has made, is a
// keypoint.Sequence.
func Parse(result []byte, plain bool) (d Documents, err error) {
	if plain {
		return Documents{Cleaned: result, Raw: result}, nil
	}
	err = json.Unmarshal(result, &d)
	if d.Raw == nil {
		d.Raw = d.Cleaned
	}
	return d, err
}

// Sequence returns the cleaned keypoints.
func (d Documents) Sequence() (seq keypoint.Sequence, err error) {
	err = json.Unmarshal(d.Cleaned, &seq)
	return seq, err
}

// Found returns the keypoints as they were found, with the times of the movie and without a World.
func (d Documents) Found() (seq keypoint.Sequence, err error) {
	err = json.Unmarshal(d.Raw, &seq)
	return seq, err
}

// Report returns what the keypoints are good for; records of old versions have none.
func (d Documents) Report() (r quality.Report, err error) {
	if d.Quality != nil {
		err = json.Unmarshal(d.Quality, &r)
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

// MembersOf returns the members of one of the documents, none if it is damaged.
func MembersOf(sequence json.RawMessage) (m Members) {
	if json.Unmarshal(sequence, &m) != nil {
		return Members{}
	}
	return m
}
