package motion

import (
	"cmp"
	"context"
	"strings"
	"time"

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
	Key        Key          `json:"-"`                    // of requests; a record has none
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

// CreateSubject creates the record of a person. What is wrong is a *RequestError.
func (s *Service) CreateSubject(ctx context.Context, owner string, n NewSubject) (Subject, error) {
	if err := n.check(); err != nil {
		return Subject{}, err
	}
	return create(ctx, s, owner, storage.Subjects, n.Key, subjectForm{Request: n}, subjectOf)
}

// GetSubject returns the record of a person.
func (s *Service) GetSubject(ctx context.Context, owner string, id int64) (Subject, error) {
	return typedOf(subjectOf)(s.cfg.Store.Head(ctx, subjectKey(owner, id)))
}

// ListSubjects returns a page of the owner's subjects, newest first, and the number of all that match. Of page, only
// Text, Offset and Limit count.
func (s *Service) ListSubjects(ctx context.Context, owner string, page Page) ([]Subject, int, error) {
	return list(ctx, s, owner, storage.Subjects, Page{Text: page.Text, Offset: page.Offset, Limit: page.Limit}, subjectOf)
}
