package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint/words"
)

// Code is the kind of a Warning.
type Code string

// The codes of warnings.
const (
	CodeMirrored   Code = "mirrored"           // they face opposite sides
	CodeView       Code = "view"               // the cameras saw them from directions that differ by more than 15 degrees
	CodeNotTheSame Code = "notTheSameMovement" // the movements are unrelated
	CodeTooFew     Code = "tooFewShared"       // too few angles or frames can be compared
)

// Warning is something that makes the differences of two recordings meaningless, with what to do about it.
type Warning struct {
	Code     Code                      `json:"code"`
	Detail   string                    `json:"detail"`   // in English
	Sentence map[words.Language]string `json:"sentence"` // in all languages
}

const (
	mostViews   = 15.0 // degrees between the cameras
	leastShared = 0.25 // of the frames of the shorter recording
	// Scores from which movements are the same whatever they are called, and below which they are not: those of
	// repetitions of one person and of unrelated movements, with a margin.
	sameScore, otherScore = 0.8, 0.5
	relatedScore          = 0.75 // of related movements at most, such as a squat and a hip hinge
)

// warnings says what makes the differences of a result meaningless, and whether few frames have any.
func (p *pair) warnings(r *Result) (list []Warning, few bool) {
	list = []Warning{}
	add := func(code Code, say bool, args ...any) {
		if !say {
			return
		}
		w := Warning{Code: code, Sentence: map[words.Language]string{}}
		for _, l := range words.Languages() {
			w.Sentence[l] = fmt.Sprintf(advice[l][code], args...)
		}
		w.Detail = w.Sentence[words.English]
		list = append(list, w)
	}
	mirrored := opposite(p.s.facing, p.t.facing)
	apart := math.Abs(p.s.view - p.t.view) // NaN: unknown
	add(CodeMirrored, mirrored)
	add(CodeView, apart > mostViews, apart)
	shared := 0.0
	for i := range r.Frames {
		shared += float64(min(1, r.Frames[i].Present().Len()))
	}
	alike := 0.0
	switch {
	case mirrored || apart > mostViews:
		alike = p.bending()
	case r.Score != nil && len(p.twins) > 0:
		alike = r.Score.Overall
	case r.Score != nil: // what has no counterpart is not alike
		alike = r.Score.Overall * shared / float64(len(r.Frames))
	}
	add(CodeNotTheSame, p.unrelated(alike, mirrored || apart > mostViews))
	// Twins of another pace are compared at their turns, though hardly between them.
	few = shared < leastShared*float64(min(p.s.seq.Len(), p.t.seq.Len()))
	add(CodeTooFew, few && !slices.ContainsFunc(r.Repetitions, func(twin Repetition) bool { return len(twin.At) > 0 }) || r.Angles != nil && len(r.Angles) == 0)
	return list, few
}

// unrelated reports whether the movements are not the same: by how alike they are, if that is clear, else by what they are.
func (p *pair) unrelated(alike float64, otherView bool) bool {
	s, t := p.s.Movement, p.t.Movement
	switch known := s != study.Other && t != study.Other; {
	case s == t:
		return !known && alike < otherScore
	case known:
		return alike < sameScore || otherView
	}
	return alike < relatedScore
}

// bending returns how alike the joints bend, which does not depend on the view: the correlation of all angles that both
// recordings have, −1 to 1.
func (p *pair) bending() float64 {
	var st, ss, tt float64
	for _, m := range p.s.measures {
		for _, n := range p.t.measures {
			if m.Type != n.Type || m.Side != n.Side {
				continue
			}
			var x, y []float64
			for i, v := range m.Values {
				if w := p.value(i, n.Values); v.Present && w.Present {
					x, y = append(x, v.X), append(y, w.X)
				}
			}
			if n := float64(len(x)); n > 1 {
				st += rank.Covariance(x, y) * n
				ss += rank.Covariance(x, x) * n
				tt += rank.Covariance(y, y) * n
			}
		}
	}
	if ss == 0 || tt == 0 {
		return 0
	}
	return st / math.Sqrt(ss*tt)
}
