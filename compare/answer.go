package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/words"
)

// Answer is the difference to read first, in words.
type Answer struct {
	Angle      string `json:"angle"` // these three as in AngleDifference
	Repetition int    `json:"repetition,omitempty"`
	Frame      int    `json:"frame"`

	Title map[words.Language]string `json:"title"` // "Repetition 2: the right knee bends 46° less"
	Text  map[words.Language]string `json:"text"`  // the two angles, the uncertainty, and in how many repetitions
}

// answering is how a language answers: the title where nothing is sure, that where it may be the cameras', the angles of target
// and source, where nothing is sure the sentence, and in how many repetitions.
var answering = map[words.Language]struct{ none, apart, instead, largest, of string }{
	words.English: {"No difference beyond the uncertainty", "The cameras stand too far apart to tell", "%.0f° instead of %.0f°, ± %.0f.", "Largest: %s.",
		" Beyond the uncertainty at %d of %d turns."},
	words.Japanese: {"誤差を超える差はありません", "カメラの向きが違いすぎて判断できません", "%.0[2]f°に対して%.0[1]f°（± %.0[3]f）。", "最大の差：%s。", "折り返し%[2]d回中%[1]d回で誤差を超えています。"},
}

// answer returns the difference to read first, or nil if nothing differs. It is that of the source's leading measure, else of
// the target's, at the turning points, if it is beyond its uncertainty; else the first of the largest, which from cameras that stand apart
// may be theirs.
func (p *pair) answer(r *Result) *Answer {
	if len(r.Largest) == 0 {
		return nil
	}
	turns := func(angle string) (list []AngleDifference) {
		for _, twin := range r.Repetitions {
			for _, d := range twin.At {
				if d.Angle == angle {
					list = append(list, d)
				}
			}
		}
		slices.SortStableFunc(list, bySize)
		return list
	}
	d, apart := r.Largest[0], math.Abs(p.s.view-p.t.view) > mostViews
	for _, lead := range []*study.Lead{p.t.Lead, p.s.Lead} {
		if lead == nil {
			continue
		}
		if list := turns(Angle{Type: lead.Type, Side: lead.Side}.Name()); len(list) > 0 && list[0].Sure {
			d, apart = list[0], false
		}
	}
	at, sure := turns(d.Angle), 0
	for _, other := range at {
		if other.Sure {
			sure++
		}
	}
	a := &Answer{d.Angle, d.Repetition, d.Frame, map[words.Language]string{}, map[words.Language]string{}}
	for _, l := range words.Languages() {
		say := answering[l]
		switch {
		case d.Sure && apart:
			a.Title[l], a.Text[l] = say.apart, fmt.Sprintf(say.largest, d.Sentence[l])
			continue
		case d.Sure:
			a.Title[l] = d.title(l)
			a.Text[l] = strings.ReplaceAll(fmt.Sprintf(say.instead, math.Round(d.Target)+0, math.Round(d.Source)+0, math.Ceil(d.Uncertainty)), "-", "−")
		default:
			a.Title[l], a.Text[l] = say.none, fmt.Sprintf(say.largest, d.Sentence[l])
		}
		if len(at) > 1 {
			a.Text[l] += fmt.Sprintf(say.of, sure, len(at))
		}
	}
	return a
}

// title is the sentence without the angles.
func (d AngleDifference) title(l words.Language) string {
	title, _, _ := strings.Cut(d.Sentence[l], sayings[l].from[:strings.Index(sayings[l].from, "%")])
	return title
}
