package motion

import (
	"cmp"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Recording says who was filmed, and when. Movies, images and keypoints have it. Keypoints take what is not given from their
// movie or image, or from the record that they are made from.
type Recording struct {
	SubjectID  int64     // 0: nobody's
	RecordedAt time.Time // as the client says; zero: it does not
	Tags       []string  // at most 20, of 1 to 40 characters, none twice
}

// Note is a text about a moment of a recording, or about all of it.
type Note struct {
	Time *float64 `json:"time,omitempty"` // seconds of the keypoints; nil: no moment
	Text string   `json:"text"`           // 1 to 2,000 bytes
}

// RecordingChange is a change of a Recording: nil leaves a member as it is, and the zero value takes it away.
type RecordingChange struct {
	SubjectID  *int64
	RecordedAt *time.Time
	Tags       *[]string
}

const (
	maxTags  = 20
	maxTag   = 40 // characters
	maxNotes = 100
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
		case slices.ContainsFunc(r.Tags[:i], func(other string) bool { return catalog.TagLabel(other) == catalog.TagLabel(tag) }):
			return badRequest("tags", "have %q twice", tag)
		}
	}
	return nil
}

func checkNotes(notes []Note) error {
	if len(notes) > maxNotes {
		return badRequest("notes", "are %d, want at most %d", len(notes), maxNotes)
	}
	for _, n := range notes {
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

// about is what a client says, in the stored form. What the client does not say is that of was, which may be nil.
func (r Recording) about(notes []Note, was *catalog.About) *catalog.About {
	var a catalog.About
	if was != nil {
		a = *was
	}
	a.SubjectID, a.RecordedAt, a.Tags, a.Notes = r.SubjectID, storable(r.RecordedAt), slices.Clone(r.Tags), nil
	for _, n := range notes {
		a.Notes = append(a.Notes, catalog.Note(n))
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
func storable(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// recordingOf reads the stored form.
func recordingOf(a *catalog.About) (r Recording, notes []Note, filmed time.Time) {
	if a == nil {
		return r, nil, filmed
	}
	for _, n := range a.Notes {
		notes = append(notes, Note(n))
	}
	return Recording{a.SubjectID, a.RecordedAt, a.Tags}, notes, a.Filmed
}

// labelled returns a record with the labels by which lists find it.
func (s *Service) labelled(ctx context.Context, r storage.Record) (storage.Record, error) {
	var w catalog.Work
	if err := catalog.Decode(r, &w); err != nil {
		return r, err
	}
	var texts []string
	if w.About != nil && w.About.SubjectID != 0 {
		subject, err := s.Subject(ctx, r.Owner, w.About.SubjectID)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return r, err
		}
		texts = append(texts, subject.Name)
	}
	if r.Kind == storage.Keypoints {
		for _, from := range w.From {
			if !catalog.Of(from.Kind).Media() {
				continue
			}
			m, err := s.Media(ctx, r.Owner, from.Kind, from.ID)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return r, err
			}
			for _, text := range []*string{m.Name, m.Text} {
				if text != nil {
					texts = append(texts, *text)
				}
			}
		}
	}
	return catalog.Labelled(r, texts...)
}

// changeEach makes a change of some recordings. Those that are gone meanwhile are left out.
func (s *Service) changeEach(ctx context.Context, keys []storage.Key, change ExtractionChange) error {
	for _, key := range keys {
		if _, err := s.changeRecording(ctx, key, change); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

func (c RecordingChange) apply(r *Recording) {
	set(&r.SubjectID, c.SubjectID)
	set(&r.RecordedAt, c.RecordedAt)
	set(&r.Tags, c.Tags)
}

// filmed returns the first of two times that is known.
func filmed(client, file time.Time) time.Time {
	if client.IsZero() {
		return file
	}
	return client
}

// checkSubject checks that a request names a subject that exists, or none.
func (s *Service) checkSubject(ctx context.Context, owner string, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := s.Subject(ctx, owner, id)
	return referenceError("subjectId", subjectKey(owner, id), err)
}

// about returns what is known of a recording whose keypoints are asked for: what the request says, else what was told of what
// they are made from. It adds the scale of the subject to the request.
func (s *Service) about(ctx context.Context, owner string, was *catalog.About, req *ExtractRequest) (*catalog.About, error) {
	asked := req.SubjectID
	told, notes, file := recordingOf(was)
	rest := &catalog.About{Filmed: file}
	req.SubjectID = cmp.Or(req.SubjectID, told.SubjectID)
	req.RecordedAt = filmed(req.RecordedAt, told.RecordedAt)
	if req.Tags == nil {
		req.Tags = told.Tags
	}
	if req.Notes == nil {
		req.Notes = notes
	}
	if req.SubjectID != 0 {
		subject, err := s.Subject(ctx, owner, req.SubjectID)
		switch {
		case asked == 0 && errors.Is(err, ErrNotFound): // is being deleted
			req.SubjectID = 0
		case err != nil:
			return nil, referenceError("subjectId", subjectKey(owner, req.SubjectID), err)
		case subject.BodyHeight != 0 && req.Calibration.Scale == nil:
			rest.Scaled, req.Calibration.Scale = true, &keypoint.Scale{BodyHeight: subject.BodyHeight}
		}
	}
	return req.about(req.Notes, rest), nil
}

// pixels takes the scale away that nobody asked for, the height of the subject, if the recording does not show it. It
// reports whether there is reason to try again.
func (req *ExtractRequest) pixels(about *catalog.About, err error) bool {
	if about == nil || !about.Scaled || !errors.Is(err, ErrInvalid) || req.Calibration.Scale == nil {
		return false
	}
	req.Calibration.Scale = nil
	return true
}

// ExtractionChange is a change of what is known of a keypoint record beside its content: nil leaves a member as it is, and
// the zero value takes it away.
type ExtractionChange struct {
	RecordingChange
	Notes *[]Note
}

// ChangeExtraction changes what is known of a keypoint record beside its content, in any state. The result stays.
func (s *Service) ChangeExtraction(ctx context.Context, owner string, id int64, change ExtractionChange) (Extraction, error) {
	var wanted ExtractRequest
	change.RecordingChange.apply(&wanted.Recording)
	set(&wanted.Notes, change.Notes)
	if err := cmp.Or(wanted.Recording.check(), checkNotes(wanted.Notes), s.checkSubject(ctx, owner, wanted.SubjectID)); err != nil {
		return Extraction{}, err
	}
	return typedOf(extractionOf)(s.changeRecording(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, change))
}

// changeRecording makes a change that was checked. A change of nothing writes the labels again, if they have changed.
func (s *Service) changeRecording(ctx context.Context, key storage.Key, change ExtractionChange) (storage.Record, error) {
	r, err := s.cfg.Store.Get(ctx, key)
	if err != nil {
		return r, err
	}
	return s.change(ctx, r, s.cfg.Store.Get, func(r storage.Record) (storage.Record, error) {
		return catalog.WithAbout(r, func(a *catalog.About) *catalog.About {
			told, notes, _ := recordingOf(a)
			change.RecordingChange.apply(&told)
			set(&notes, change.Notes)
			return told.about(notes, a)
		})
	})
}

// changeMade makes a change of a movie or image that of its keypoint records. Their labels have its texts.
func (s *Service) changeMade(ctx context.Context, media storage.Key, change RecordingChange) error {
	for f := (storage.Filter{Limit: 500}); ; f.Offset += f.Limit {
		page, _, err := s.keeper.MadeFrom(ctx, media, storage.Keypoints, f)
		if err != nil {
			return err
		}
		var keys []storage.Key
		for _, r := range page {
			keys = append(keys, r.Key)
		}
		if err := s.changeEach(ctx, keys, ExtractionChange{RecordingChange: change}); err != nil || len(page) < f.Limit {
			return err
		}
	}
}
