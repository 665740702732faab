package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
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

func subjectChange(c *call) (b *body, change motion.SubjectUpdate, err error) {
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
	s.Key = c.key
	return create(c, b, s, c.service.CreateSubject, func(s motion.Subject) any { return subjectOf(s) })
}

func getSubject(c *call, id int64) error {
	s, err := c.service.GetSubject(c.r.Context(), c.client, id)
	return c.found(subjectOf(s), err)
}

func changeSubject(c *call, id int64) error {
	b, change, err := subjectChange(c)
	if err == nil {
		err = b.err()
	}
	if err != nil {
		return err
	}
	s, err := c.service.UpdateSubject(c.r.Context(), c.client, id, change)
	return c.found(subjectOf(s), err)
}

func deleteSubject(c *call, id int64) error {
	all, err := c.truth("all")
	if err != nil {
		return err
	}
	erased, err := c.service.DeleteSubject(c.r.Context(), c.client, id, all)
	return c.found(erased, err)
}

// getTrend answers with how a measure changes from recording to recording, as JSON or as a table.
func getTrend(c *call, id int64) error {
	for name := range c.query {
		if v := c.query.Get(name); v == "" || name == "format" && v != "csv" {
			return invalid(inQuery(name, v, map[bool]string{true: "csv", false: "left out, or not empty"}[name == "format"]))
		}
	}
	limit, err := c.number("size", 1, maxSize, fmt.Sprintf("an integer from 1 to %d", maxSize))
	if err == nil {
		err = c.turn()
	}
	if err != nil {
		return err
	}
	t, err := c.service.GetTrend(c.r.Context(), c.client, id, motion.TrendRequest{
		Measure: analyze.Type(c.query.Get("measure")), Side: analyze.Side(c.query.Get("side")),
		Statistic: trend.Statistic(c.query.Get("statistic")), Limit: limit,
	})
	if bad, ok := errors.AsType[*motion.RequestError](err); ok {
		return invalid(mistake{Parameter: bad.Field, Detail: fmt.Sprintf("The query parameter %s %v.", bad.Field, bad.Err)})
	}
	if err != nil {
		return err
	}
	if !c.query.Has("format") {
		return c.answer(http.StatusOK, t)
	}
	var b bytes.Buffer
	if err := trend.WriteCSV(&b, t); err != nil {
		return err
	}
	c.w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="subject-%d-trend.csv"`, id))
	c.answerBytes(http.StatusOK, csvType, "no-store", b.Bytes())
	return nil
}
