// Package words spells out the names that requests and results use, in English and Japanese:
//
//	words.English.Of("leftBigToe")   // left big toe
//	words.Japanese.Of("kneeFlexion") // 膝の屈曲
//
// It is the one table of these words: labels, charts, reports and the page take them from here.
package words

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// Language is the language of words. The zero value means English.
type Language string

// The languages.
const (
	English  Language = "en"
	Japanese Language = "ja"
)

// Languages returns all languages.
func Languages() []Language { return []Language{English, Japanese} }

// japanese are the words of what English takes from the name itself.
var japanese = map[string]string{
	"left": "左", "right": "右",

	"nose": "鼻", "eye": "目", "ear": "耳", "shoulder": "肩", "elbow": "肘", "wrist": "手首", "hip": "股関節", "knee": "膝", "ankle": "足首",
	"bigToe": "足の親指", "smallToe": "足の小指", "heel": "かかと", "neck": "首", "trunk": "体幹", "pelvis": "骨盤",

	"coordinate": "座標", "horizontalDifference": "水平距離", "verticalDifference": "垂直距離", "euclideanDistance": "距離",
	"vectorAngle": "角度", "rotationAngle": "回転角", "jointFlexion": "屈曲", "segmentAngle": "傾き", "speed": "速さ", "angularVelocity": "角速度",
	"kneeFlexion": "膝の屈曲", "hipFlexion": "股関節の屈曲", "ankleDorsiflexion": "足首の背屈", "elbowFlexion": "肘の屈曲", "shoulderFlexion": "肩の屈曲",
	"shoulderAbduction": "肩の外転", "trunkLean": "体幹の傾き", "pelvicTilt": "骨盤の傾き", "neckFlexion": "首の屈曲",
	"kneeValgus": "膝の外反", "hipAbduction": "股関節の外転", "trunkSideLean": "体幹の側屈", "shoulderLevel": "肩の傾き",
	"stepWidth": "足の幅", "kneeSeparation": "膝の間隔", "handHeight": "手の高さ", "hipHeight": "腰の高さ",
}

// reasons are sentences and words in English and Japanese: what stands instead of a withheld number, by its reason; a warning and what
// to do about it, by its code; verdicts; and the ways of a repetition.
var reasons = map[string][2]string{
	"why.hidden": {"hidden", "隠れています"}, "why.front": {"not visible from the front", "正面からは見えません"}, "why.back": {"not visible from behind", "背面からは見えません"},
	"why.side": {"not visible from the side", "横からは見えません"}, "why.oblique": {"too oblique", "斜めすぎます"}, "why.swapped": {"left or right?", "左右不明"},
	"why.lowCoverage": {"too seldom seen", "見える時間が短い"}, "why.implausible": {"not possible", "あり得ない値"},
	"why.unit": {"another unit", "単位が異なります"}, "why.incomplete": {"incomplete", "不完全"},
	"why.uncertain": {"not sure enough", "不確か"}, "why.facing": {"direction unknown", "向き不明"},

	"advice.outOfPlane":    {"Film bending knees, hips and elbows from the side, arms and pelvis from the front.", "膝・股関節・肘は横から、腕と骨盤は正面から撮ってください。"},
	"advice.hiddenSide":    {"Compare repetitions, not left with right.", "左右ではなく、反復どうしを比べてください。"},
	"advice.cutOff":        {"Keep the whole body in the picture.", "全身を画面に入れてください。"},
	"advice.small":         {"Go nearer, or film in a higher resolution.", "近づくか、高い解像度で撮ってください。"},
	"advice.lowFrameRate":  {"Film with 60 pictures a second or more.", "毎秒 60 フレーム以上で撮ってください。"},
	"advice.personChanged": {"Choose the person.", "人物を選んでください。"},
	"advice.lost":          {"Keep the person in the picture and in the light.", "人物を明るい場所で画面に入れてください。"},
	"advice.swapped":       {"Look at the marked places; exchange left and right there if needed.", "印の箇所を見て、必要なら左右を入れ替えてください。"},
	"advice.implausible":   {"Film from the side, with both feet in the picture.", "両足が写るように横から撮ってください。"},
	"advice.hidden":        {"Film the other side as well.", "反対側からも撮ってください。"},
	"advice.damaged":       {"Upload the original file again.", "元のファイルをもう一度送ってください。"},
	"advice.nobody":        {"Keep the whole body in the picture, large and in the light.", "全身を大きく、明るい場所で撮ってください。"},
	"advice.jitter":        {"Film with more light and a still camera.", "明るい場所で、カメラを固定して撮ってください。"},
	"advice.cameraMoves":   {"Put the camera on a stand.", "カメラを三脚に置いてください。"},
	"advice.lowCoverage":   {"Keep the whole body in the picture.", "全身を画面に入れてください。"},
	"advice.facing":        {"Film from the side or from the front.", "横または正面から撮ってください。"},
	"advice.uncertain":     {"Film nearer, with more light, and from the side.", "近くから、明るい場所で、横から撮ってください。"},
	"advice.unseen":        {"Check the points on the picture, if there is one.", "映像があれば、点の位置を確かめてください。"},

	"warning.outOfPlane":    {"The camera sees these angles obliquely.", "これらの角度は斜めに写っています。"},
	"warning.hiddenSide":    {"Parts of the body are hidden: their angles are not measured.", "体の一部が隠れています。その角度は測定しません。"},
	"warning.cutOff":        {"The person is partly outside the picture.", "人物の一部が画面の外です。"},
	"warning.small":         {"The person is small in the picture.", "人物が小さく写っています。"},
	"warning.lowFrameRate":  {"The movement is too fast for the frame rate.", "動きに対してフレームレートが低すぎます。"},
	"warning.personChanged": {"From here on it may be somebody else.", "ここから別の人かもしれません。"},
	"warning.lost":          {"The person was lost.", "人物を見失いました。"},
	"warning.swapped":       {"Left and right may be exchanged.", "左右が入れ替わっているかもしれません。"},
	"warning.implausible":   {"Something was found that no body does; it is left out.", "ありえない値を除きました。"},
	"warning.hidden":        {"Parts of the body are covered.", "体の一部が隠れています。"},
	"warning.damaged":       {"The movie is damaged or incomplete.", "動画が壊れているか不完全です。"},
	"warning.unseen":        {"Another program found the points; the picture was not seen.", "点は別のプログラムが検出したもので、映像は確認していません。"},
	"warning.nobody":        {"No picture shows a whole person.", "全身が写っている画像がありません。"},
	"warning.jitter":        {"The points tremble.", "点が震えています。"},
	"warning.cameraMoves":   {"The camera moves.", "カメラが動いています。"},
	"warning.lowCoverage":   {"Parts of the body are missing in many frames.", "多くのフレームで体の一部が欠けています。"},
	"warning.facing":        {"It cannot be told where the person faces.", "人物の向きが分かりません。"},
	"verdict.good":          {"Good to measure", "測定に適しています"},
	"verdict.usable":        {"Usable, with care", "注意すれば使えます"},
	"verdict.poor":          {"Poor: do not rely on these numbers", "不十分：この数値に頼らないでください"},
	"verdict.nobody":        {"Nobody was found", "人が見つかりません"},

	"way.down": {"Down", "下り"}, "way.up": {"Up", "上り"}, "way.out": {"Out", "行き"}, "way.back": {"Back", "戻り"},
}

