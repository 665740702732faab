package motion

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
)

// Recording says who was filmed, and when. Movies, images and keypoints have it. Keypoints take what is not given from their
// movie or image, or from the record that they are made from.
type Recording struct {
	SubjectID  int64     // 0: of no subject
	RecordedAt time.Time // as the client says; zero: it does not
	Tags       []string  // at most 20, of 1 to 40 characters, none twice
}

// About is what is known of the recording of a keypoint record beside its content.
type About struct {
	Recording
	Notes    []Note        // at most 100; nil in a request for those of the record that it is made from
	Links    []string      // to reports that are open to others, in a form that the host chooses; nil in a request
	Sketches []draw.Sketch // drawn by hand, those of the record that it is made from; nil in a request
}

// Note is a text about a moment of a recording, or about all of it.
type Note struct {
	Time *float64 `json:"time,omitempty"` // seconds of the keypoints; nil: no moment
	Text string   `json:"text"`           // 1 to 2,000 bytes
}

// RecordingUpdate is a change of a Recording: nil keeps a member, and the zero value removes it.
type RecordingUpdate struct {
	SubjectID  *int64
	RecordedAt *time.Time
	Tags       *[]string
}

const (
	maxTags       = 20
	maxTag        = 40 // characters
	maxNotes      = 100
	maxSketches   = 100
	maxSketchText = 80 // characters
)

// earliest is before any recording of a person.
var earliest = time.Date(1890, 1, 1, 0, 0, 0, 0, time.UTC)

func (r Recording) check() error {
	switch {
	case r.SubjectID < 0:
		return badRequest("subjectId", "is %d, want the id of a subject", r.SubjectID)
	case !r.RecordedAt.IsZero() && (r.RecordedAt.Before(earliest) || r.RecordedAt.After(time.Now().Add(24*time.Hour))):
		return badRequest("recordedAt", "is %s, want a time from 1890 to now", r.RecordedAt.Format(time.RFC3339))
	case len(r.Tags) > maxTags:
		return badRequest("tags", "are %d, want at most %d", len(r.Tags), maxTags)
	}
	for i, tag := range r.Tags {
		switch n := utf8.RuneCountInString(tag); {
		case !utf8.ValidString(tag):
			return badRequest("tags", "have one that is not valid UTF-8")
		case strings.TrimSpace(tag) != tag || n == 0 || n > maxTag || strings.ContainsFunc(tag, unicode.IsControl):
			return badRequest("tags", "have %q, want 1 to %d characters without spaces around them", tag, maxTag)
		case !strings.ContainsFunc(tag, visible) || strings.ContainsFunc(tag, turns):
			return badRequest("tags", "have %+q, want characters that are seen, and none that turn the direction of others", tag)
		case slices.ContainsFunc(r.Tags[:i], func(other string) bool { return catalog.TagLabel(other) == catalog.TagLabel(tag) }):
			return badRequest("tags", "have %q twice", tag)
		}
	}
	return nil
}

// visible reports whether a character is seen by itself, turns whether it turns the direction in which others are written.
func turns(r rune) bool   { return unicode.Is(unicode.Bidi_Control, r) }
func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) }

func (a About) check() error {
	if err := a.Recording.check(); err != nil {
		return err
	}
	if len(a.Notes) > maxNotes {
		return badRequest("notes", "are %d, want at most %d", len(a.Notes), maxNotes)
	}
	for _, n := range a.Notes {
		if n.Time != nil && !(*n.Time >= 0 && *n.Time <= math.MaxFloat64) {
			return badRequest("notes", "have the time %v, want 0 or more seconds", *n.Time)
		}
		if strings.TrimSpace(n.Text) == "" {
			return badRequest("notes", "have an empty text")
		}
		if err := checkText("notes", n.Text, 2000); err != nil {
			return err
		}
	}
	return nil
}

// stored is what a client says, in the stored form. What the client does not say is that of was, which may be nil.
func (r About) stored(was *catalog.About) *catalog.About {
	var a catalog.About
	if was != nil {
		a = *was
	}
	a.SubjectID, a.RecordedAt, a.Tags, a.Notes = r.SubjectID, storable(r.RecordedAt), slices.Clone(r.Tags), nil
	a.Links = append([]string(nil), r.Links...)
	for _, n := range r.Notes {
		a.Notes = append(a.Notes, catalog.Note(n))
	}
	if a.Sketches = nil; len(r.Sketches) > 0 {
		a.Sketches, _ = json.Marshal(r.Sketches) // whose numbers are finite
	}
	if len(a.Tags) == 0 {
		a.Tags = nil
	}
	if reflect.ValueOf(a).IsZero() {
		return nil
	}
	return &a
}

// storable returns a time as stores keep it.
func storable(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// aboutOf reads the stored form, and when the file says that it was filmed.
func aboutOf(a *catalog.About) (r About, filmed time.Time) {
	if a == nil {
		return r, filmed
	}
	r.Recording, r.Links = Recording{a.SubjectID, a.RecordedAt, a.Tags}, a.Links
	for _, n := range a.Notes {
		r.Notes = append(r.Notes, Note(n))
	}
	_ = json.Unmarshal(a.Sketches, &r.Sketches) // as stored has written them
	return r, a.Filmed
}

func (c RecordingUpdate) apply(r *Recording) {
	set(&r.SubjectID, c.SubjectID)
	set(&r.RecordedAt, c.RecordedAt)
	set(&r.Tags, c.Tags)
}

// ExtractionUpdate is a change of what is known of a keypoint record beside its content: nil keeps a member, and the zero value removes it.
type ExtractionUpdate struct {
	RecordingUpdate
	Notes    *[]Note
	Link     string         // is added to Links; "": none
	Unlink   *[]string      // are removed from Links; a change of the subject removes all
	Sketches *[]draw.Sketch // at most 100, in the frames and the picture of a record with SUCCESS
}

func (c ExtractionUpdate) apply(a *About) {
	was := a.SubjectID
	c.RecordingUpdate.apply(&a.Recording)
	set(&a.Notes, c.Notes)
	set(&a.Sketches, c.Sketches)
	var gone []string
	if set(&gone, c.Unlink); was != 0 && was != a.SubjectID {
		gone = a.Links
	}
	a.Links = slices.DeleteFunc(slices.Clone(a.Links), func(link string) bool { return slices.Contains(gone, link) })
	if c.Link != "" {
		a.Links = append(a.Links, c.Link)
	}
}

// set sets a value if there is a new one.
func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

// checkText checks a text of a request, which has at most so many bytes.
func checkText(field, text string, most int) error {
	switch {
	case len(text) > most:
		return badRequest(field, "is %d bytes long, want at most %d", len(text), most)
	case !utf8.ValidString(text):
		return badRequest(field, "is not valid UTF-8")
	}
	return nil
}
