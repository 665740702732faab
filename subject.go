package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// NewSubject is a person who is filmed.
type NewSubject struct {
	Name       string       `json:"name"`                 // required, at most 1,000 bytes
	BodyHeight float64      `json:"bodyHeight,omitempty"` // metres without shoes, 0.3 to 3; 0 is unknown. It is the scale of new extractions
	BirthYear  int          `json:"birthYear,omitempty"`  // 0 is unknown
	Side       analyze.Side `json:"side,omitempty"`       // that is treated or trained; "" for none
	Note       string       `json:"note,omitempty"`       // at most 10,000 bytes
}

// Subject is the record of a person who is filmed. Recordings belong to it: see Recording.
type Subject struct {
	ID int64
	NewSubject
	CreatedAt, UpdatedAt time.Time
}

type subjectForm = catalog.Form[NewSubject, struct{}]

func subjectOf(r storage.Record) (Subject, error) {
	var d subjectForm
	err := catalog.Decode(r, &d)
	return Subject{r.ID, d.Request, r.CreatedAt, r.UpdatedAt}, err
}

func (n NewSubject) check() error {
	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: n.BodyHeight}}
	switch year := time.Now().Year(); {
	case strings.TrimSpace(n.Name) == "":
		return badRequest("name", "is missing")
	case n.BodyHeight != 0 && height.Validate() != nil:
		return badRequest("bodyHeight", "is %v, want 0.3 to 3 metres", n.BodyHeight)
	case n.BirthYear != 0 && (n.BirthYear < 1850 || n.BirthYear > year):
		return badRequest("birthYear", "is %d, want 1850 to %d", n.BirthYear, year)
	case n.Side != "" && n.Side != analyze.LeftSide && n.Side != analyze.RightSide:
		return badRequest("side", "is %q, want %q or %q", n.Side, analyze.LeftSide, analyze.RightSide)
	}
	return cmp.Or(checkText("name", n.Name, 1000), checkText("note", n.Note, 10_000))
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

// CreateSubject creates the record of a person. What is wrong is a *RequestError.
func (s *Service) CreateSubject(ctx context.Context, owner string, n NewSubject) (Subject, error) {
	if err := n.check(); err != nil {
		return Subject{}, err
	}
	return create(ctx, s, owner, storage.Subjects, subjectForm{Request: n}, subjectOf)
}

func subjectKey(owner string, id int64) storage.Key {
	return storage.Key{Owner: owner, Kind: storage.Subjects, ID: id}
}

// Subject returns the record of a person.
func (s *Service) Subject(ctx context.Context, owner string, id int64) (Subject, error) {
	return typedOf(subjectOf)(s.cfg.Store.Head(ctx, subjectKey(owner, id)))
}

// ListSubjects returns a page of the owner's subjects, newest first, and the number of all that match. Of page, only
// Text, Offset and Limit count.
func (s *Service) ListSubjects(ctx context.Context, owner string, page Page) ([]Subject, int, error) {
	return list(ctx, s, owner, storage.Subjects, Page{Text: page.Text, Offset: page.Offset, Limit: page.Limit}, subjectOf)
}

// SubjectChange is a change of a subject's record: nil leaves a member as it is, and the zero value takes it away.
type SubjectChange struct {
	Name       *string
	BodyHeight *float64
	BirthYear  *int
	Side       *analyze.Side
	Note       *string
}

// ChangeSubject changes what is known of a person. A new height is the scale of later extractions.
func (s *Service) ChangeSubject(ctx context.Context, owner string, id int64, change SubjectChange) (Subject, error) {
	r, err := s.cfg.Store.Head(ctx, subjectKey(owner, id))
	if err != nil {
		return Subject{}, err
	}
	renamed := false
	r, err = s.change(ctx, r, s.cfg.Store.Head, func(r storage.Record) (storage.Record, error) {
		var d subjectForm
		if err := catalog.Decode(r, &d); err != nil {
			return r, err
		}
		was := d.Request.Name
		set(&d.Request.Name, change.Name)
		set(&d.Request.BodyHeight, change.BodyHeight)
		set(&d.Request.BirthYear, change.BirthYear)
		set(&d.Request.Side, change.Side)
		set(&d.Request.Note, change.Note)
		renamed = d.Request.Name != was
		if err := d.Request.check(); err != nil {
			return r, err
		}
		var err error
		r.Data, err = json.Marshal(d)
		return r, err
	})
	if err == nil && renamed {
		err = s.changeAll(ctx, subjectKey(owner, id), ExtractionChange{})
	}
	return typedOf(subjectOf)(r, err)
}

// set sets a value if there is a new one.
func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

// Erased is what went with a subject.
type Erased struct {
	Records map[storage.Kind]int `json:"records"` // by kind
	Files   int                  `json:"files"`
	Bytes   int64                `json:"bytes"` // of the files
}

// DeleteSubject deletes the record of a person. Recordings stay, and are nobody's then: if it fails half-way, some are not
// yet, and it is to be called again. With all, everything of that person is erased, as by Delete: recordings, what is made
// from them, and all their files; and the Answers to all requests of the owner, which may say something of the person.
func (s *Service) DeleteSubject(ctx context.Context, owner string, id int64, all bool) (Erased, error) {
	key := subjectKey(owner, id)
	if all {
		e, err := s.keeper.Erase(ctx, key)
		return Erased(e), err
	}
	nobodys := ExtractionChange{RecordingChange: RecordingChange{SubjectID: new(int64)}}
	_, err := s.cfg.Store.Head(ctx, key)
	if err == nil {
		err = s.changeAll(ctx, key, nobodys)
	}
	if err == nil {
		err = s.cfg.Store.Delete(ctx, key)
	}
	if err == nil {
		err = s.changeAll(ctx, key, nobodys) // what was made meanwhile
	}
	return Erased{Records: map[storage.Kind]int{storage.Subjects: 1}}, err
}

// changeAll makes a change of all recordings of a subject.
func (s *Service) changeAll(ctx context.Context, subject storage.Key, change ExtractionChange) error {
	keys, err := s.keeper.Recordings(ctx, subject)
	if err == nil {
		err = s.changeEach(ctx, keys, change)
	}
	return err
}
