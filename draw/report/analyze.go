package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Limits of Analyze.
const (
	mostTypes  = 4
	leastRange = 10.0 // degrees

	clearly = 2 // range by uncertainty of what moves
)

// Analyze fills in Study, if it is nil. If the report shows nothing else, or Study was there, it also fills in what is missing of
// Series, Gait and Jumps: the lead, and the other measures that are not withheld and move most. Errors are those of study.RunPart.
func (r *Report) Analyze() error {
	all := r.Study != nil || r.Series == nil && r.Gait == nil && r.Jumps == nil && !r.NoSteps && !r.NoJumps
	if r.Study == nil {
		part := r.Part
		if part == (keypoint.Span{}) {
			part.Last = r.Sequence.Len() - 1
		}
		s, err := study.RunPart(r.Sequence, r.Quality, part, nil)
		if err != nil {
			return err
		}
		r.Study = &s
	}
	if !all {
		return nil
	}
	s := r.Study
	if r.Gait == nil && r.Jumps == nil {
		r.Gait, r.Jumps = s.Gait, s.Jumps
	}
	if r.whole = r.Series == nil; !r.whole {
		return nil
	}
	for _, m := range shown(s.Measures, s.Lead, r.Sequence.Len() == 1) {
		rule := m.Rule()
		results, err := analyze.Run(r.Sequence, []analyze.Rule{rule})
		if err != nil {
			return err
		}
		result := results[0]
		result.Name, result.Values, result.Uncertainty = m.Name, m.Values, m.Uncertainty
		if s.Lead != nil && *s.Lead == (study.Lead{Type: m.Type, Side: m.Side}) {
			result.Repetitions = s.Repetitions
		}
		r.Series = append(r.Series, Series{rule, result})
	}
	return nil
}

// shown returns the measures that a report shows, those of a type together: of an image all that are not withheld.
func shown(all []study.Measure, lead *study.Lead, image bool) (list []study.Measure) {
	moves := func(m study.Measure) float64 {
		switch of := math.Abs(m.Max.X - m.Min.X); {
		case of < clearly*m.RangeUncertainty.X, m.Unit != "°" && !m.Range.Present:
			return 0
		case m.Unit == "°":
			return of
		}
		return leastRange // after angles
	}
	order := map[analyze.Type]float64{}
	for _, m := range all {
		if m.Trust == quality.TrustWithheld {
			continue
		}
		list = append(list, m)
		if order[m.Type] = max(order[m.Type], moves(m)); lead != nil && lead.Type == m.Type {
			order[m.Type] = 1e9
		}
	}
	slices.SortStableFunc(list, func(a, b study.Measure) int { return cmp.Compare(order[b.Type], order[a.Type]) })
	types := 0
	for k, m := range list {
		if k == 0 || m.Type == list[k-1].Type || image {
			continue
		}
		if types++; types == mostTypes || order[m.Type] < leastRange {
			return list[:k]
		}
	}
	return list
}

// sides returns the result, and that of the other side if there is one.
func (s *Series) sides() []*analyze.Result {
	if both := s.Result.Symmetry; both != nil {
		return []*analyze.Result{&s.Result, &both.OtherSide}
	}
	return []*analyze.Result{&s.Result}
}
