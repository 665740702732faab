package compare

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/say"
)

// Code is the kind of a Warning:
//
//	mirrored            they face opposite sides
//	view                the cameras saw them from directions that differ by more than 15 degrees
//	notTheSameMovement  the movements are unrelated
//	tooFewShared        too few angles or frames can be compared
type Code string

const (
	codeMirrored   Code = "mirrored"
	codeView       Code = "view"
	codeNotTheSame Code = "notTheSameMovement"
	codeTooFew     Code = "tooFewShared"
)

// Warning is something that makes the differences of two recordings meaningless, with what to do about it.
type Warning struct {
	Code     Code     `json:"code"`
	Detail   string   `json:"detail"`   // in English
	Sentence say.Text `json:"sentence"` // in all languages
}

const (
	mostViews   = 15.0 // degrees between the cameras
	farViews    = 30.0 // and from which no difference is told from theirs
	leastShared = 0.25 // of the frames of the shorter recording
	// Scores from which movements are the same whatever they are called, and below which they are not: those of
	// repetitions of one person and of unrelated movements, with a margin.
	sameScore, otherScore = 0.8, 0.5
	relatedScore          = 0.75 // of related movements at most, such as a squat and a hip hinge
)

// warnings says what makes the differences of a result meaningless, and whether few frames have any.
func (p *pair) warnings(r *Result) (list []Warning, few bool) {
	list = []Warning{}
	add := func(code Code, holds bool, args ...any) {
		if holds {
			said := texts.Say(string(code), args...)
			list = append(list, Warning{Code: code, Detail: said.String(), Sentence: said})
		}
	}
	mirrored := opposite(p.s.facing, p.t.facing)
	views, apart := p.apart()
	add(codeMirrored, mirrored)
	add(codeView, apart, views)
	shared := 0.0
	for i := range r.Frames {
		shared += float64(min(1, r.Frames[i].Present().Len()))
	}
	alike := 0.0
	switch {
	case mirrored || apart:
		alike = p.bending()
	case r.Score != nil && len(p.twins) > 0:
		alike = r.Score.Overall
	case r.Score != nil: // what has no counterpart is not alike
		alike = r.Score.Overall * shared / float64(len(r.Frames))
	}
	add(codeNotTheSame, p.unrelated(alike, mirrored || apart))
	// Twins of another pace are compared at their turns, though hardly between them.
	few = shared < leastShared*float64(min(p.s.seq.Len(), p.t.seq.Len()))
	add(codeTooFew, few && !slices.ContainsFunc(r.Repetitions, func(twin Repetition) bool { return len(twin.At) > 0 }) || r.Angles != nil && len(r.Angles) == 0)
	return list, few
}

// apart returns how many degrees the cameras stand apart, and whether that is too much to compare angles; false if it is unknown.
func (p *pair) apart() (degrees float64, tooFar bool) {
	s, t := p.s.Facing, p.t.Facing
	degrees = math.Abs(s.View - t.View)
	return degrees, s.Known() && t.Known() && degrees > mostViews
}

// unrelated reports whether the movements are not the same: by how alike they are, if that is clear, else by what they are.
func (p *pair) unrelated(alike float64, otherView bool) bool {
	s, t := p.s.Movement, p.t.Movement
	switch known := s.Known() && t.Known(); {
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
