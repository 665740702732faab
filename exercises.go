package motion

import (
	"cmp"
	"context"
	"time"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Exercise is the record of an exercise: one that the owner has made, or a person's own. In a request, ID and times do not count.
type Exercise struct {
	ID                   int64
	Definition           exercise.Definition
	SubjectID            int64 // whose it is, who must exist: it is erased with that person; 0: nobody's
	Key                  Key   // of requests; a record has none
	CreatedAt, UpdatedAt time.Time
}

type exerciseForm = catalog.Form[exercise.Definition, struct{}]

func exerciseOf(r storage.Record) (Exercise, error) {
	var d exerciseForm
	err := catalog.Decode(r, &d)
	told, _ := aboutOf(d.About)
	return Exercise{ID: r.ID, Definition: d.Request, SubjectID: told.SubjectID, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}, err
}

// CreateExercise keeps an exercise until DeleteRecord. What is wrong is a *RequestError.
func (s *Service) CreateExercise(ctx context.Context, owner string, x Exercise) (Exercise, error) {
	of := Recording{SubjectID: x.SubjectID}
	if err := cmp.Or(inField("exercise", x.Definition.Check()), of.check(), s.checkSubject(ctx, owner, x.SubjectID)); err != nil {
		return Exercise{}, err
	}
	form := exerciseForm{Request: x.Definition}
	form.About = About{Recording: of}.stored(nil)
	return create(ctx, s, owner, storage.Exercises, x.Key, form, exerciseOf)
}

// ListExercises returns a page of the owner's exercises, newest first, and the number of all that match. Of page, only
// SubjectID, Text, Offset and Limit count.
func (s *Service) ListExercises(ctx context.Context, owner string, page Page) ([]Exercise, int, error) {
	page = Page{SubjectID: page.SubjectID, Text: page.Text, Offset: page.Offset, Limit: page.Limit}
	return list(ctx, s, owner, storage.Exercises, page, exerciseOf)
}
