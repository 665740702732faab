package motion

import (
	"context"
	"encoding/json"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// SubjectUpdate is a change of a subject's record: nil keeps a member, and the zero value removes it.
type SubjectUpdate struct {
	Name       *string
	BodyHeight *float64
	BirthYear  *int
	Side       *analyze.Side
	Note       *string
}

// UpdateSubject changes what is known of a person. A new height is the scale of later extractions.
func (s *Service) UpdateSubject(ctx context.Context, owner string, id int64, change SubjectUpdate) (Subject, error) {
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
		err = s.changeAll(ctx, subjectKey(owner, id), ExtractionUpdate{})
	}
	return typedOf(subjectOf)(r, err)
}

// Erased is what DeleteSubject has removed.
type Erased struct {
	Records map[storage.Kind]int `json:"records"` // by kind
	Files   int                  `json:"files"`
	Bytes   int64                `json:"bytes"` // of the files
}

// DeleteSubject deletes the record of a person. Recordings stay, without a subject. With all, everything of that person is erased,
// as by DeleteRecord: recordings, what is made from them, and all their files; and the Answers to all requests of the owner, which
// may say something of the person. Both are noted in Store before they begin, and finished as DeleteRecord is. A recording that a
// request gives to the person meanwhile is erased with the others, or stays as it was and the request is ErrNotFound.
func (s *Service) DeleteSubject(ctx context.Context, owner string, id int64, all bool) (Erased, error) {
	key := subjectKey(owner, id)
	if all {
		e, err := s.keeper.Erase(ctx, key)
		return Erased(e), err
	}
	return Erased{Records: map[storage.Kind]int{storage.Subjects: 1}}, s.keeper.DeleteSubject(ctx, key)
}

func (s *Service) changeAll(ctx context.Context, subject storage.Key, change ExtractionUpdate) error {
	keys, err := s.keeper.Recordings(ctx, subject)
	if err == nil {
		err = s.changeEach(ctx, keys, change)
	}
	return err
}
