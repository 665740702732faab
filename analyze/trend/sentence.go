package trend

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/keypoint/words"
)

// saying is how a language tells a change. Formats have the measure, the amount, and from where on a change counts.
type saying struct {
	none, one         string
	more, less, same  string // by an amount
	real, no, unknown string
	differently       string // before what counts
	name              string // of side and measure
	torso             string // unit
}

var sayings = map[words.Language]saying{
	words.English: {
		none: "No session shows it.", one: "One session shows it: a change needs a second one.",
		more: "%s more than", less: "%s less than", same: "as much as",
		real: "%s: %s in the first session; %sa change counts from %s.", no: "%s: %s in the first session, no real change: %sa change counts from %s.",
		unknown:     "%s: %s in the first session. Nobody can tell whether that is real: film at least two repetitions, each time from the same direction.",
		differently: "as they were filmed differently, ", name: "%s %s", torso: " torso lengths",
	},
	words.Japanese: {
		none: "値のわかる撮影がありません。", one: "値のわかる撮影は1回だけです。変化を見るにはもう1回必要です。",
		more: "初回より%s大きい", less: "初回より%s小さい", same: "初回と同じ",
		real: "%s：%s（%s%s以上で実際の変化とみなします）。", no: "%s：%s。実際の変化とはいえません（%s%s以上が必要です）。",
		unknown:     "%s：%s。実際の変化かどうかは判断できません。毎回同じ方向から、2回以上の反復を撮影してください。",
		differently: "撮り方が異なるため、", name: "%s%s", torso: " 胴長",
	},
}

// say sets the sentence about the change.
func (t *Trend) say() {
	t.Sentence = map[words.Language]string{}
	shown := 0
	for _, s := range t.Sessions {
		if s.Value.Present {
			shown++
		}
	}
	for _, l := range words.Languages() {
		say := sayings[l]
		switch {
		case shown == 0:
			t.Sentence[l] = say.none
		case t.Change == nil:
			t.Sentence[l] = say.one
		default:
			t.Sentence[l] = t.changed(l, say)
		}
	}
}

// changed tells the change. Amounts are rounded so that they stay on their side of what counts.
func (t *Trend) changed(l words.Language, say saying) string {
	step := 1.0
	if t.Unit != "°" {
		step = 0.01
	}
	from := math.Ceil(t.SmallestChange.X/step-1e-9) * step
	size := math.Round(math.Abs(t.Change.Amount)/step) * step
	if t.Change.Real {
		from = math.Floor(t.SmallestChange.X/step+1e-9) * step
	} else if t.SmallestChange.Present {
		size = min(size, from-step)
	}
	amount := say.more
	switch {
	case size <= 0:
		amount = say.same
	case t.Change.Amount < 0:
		amount = say.less
	}
	if amount != say.same {
		amount = fmt.Sprintf(amount, t.number(size, say))
	}
	name := l.Of(string(t.Measure))
	if t.Side != "" {
		name = fmt.Sprintf(say.name, l.Of(string(t.Side)), name)
	}
	first, n := utf8.DecodeRuneInString(name)
	name = string(unicode.ToUpper(first)) + name[n:]
	because := ""
	if !t.Change.Alike {
		because = say.differently
	}
	switch {
	case !t.SmallestChange.Present:
		return fmt.Sprintf(say.unknown, name, amount)
	case t.Change.Real:
		return fmt.Sprintf(say.real, name, amount, because, t.number(from, say))
	}
	return fmt.Sprintf(say.no, name, amount, because, t.number(from, say))
}

// number returns a number with its unit.
func (t *Trend) number(v float64, say saying) string {
	switch t.Unit {
	case "°":
		return fmt.Sprintf("%.0f°", v)
	case "torso":
		return fmt.Sprintf("%.2f%s", v, say.torso)
	}
	return fmt.Sprintf("%.2f %s", v, t.Unit)
}
