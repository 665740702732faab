package report

import (
	"cmp"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Limits of Analyze.
const (
	mostTypes  = 4
	leastRange = 10.0 // degrees
)

// Analyze fills in Study, and Series, Gait and Jumps of it as a report of keypoints alone shows them: the lead, and the
// other measures that are not withheld and move most. Errors are those of study.Run.
func (r *Report) Analyze() error {
	var judged quality.Report
	if r.Quality != nil {
		judged = *r.Quality
	}
	s, err := study.Run(r.Sequence, judged)
	if err != nil {
		return err
	}
	r.Study, r.Gait, r.Jumps, r.Series = &s, s.Gait, s.Jumps, nil
	for _, m := range shown(s.Measures, s.Lead, r.Sequence.Len() == 1) {
		rule := m.Rule()
		results, err := analyze.Run(r.Sequence, []analyze.Rule{rule})
		if err != nil {
			return err
		}
		result := results[0]
		result.Name, result.Values, result.Uncertainty = m.Name, m.Values, m.Uncertainty
		if leads(m, s.Lead) {
			result.Repetitions = s.Repetitions
		}
		r.Series = append(r.Series, Series{rule, result})
	}
	return nil
}

// shown returns the measures that a report shows, those of a type together: of an image all that are not withheld.
func shown(all []study.Measure, lead *study.Lead, image bool) (list []study.Measure) {
	moves := func(m study.Measure) float64 { return m.Max.X - m.Min.X }
	order := map[analyze.Type]float64{}
	for _, m := range all {
		if m.Trust == study.Withheld {
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

// leads reports whether a measure is the lead.
func leads(m study.Measure, lead *study.Lead) bool {
	return lead != nil && *lead == study.Lead{Type: m.Type, Side: m.Side}
}

// sides returns the result, and that of the other side if there is one.
func (s *Series) sides() []*analyze.Result {
	if both := s.Result.Symmetry; both != nil {
		return []*analyze.Result{&s.Result, &both.OtherSide}
	}
	return []*analyze.Result{&s.Result}
}
