package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint/words"
)

// saying is how a language tells differences.
type saying struct {
	repetition, unsure     string                  // before and after the sentence
	less, more, same, from string                  // by how many degrees; from and to
	moves                  map[analyze.Type]string // of the side and by how much
	other                  string                  // of the side, the angle and by how much
}

var sayings = map[words.Language]saying{
	words.English: {
		repetition: "repetition %d: ", unsure: ", within the uncertainty of ± %.0f°",
		less: "%.0f° less", more: "%.0f° more", same: "as much", from: " (%.0f → %.0f)",
		moves: map[analyze.Type]string{
			analyze.KneeFlexion: "the %sknee bends %s", analyze.HipFlexion: "the %ship bends %s", analyze.AnkleDorsiflexion: "the %sankle bends %s",
			analyze.ElbowFlexion: "the %selbow bends %s", analyze.NeckFlexion: "the %sneck bends %s", analyze.TrunkLean: "the %strunk leans forward %s",
			analyze.ShoulderFlexion: "the %sarm is raised forward %s", analyze.ShoulderAbduction: "the %sarm is raised sideways %s",
			analyze.PelvicTilt: "the %spelvis tilts %s", analyze.KneeValgus: "the %sknee goes inwards %s",
			analyze.HipAbduction: "the %sleg is spread %s", analyze.TrunkSideLean: "the %strunk leans to the right %s",
		},
		other: "the %s%s is %s",
	},
	words.Japanese: {
		repetition: "%d回目：", unsure: "、誤差 ± %.0f° の範囲内",
		less: "%.0f°小さい", more: "%.0f°大きい", same: "同じ", from: "（%.0f → %.0f）",
		other: "%s%sが%s",
	},
}

var sides = []analyze.Side{analyze.LeftSide, analyze.RightSide}

// sentences says in all languages by how much the target bends an angle more or less than the source. If the target is
// mirrored, both sides are named, the source's first.
func (p *pair) sentences(of Angle, d AngleDifference) map[words.Language]string {
	all := map[words.Language]string{}
	for _, l := range words.Languages() {
		say, side, text := sayings[l], "", ""
		amount := say.same
		switch size := math.Abs(d.Difference); {
		case math.Round(size) == 0:
		case d.Difference < 0:
			amount = fmt.Sprintf(say.less, size)
		default:
			amount = fmt.Sprintf(say.more, size)
		}
		if of.Side != "" {
			side = l.Of(string(of.Side))
			if p.mirrored {
				side += "/" + l.Of(string(sides[1-slices.Index(sides, of.Side)]))
			}
			if l == words.English {
				side += " "
			}
		}
		if d.Repetition > 0 {
			text = fmt.Sprintf(say.repetition, d.Repetition)
		}
		if moves, ok := say.moves[of.Type]; ok {
			text += fmt.Sprintf(moves, side, amount)
		} else {
			text += fmt.Sprintf(say.other, side, l.Of(string(of.Type)), amount)
		}
		text += strings.ReplaceAll(fmt.Sprintf(say.from, math.Round(d.Source)+0, math.Round(d.Target)+0), "-", "−")
		if !d.Sure {
			text += fmt.Sprintf(say.unsure, math.Ceil(d.Uncertainty))
		}
		first, n := utf8.DecodeRuneInString(text)
		all[l] = string(unicode.ToUpper(first)) + text[n:]
	}
	return all
}

// advice is the text of the warnings.
var advice = map[words.Language]map[Code]string{
	words.English: {
		CodeMirrored:   "They face opposite sides of the picture: compare with mirror.",
		CodeView:       "The cameras stand %.0f° apart, so a difference may be that of the cameras: film both from the same side.",
		CodeNotTheSame: "This is not the same movement: choose another recording.",
		CodeTooFew:     "Too little can be compared: film the same side of the whole body in both recordings.",
	},
	words.Japanese: {
		CodeMirrored:   "二人は反対の方向を向いています。左右を反転して比べてください。",
		CodeView:       "カメラの方向が%.0f°違うため、差はカメラによるものかもしれません。同じ側から撮影してください。",
		CodeNotTheSame: "同じ動作ではありません。別の録画を選んでください。",
		CodeTooFew:     "比べられる部分が少なすぎます。どちらも全身を同じ側から撮影してください。",
	},
}
