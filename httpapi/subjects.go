package httpapi

import (
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
)

// subject is the form of a subject's record, in lists too.
type subject struct {
	ID         int64         `json:"id"`
	Name       string        `json:"name"`
	BodyHeight *float64      `json:"bodyHeight"`
	BirthYear  *int          `json:"birthYear"`
	Side       *analyze.Side `json:"side"`
	Note       *string       `json:"note"`
	CreatedAt  string        `json:"createdAt"`
	UpdatedAt  string        `json:"updatedAt"`
}

func subjectOf(s motion.Subject) subject {
	return subject{
		s.ID, s.Name, orNull(s.BodyHeight), orNull(s.BirthYear), orNull(s.Side), orNull(s.Note), stamp(s.CreatedAt), stamp(s.UpdatedAt),
	}
}

func listSubjects(c *call) error { return listed(c, c.service.ListSubjects, subjectOf) }

// subjectChange reads a body with the members of a subject.
func subjectChange(c *call) (b *body, change motion.SubjectChange, err error) {
	if b, err = c.body("name", "bodyHeight", "birthYear", "side", "note"); err != nil {
		return nil, change, err
	}
	change.Name, change.Note = b.text("name"), b.text("note")
	change.BodyHeight, change.Side = present(b.get("bodyHeight").Number()), (*analyze.Side)(b.text("side"))
	if year, ok := b.get("birthYear").Int(); ok {
		change.BirthYear = present(int(year), true)
	}
	return b, change, nil
}

func makeSubject(c *call) error {
	b, change, err := subjectChange(c)
	if err != nil {
		return err
	}
	b.get("name").Require("the name of the person")
	s := motion.NewSubject{
		Name: orZero(change.Name), BodyHeight: orZero(change.BodyHeight), BirthYear: orZero(change.BirthYear), Side: orZero(change.Side), Note: orZero(change.Note),
	}
	return create(c, b, s, c.service.CreateSubject, func(s motion.Subject) any { return subjectOf(s) })
}

func getSubject(c *call, id int64) error {
	s, err := c.service.Subject(c.r.Context(), c.client, id)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, subjectOf(s))
}

func changeSubject(c *call, id int64) error {
	b, change, err := subjectChange(c)
	if err == nil {
		err = b.err()
	}
	if err != nil {
		return err
	}
	s, err := c.service.ChangeSubject(c.r.Context(), c.client, id, change)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, subjectOf(s))
}

func deleteSubject(c *call, id int64) error {
	all, err := c.truth("all")
	if err != nil {
		return err
	}
	erased, err := c.service.DeleteSubject(c.r.Context(), c.client, id, all)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, erased)
}
