package motion

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// labelled returns the rules of the analysis whose values labels write, nil where no
// analysis is named. It must be of these keypoints and have what the labels ask for.
func (s *Service) labelled(ctx context.Context, owner string, id, keypointID int64, labels []draw.Rule) (json.RawMessage, error) {
	if id == 0 {
		if draw.NeedsOf(labels).Value {
			return nil, badRequest("analysisId", "is required: a label writes the value of an analysis")
		}
		return nil, nil
	}
	a, err := s.Analysis(ctx, owner, id)
	if err != nil {
		return nil, referenceError("analysisId", storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}, err)
	}
	if a.KeypointID != keypointID {
		return nil, badRequest("analysisId", "the analysis %d is of the keypoint record %d, the drawing of %d", id, a.KeypointID, keypointID)
	}
	for _, l := range labels {
		if l.Analysis != nil && *l.Analysis >= len(a.Rules) {
			return nil, badRequest("rule", "a label writes the analysis of the number %d, counted from 0, but the analysis %d has %d", *l.Analysis, id, len(a.Rules))
		}
	}
	return analyze.MarshalRules(a.Rules)
}

// labelValues works out the values that labels write.
func labelValues(seq keypoint.Sequence, rule json.RawMessage) ([]analyze.Result, error) {
	rules, err := analyze.ParseRules(rule)
	if err != nil {
		return nil, fmt.Errorf("stored rule of the analysis: %w", err)
	}
	return analyze.Run(seq, rules)
}

// labelText writes the value of frame i with its unit, rounded to a whole number.
func labelText(r analyze.Result, i int) (text string, ok bool) {
	v := r.Values[i]
	if !v.Present {
		return "", false
	}
	switch unit := r.Type.Unit(); {
	case r.Type.Pair():
		return fmt.Sprintf("%.0f, %.0f", v.X, v.Y), true
	case unit == "°":
		return fmt.Sprintf("%.0f°", v.X), true
	default:
		return fmt.Sprintf("%.0f %s", v.X, unit), true
	}
}
