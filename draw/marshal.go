package draw

import (
	"encoding/json"

	"github.com/bodymotion/motion/internal/rulejson"
)

// UnmarshalJSON reads one rule object as ParseRules does.
func (r *Rule) UnmarshalJSON(data []byte) error {
	rule, err := rulejson.One(ParseRules(data))
	if err == nil {
		*r = rule
	}
	return err
}

// MarshalJSON writes the band as ParseRules reads it. The threshold is left out if it was
// left out in the JSON that the band was read from.
func (b Band) MarshalJSON() ([]byte, error) {
	var threshold *float64
	if !b.implied || b.Threshold != DefaultThreshold {
		threshold = &b.Threshold
	}
	return json.Marshal(struct {
		Threshold *float64 `json:"threshold,omitzero"`
		Color     Color    `json:"color,omitzero"`
		Size      float64  `json:"size,omitzero"`
	}{threshold, b.Color, b.Size})
}

// UnmarshalJSON reads a background as ParseBackground does.
func (b *Background) UnmarshalJSON(data []byte) (err error) {
	*b, err = ParseBackground(data)
	return err
}

// MarshalJSON writes the background as ParseBackground reads it. A false skeletonOnly is
// left out unless it was given in the JSON that the background was read from.
func (b Background) MarshalJSON() ([]byte, error) {
	var only *bool
	if b.SkeletonOnly || b.explicit {
		only = &b.SkeletonOnly
	}
	return json.Marshal(struct {
		SkeletonOnly *bool `json:"skeletonOnly,omitzero"`
		Color        Color `json:"color,omitzero"`
	}{only, b.Color})
}
