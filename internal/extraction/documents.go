//go:build !js

package extraction

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Documents are the stored form of keypoints.
type Documents struct {
	Cleaned json.RawMessage `json:"cleaned"`           // keypoint.Sequence
	Raw     json.RawMessage `json:"raw,omitempty"`     // as found: without cleaning, CaptureRate and World; nil if Cleaned is that
	Quality json.RawMessage `json:"quality,omitempty"` // quality.Report

	// Changes are the changes of each frame: two hexadecimal digits a part, of clean.Change; without those of the feet if they have none.
	Changes []string `json:"changes,omitempty"`

	Corrections Corrections `json:"corrections,omitzero"`

	// Of the people beside the chosen one, by track; and what cleaning has changed, of such a person.
	People map[int]Documents `json:"people,omitempty"`
	Counts clean.Counts      `json:"counts,omitzero"`
}

// Make processes the keypoints of the chosen person and of the others, with corrections of the cleaned ones by hand, and
// returns what is stored of all, and what became of the chosen person's. The Calibration is found from the chosen person.
func Make(people inference.People, opt Options, corrections correct.List) (d Documents, r Result, err error) {
	if seq := people.Chosen.Sequence; opt.ScaleIfShown && (seq.World.Metric() || seq.Space.Seen()) {
		opt.Calibration.Scale = nil // the file has one
	}
	err = opt.ifShown(func(opt Options) error {
		d, r, err = process(people, opt, corrections)
		r.Calibration = opt.Calibration
		return err
	})
	return d, r, err
}

func process(people inference.People, opt Options, corrections correct.List) (d Documents, r Result, err error) {
	own, first := corrections.Of(0), opt
	if len(own) > 0 {
		first.Calibration = keypoint.Calibration{} // is found from the corrected keypoints
	}
	if d, r, err = of(people.Chosen.Sequence, first); err != nil {
		return d, r, err
	}
	cleaning := r.Cleaning
	if len(own) > 0 {
		if d, r, err = d.recorrect(own, opt); err != nil {
			return d, r, err
		}
	}
	opt.World, opt.Calibration = r.Sequence.World, keypoint.Calibration{}
	for _, p := range people.All {
		if p.Track == people.Chosen.Track {
			continue
		}
		if err := d.add(p, opt, corrections.Of(p.Track)); err != nil {
			return d, r, fmt.Errorf("person %d: %w", p.Track, err)
		}
	}
	r.Cleaning = cleaning
	return d, r, nil
}

// of processes the keypoints of one person, without corrections.
func of(raw keypoint.Sequence, opt Options) (d Documents, r Result, err error) {
	if r, err = Run(raw, opt); err != nil {
		return d, r, err
	}
	if opt.Clean != (clean.Options{}) || raw.Looks != nil || opt.CaptureRate != 0 || r.Sequence.World != (keypoint.World{}) {
		for _, parts := range r.Cleaning.Changes {
			d.Changes = append(d.Changes, digits(parts))
		}
		if d.Raw, err = json.Marshal(raw); err != nil {
			return d, r, err
		}
	}
	if d.Quality, err = json.Marshal(r.Quality); err != nil {
		return d, r, err
	}
	d.Cleaned, err = json.Marshal(r.Sequence)
	return d, r, err
}

