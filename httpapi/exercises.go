package httpapi

import (
	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/exercise"
)

// keptExercise is the form of an exercise's record, in lists too.
type keptExercise struct {
	ID        int64               `json:"id"`
	Exercise  exercise.Definition `json:"exercise"`
	SubjectID int64               `json:"subjectId,omitempty"`
	CreatedAt string              `json:"createdAt"`
	UpdatedAt string              `json:"updatedAt"`
}

func exerciseOf(x motion.Exercise) keptExercise {
	return keptExercise{x.ID, x.Definition, x.SubjectID, stamp(x.CreatedAt), stamp(x.UpdatedAt)}
}

// listExercises answers with the exercises that are shipped, and a page of the client's.
func listExercises(c *call) error { return listed(c, c.service.ListExercises, exerciseOf) }

func shippedExercises() (all []exercise.Definition) {
	for _, name := range exercise.Names() {
		d, _ := exercise.Shipped(name)
		all = append(all, d)
	}
	return all
}

func makeExercise(c *call) error {
	b, err := c.body("exercise", "subjectId")
	if err != nil {
		return err
	}
	v := b.get("exercise")
	v.Require("the name of an exercise, or its definition")
	x := motion.Exercise{Definition: parsed(b, v, exercise.Parse), SubjectID: b.id("subjectId"), Key: c.key}
	return create(c, b, x, c.service.CreateExercise, func(x motion.Exercise) any { return exerciseOf(x) })
}
