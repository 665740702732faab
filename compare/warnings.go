package compare

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/analyze/study"
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
)

// warnings says what makes the differences of a result meaningless.
func (p *pair) warnings(r *Result) []Warning {
	list := []Warning{}
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
	add(CodeNotTheSame, p.unrelated(r.Score, mirrored || apart > mostViews))
	shared := 0
	for i := range r.Frames {
		shared += min(1, r.Frames[i].Present().Len())
	}
	least := leastShared * float64(min(p.s.seq.Len(), p.t.seq.Len()))
	add(CodeTooFew, float64(shared) < least || r.Angles != nil && len(r.Angles) == 0)
	return list
}

// unrelated reports whether the movements are not the same: by their scores, if these are clear, else by what they are.
func (p *pair) unrelated(s *Score, otherView bool) bool {
	same := p.s.kind == p.t.kind
	switch known := p.s.kind != study.Other && p.t.kind != study.Other; {
	case s == nil || s.Overall >= sameScore:
		return false
	case known:
		return !same
	}
	return !otherView && s.Overall < otherScore
}
