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

// Of returns the word for a part of the body ("leftKnee"), the same without its side ("knee"), a side
// ("left"), or a type of analysis ("kneeFlexion"). Other names are spelled out in English.
func (l Language) Of(name string) string {
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

// Part returns the word for a part of the body without its side: "big toe".
func (l Language) Part(p keypoint.Part) string {
	return l.Of(joint(joint(p.String(), "left"), "right"))
}

// All returns the words by name: of sides, of parts with and without their side, and of types of analysis.
func (l Language) All() map[string]string {
	all := map[string]string{}
	for name := range japanese {
		all[name] = l.Of(name)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		all[p.String()] = l.Of(p.String())
	}
	return all
}