// Of returns the word for a part of the body ("leftKnee"), the same without its side ("knee"), a side
// ("left"), a type of analysis ("kneeFlexion"), why a number is withheld ("why.hidden"), a warning ("warning.small"), what to do
// about it ("advice.small"), a verdict ("verdict.good"), or a way of a repetition ("way.down"). Other names are spelled out in English.
func (l Language) Of(name string) string {
	if both, ok := reasons[name]; ok && l == Japanese {
		return both[1]
	} else if ok {
		return both[0]
	}
	if l == Japanese {
		if word, ok := japanese[name]; ok {
			return word
		}
		for _, side := range []string{"left", "right"} {
			if word, ok := japanese[joint(name, side)]; ok {
				return japanese[side] + word
			}
		}
	}
	var b strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String())
}

// joint returns the name of a part without its side: "bigToe" of "leftBigToe".
func joint(part, side string) string {
	name, ok := strings.CutPrefix(part, side)
	if !ok || name == "" {
		return part
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// WhyFrom is Why for a number that is seen from a view of 0 to 180 degrees: "not visible from the front" for "outOfPlane" from there.
func (l Language) WhyFrom(reason string, view float64) string {
	switch {
	case reason != "outOfPlane":
	case view < 35:
		reason = "front"
	case view > 145:
		reason = "back"
	case view > 70 && view < 110:
		reason = "side"
	}
	return l.Why(reason)
}

// Why returns the word that stands instead of a withheld number, by its reason: "too seldom seen" for "lowCoverage".
func (l Language) Why(reason string) string {
	switch reason {
	case "hiddenSide":
		reason = "hidden"
	case "outOfPlane":
		reason = "oblique"
	}
	return l.Of("why." + reason)
}

// Part returns the word for a part of the body without its side: "big toe".
func (l Language) Part(p keypoint.Part) string {
	return l.Of(joint(joint(p.String(), "left"), "right"))
}

// All returns the words by name: of sides, of parts with and without their side, of types of analysis, and the sentences about reasons and warnings.
func (l Language) All() map[string]string {
	all := map[string]string{}
	for name := range japanese {
		all[name] = l.Of(name)
	}
	for name := range reasons {
		all[name] = l.Of(name)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		all[p.String()] = l.Of(p.String())
	}
	return all
}
