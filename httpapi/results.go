package httpapi

import (
	"encoding/json"
	"math"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// result is what all results have in their list items.
type result struct {
	ExecStatus storage.Status `json:"execStatus"`
	Progress   *float64       `json:"progress,omitempty"` // left out at the end
	CreatedAt  string         `json:"createdAt"`
	UpdatedAt  string         `json:"updatedAt"`
}

func resultOf(s motion.State) result {
	r := result{ExecStatus: s.Status, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt)}
	if s.Status == storage.Unprocessed || s.Status == storage.Processing {
		r.Progress = progressOf(s)
	}
	return r
}

// progressOf is the progress, 0 while it is not known. Four decimals say enough.
func progressOf(s motion.State) *float64 {
	part, _ := s.Progress()
	part = math.Round(part*10_000) / 10_000
	return &part
}

// members cuts the JSON of a result into its members, none before SUCCESS.
func members[M any](result json.RawMessage) (m M) {
	if result != nil && json.Unmarshal(result, &m) != nil {
		var none M
		return none
	}
	return m
}

// outdated reports whether keypoints were corrected after the client's record was made from them.
func outdated(c *call, made motion.State) (bool, error) {
	return c.service.IsOutdated(c.r.Context(), c.client, made)
}

// optional returns a member that is null without a value, and left out if it is not shown.
func optional(value json.RawMessage, show bool) *json.RawMessage {
	if !show {
		return nil
	}
	return &value
}
