package httpapi

import (
	"net/http"

	"github.com/bodymotion/motion/analyze/exercise"
)

// listExercises answers with the exercises that are shipped.
func listExercises(c *call) error {
	var list struct {
		Data []exercise.Definition `json:"data"`
	}
	for _, name := range exercise.Names() {
		d, _ := exercise.Shipped(name)
		list.Data = append(list.Data, d)
	}
	return c.answer(http.StatusOK, list)
}
