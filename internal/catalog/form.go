package catalog

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/bodymotion/motion/storage"
)

// Form is the stored data of a record: what all kinds have in common, the request, and what was found besides the result.
type Form[Q, O any] struct {
	Work
	Request Q `json:"request,omitzero"`
	Outcome O `json:"outcome,omitzero"`
}

// Work is the part of the stored data that is the same for all kinds.
type Work struct {
	From     []Origin `json:"from,omitempty"`     // the records that it is made from
	Slow     bool     `json:"slow,omitempty"`     // the work may be on every frame of a movie
	File     *File    `json:"file,omitempty"`     // nil while there is none
	Progress float64  `json:"progress,omitempty"` // part of the work that is done; 0 when unknown
	Key      string   `json:"key,omitempty"`      // with which the client asked for the record

	About *About `json:"about,omitempty"` // of movies, images and keypoints

	// Corrections are the digests of the corrections of a keypoint record: by track, and that of the chosen person by 0.
	Corrections map[int]string `json:"corrections,omitempty"`
	// Corrected names the corrections of the keypoints that the record was made from; nil before SUCCESS.
	Corrected []Corrected `json:"corrected,omitempty"`
}

// Origin is a record that another one of the same owner is made from.
type Origin struct {
	Kind storage.Kind `json:"kind"`
	ID   int64        `json:"id"`
}

// Corrected names the corrections of a person's keypoints.
type Corrected struct {
	Keypoint int64  `json:"keypoint"`
	Person   int    `json:"person,omitempty"` // track; 0 for the chosen one
	Digest   string `json:"digest,omitempty"` // of Work.Corrections; "" without any
}

// File describes the file of a record.
type File struct {
	Name      string `json:"-"` // its key in Blobs
	Extension string `json:"extension,omitempty"`
	Size      int64  `json:"bytes"`
	MD5       []byte `json:"md5"`
}

// Decode reads the data of a record into its stored form.
func Decode(r storage.Record, form any) error {
	if err := json.Unmarshal(r.Data, form); err != nil {
		return fmt.Errorf("record %s/%d: %w", r.Kind, r.ID, err)
	}
	return nil
}

// Origins returns the keys of the records that a record is made from.
func Origins(r storage.Record) ([]storage.Key, error) {
	keys, err := Roots(r)
	return slices.DeleteFunc(keys, func(key storage.Key) bool { return key.Kind == storage.Subjects }), err
}

// Roots returns the keys of the records without which a record must not be: its subject and its Origins.
func Roots(r storage.Record) (keys []storage.Key, err error) {
	var w Work
	if err := Decode(r, &w); err != nil {
		return nil, err
	}
	if w.About != nil && w.About.SubjectID != 0 {
		keys = append(keys, storage.Key{Owner: r.Owner, Kind: storage.Subjects, ID: w.About.SubjectID})
	}
	for _, o := range w.From {
		keys = append(keys, storage.Key{Owner: r.Owner, Kind: o.Kind, ID: o.ID})
	}
	return keys, nil
}

// Slow reports whether the work on a record may be on every frame of a movie.
func Slow(r storage.Record) bool {
	var w Work
	return Decode(r, &w) == nil && w.Slow
}

// WithProgress returns a record with another progress in its data, 0 for none. Media have none.
func WithProgress(r storage.Record, part float64) (storage.Record, error) {
	return with(r, func(w *Work) bool {
		if Of(r.Kind).Media() || w.Progress == part {
			return false
		}
		w.Progress = part
		return true
	})
}

// WithAbout returns a record with another About.
func WithAbout(r storage.Record, change func(*About) *About) (storage.Record, error) {
	return with(r, func(w *Work) bool {
		was := w.About
		w.About = change(was)
		return !reflect.DeepEqual(was, w.About)
	})
}

// Follow returns a record that is worked on with what its owner may have changed meanwhile in now: About and labels.
func Follow(r, now storage.Record) (storage.Record, error) {
	var w Work
	if err := Decode(now, &w); err != nil {
		return r, err
	}
	r.At, r.Labels = now.At, now.Labels
	return WithAbout(r, func(*About) *About { return w.About })
}

// with returns a record whose data a function has changed, if it reports so.
func with(r storage.Record, change func(*Work) bool) (storage.Record, error) {
	var form Form[json.RawMessage, json.RawMessage]
	err := Decode(r, &form)
	if err == nil && change(&form.Work) {
		r.Data, err = json.Marshal(form)
	}
	return r, err
}

// FileOf returns what a record says of its file; ok is false when it says that there is none.
// Data that cannot be read are an error, of every kind.
func FileOf(r storage.Record) (want File, ok bool, err error) {
	var w Work
	if err := Decode(r, &w); err != nil || w.File == nil {
		return File{}, false, err
	}
	w.File.Name = FileName(r.Kind, r.ID, w.File.Extension)
	return *w.File, true, nil
}

// ParseMD5 reads an MD5 in base64 or in hexadecimal.
func ParseMD5(s string) ([]byte, bool) {
	if len(s) == 32 {
		if b, err := hex.DecodeString(s); err == nil {
			return b, true
		}
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s) // which skips line breaks
	return b, err == nil && len(b) == 16 && len(s) == 24
}
