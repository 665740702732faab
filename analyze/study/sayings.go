package study

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// saying is how a language sums up.
type saying struct {
	verdicts                         map[quality.Verdict]string // of the lead with its uncertainty
	side                             string                     // of a side and what has it
	hips, estimated, colon, withheld string
	front, back, ahead, behind       string // where it is filmed from; ahead and behind of degrees
	straight, unsure, most, peak     string
	legs, covered                    string
	limbs                            map[string]string // by side and limb
	aside, turn, seconds             string
	one, repetitions, sides          string
}

var sayings = map[words.Language]saying{
	words.English: {
		verdicts: map[quality.Verdict]string{quality.Good: "good: %s", quality.Usable: "with care: %s", quality.Poor: "poor: %s"},
		side:     "%s %s", hips: "counted by the height of the hips", estimated: "one camera with depth: estimated", colon: "%s: %s",
		withheld: "What moves most cannot be measured in this movie.",
		front:    "filmed from the front, ", back: "filmed from behind, ", ahead: "filmed %.0f° from the front, ", behind: "filmed %.0f° from behind, ",
		straight: "the %s reads about %.0f° too straight.", unsure: "%s is less sure: ± %.0f°.",
		most: "how far it goes is sure, where it starts is not.", peak: "Read the greatest value, not the range.",
		legs:    "a knee that bends towards the camera looks straight: use the tempo, not knee or hip angles.",
		covered: "the %s is hidden: its angles are not measured there.",
		limbs:   map[string]string{"leftleg": "left leg", "rightleg": "right leg", "leftarm": "left arm", "rightarm": "right arm"},
		aside:   "Film from the side.", turn: "Move the camera %.0f° to the side.", seconds: " That is %.1f of %.1f s.",
		one: "one repetition and its tempo", repetitions: "%d repetitions and their tempo", sides: "not left against right",
	},
	words.Japanese: {
		verdicts: map[quality.Verdict]string{quality.Good: "良好：%s", quality.Usable: "注意：%s", quality.Poor: "不十分：%s"},
		side:     "%s%s", hips: "腰の高さで数えています", estimated: "1 台と奥行きによる推定", colon: "%s：%s",
		withheld: "最もよく動く部分は、この動画では測れません。",
		front:    "正面から撮影：", back: "背面から撮影：", ahead: "正面から %.0f° の位置で撮影：", behind: "背面から %.0f° の位置で撮影：",
		straight: "%sは実際より約 %.0f° 伸びて見えます。", unsure: "%sは不確かです（± %.0f°）。",
		most: "最大値は確かですが、始まりの値は不確かです。", peak: "範囲ではなく最大値をお使いください。",
		legs:    "カメラの方へ曲がる膝は伸びて見えます。テンポは使えますが、膝と股関節の角度は使わないでください。",
		covered: "%sが隠れているため、そこでは角度を測りません。",
		limbs:   map[string]string{"leftleg": "左脚", "rightleg": "右脚", "leftarm": "左腕", "rightarm": "右腕"},
		aside:   "横から撮ってください。", turn: "カメラを横へ %.0f° 動かしてください。", seconds: "（%.1f / %.1f 秒）",
		one: "1 回の反復とテンポ", repetitions: "%d 回の反復とテンポ", sides: "左右の比較はできません",
	},
}

// each says something in each language.
func each(tell func(words.Language, saying) string) text {
	all := text{}
	for _, l := range words.Languages() {
		said := tell(l, sayings[l])
		first, n := utf8.DecodeRuneInString(said)
		all[l] = string(unicode.ToUpper(first)) + said[n:]
	}
	return all
}

// filmed says from where a view of 0 to 180 degrees sees the person.
func (s *saying) filmed(view float64) string {
	switch {
	case view <= straightOn:
		return s.front
	case view >= 180-straightOn:
		return s.back
	case view > 90:
		return fmt.Sprintf(s.behind, 180-view)
	}
	return fmt.Sprintf(s.ahead, view)
}

const straightOn = 20.0 // degrees from the front that are called the front

// nameOf names a measure: "left knee flexion".
func nameOf(l words.Language, m *Measure) string { return sided(l, m.Side, l.Of(string(m.Type))) }

// jointOf names the joint of a flexion: "left knee".
func jointOf(l words.Language, m *Measure) string {
	return sided(l, m.Side, l.Of(strings.TrimSuffix(string(m.Type), "Flexion")))
}

func sided(l words.Language, side analyze.Side, name string) string {
	if side == "" {
		return name
	}
	return fmt.Sprintf(sayings[l].side, l.Of(string(side)), name)
}

// limbOf is the limb that an angle belongs to.
func limbOf(t analyze.Type) string {
	if t == analyze.ElbowFlexion || t == analyze.ShoulderFlexion || t == analyze.ShoulderAbduction {
		return "arm"
	}
	return "leg"
}

// plusMinus prints the uncertainty of the peak, rounded up.
func plusMinus(m *Measure) string { return fmt.Sprintf("± %.0f°", math.Ceil(m.Peak.Uncertainty)) }
