package draw

import (
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/internal/rulejson"
)

// MarshalRules is the inverse of ParseRules. It writes a single object if the rules were
// read from one, or are one rule made in Go, and an array otherwise. A part name alone is
// written as a point of type single; a member that was null, false or "" is left out.
// Rules that ParseRules would find too many or too long are an error, of type Errors.
func MarshalRules(rules []Rule) ([]byte, error) {
	if len(rules) > rulejson.MaxRules {
		return nil, Errors{{Detail: fmt.Sprintf("has %d rules, want at most %d", len(rules), rulejson.MaxRules)}}
	}
	var doc any = rules
	if len(rules) == 1 && rules[0].pointer == "" {
		doc = rules[0]
	}
	data, err := json.Marshal(doc)
	if err == nil && len(data) > rulejson.MaxBytes {
		return nil, Errors{{Detail: "the rules are longer than 64 KiB of JSON with all points written as objects"}}
	}
	return data, err
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