// add adds one of the others.
func (d *Documents) add(p inference.Person, opt Options, corrections correct.List) error {
	one, r, err := of(p.Sequence, opt)
	one.Counts = r.Cleaning.Counts()
	if err == nil && len(corrections) > 0 {
		one, _, err = one.recorrect(corrections, opt)
	}
	if d.People == nil {
		d.People = map[int]Documents{}
	}
	d.People[p.Track] = one
	return err
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

// Decode reads the stored form: of the people beside the chosen one, of whom most of it is, those alone that are wanted.
func Decode(text []byte, wanted func(track int) bool) (d Documents, err error) {
	err = eachMember(json.NewDecoder(bytes.NewReader(text)), func(name string, value *json.Decoder) error {
		switch name {
		case "cleaned":
			return value.Decode(&d.Cleaned)
		case "raw":
			return value.Decode(&d.Raw)
		case "quality":
			return value.Decode(&d.Quality)
		case "changes":
			return value.Decode(&d.Changes)
		case "corrections":
			return value.Decode(&d.Corrections)
		case "people":
			if wanted == nil {
				return io.EOF // only counts follow, which are of the others
			}
			d.People = map[int]Documents{}
			return eachMember(value, func(name string, value *json.Decoder) (err error) {
				track, err := strconv.Atoi(name)
				if err != nil || !wanted(track) {
					return errors.Join(err, value.Decode(&struct{}{}))
				}
				var one Documents
				err = value.Decode(&one)
				d.People[track] = one
				return err
			})
		}
		return value.Decode(new(any))
	})
	if err == io.EOF {
		err = nil
	}
	return d, err
}

// eachMember calls read, which reads the value, for each member of an object, until it returns an error.
func eachMember(object *json.Decoder, read func(name string, value *json.Decoder) error) error {
	if _, err := object.Token(); err != nil {
		return err
	}
	for object.More() {
		name, err := object.Token()
		if err != nil {
			return err
		}
		if err := read(fmt.Sprint(name), object); err != nil {
			return err
		}
	}
	_, err := object.Token()
	return err
}

// Everyone wants all people.
func Everyone(int) bool { return true }

// decode reads a part of the documents.
func decode[T any](text json.RawMessage) (v T, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
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
func (d Documents) Sequence() (keypoint.Sequence, error) {
	return decode[keypoint.Sequence](d.current())
}

// Found returns the keypoints as they were found, with the times of the movie and without a World.
func (d Documents) Found() (keypoint.Sequence, error) {
	return decode[keypoint.Sequence](d.raw())
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

// Report returns what the keypoints are good for, zero if they were not judged.
func (d Documents) Report() (quality.Report, error) {
	if d.Corrections.Quality != nil {
		return decode[quality.Report](d.Corrections.Quality)
	}
	if d.Quality == nil {
		return quality.Report{}, nil
	}
	return decode[quality.Report](d.Quality)
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

// Members are the API's members of a keypoint.Sequence; Timestamps is nil for an image, and Visibility if none is known.
type Members struct{ Keypoint, Scores, Visibility, Timestamps json.RawMessage }

// Members returns the members of the cleaned and corrected keypoints, none if they are damaged; of raw ones,
// those as they were found, with the same times.
func (d Documents) Members(raw bool) Members {
	m, err := decode[Members](d.current())
	if err == nil && raw {
		times := m.Timestamps
		m, err = decode[Members](d.raw())
		m.Timestamps = times
	}
	if err != nil {
		return Members{}
	}
	return m
}

// Join joins the keypoints of views of one movement in space, of which d are the documents of the first. It returns those of one person
// with the keypoints in space, without corrections of their own, and the verdict on them. The keypoints as they were found, and what
// cleaning changed, are those of the first view, but for what the other views settle. Of the options, a Scale with BodyHeight counts.
func (d Documents) Join(views []keypoint.Sequence, opt Options) (made Documents, r Result, err error) {
	var seq keypoint.Sequence
	err = opt.ifShown(func(opt Options) (err error) {
		var in space.Options
		if scale := opt.Calibration.Scale; scale != nil {
			in.BodyHeight = scale.BodyHeight
		}
		r.Calibration = opt.Calibration
		seq, err = space.Join(views, in)
		return err
	})
	if err != nil {
		return d, r, err
	}
	changes, err := d.Changed()
	if err != nil {
		return d, r, err
	}
	marks, err := d.Marks()
	if err != nil {
		return d, r, err
	}
	settle(changes, views, seq)
	used := r.Calibration
	r, err = judge(seq, changes, marks, Options{})
	if r.Calibration = used; err != nil {
		return d, r, err
	}
	made = Documents{Raw: d.raw()}
	for _, parts := range changes {
		made.Changes = append(made.Changes, digits(parts))
	}
	if made.Quality, err = json.Marshal(r.Quality); err == nil {
		made.Cleaned, err = json.Marshal(r.Sequence)
	}
	return made, r, err
}

// settle takes from the changes of the first view that left and right were not sure, where another view sees both parts of the
// pair at that time: joining has then found out which is which. It leaves eyes and ears alone.
func settle(changes [][keypoint.NumParts]clean.Change, views []keypoint.Sequence, joined keypoint.Sequence) {
	for k, v := range views[1:] {
		for i := range changes {
			t := joined.Times[i] - joined.Space.Cameras[k+1].Offset
			seen := v.Frames[rank.Nearest(v.Times, t)].Present()
			for p := keypoint.LeftShoulder; p < keypoint.NumParts && t >= v.Times[0] && t <= v.Times[v.Len()-1]; p++ {
				if seen.Has(p) && seen.Has(p.Mirror()) {
					changes[i][p] &^= clean.Swapped | clean.Ambiguous
				}
			}
		}
	}
}
