package report

import (
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// name is the Japanese name of a type of analysis, and what its values mean.
type name struct{ name, definition string }

var japaneseTypes = map[analyze.Type]name{
	analyze.Coordinate:           {"座標", "点の位置 [x, y]。右と下が正。"},
	analyze.HorizontalDifference: {"水平距離", "点1と点2の水平方向の差。右が正。"},
	analyze.VerticalDifference:   {"垂直距離", "点1と点2の垂直方向の差。下が正。"},
	analyze.EuclideanDistance:    {"距離", "2点間の直線距離。"},
	analyze.VectorAngle:          {"角度", "点2における点1と点3の間の角度。0～180°、まっすぐなら180°。"},
	analyze.RotationAngle:        {"回転角", "点2において点1から点3まで画面上で反時計回りに測った角度。0～360°。"},
	analyze.JointFlexion:         {"屈曲", "180°から点2の角度を引いた値。まっすぐなら0°。"},
	analyze.SegmentAngle:         {"傾き", "点1から点2への線と水平線の角度。-180～180°、上向きが正。"},
	analyze.Speed:                {"速さ", "点の速さ。"},
	analyze.AngularVelocity:      {"角速度", "点2の角度が1秒間に変わる量。開く向きが正。"},
	analyze.KneeFlexion:          {"膝の屈曲", "大腿と下腿の角度。まっすぐなら0°、過伸展は負。"},
	analyze.HipFlexion:           {"股関節の屈曲", "体幹と大腿の角度。前が正、伸展は負。"},
	analyze.AnkleDorsiflexion:    {"足首の背屈", "下腿と足の角度。直角なら0°、底屈は負。"},
	analyze.ElbowFlexion:         {"肘の屈曲", "上腕と前腕の角度。まっすぐなら0°。"},
	analyze.ShoulderFlexion:      {"肩の屈曲", "体幹と上腕の角度。前が正。"},
	analyze.ShoulderAbduction:    {"肩の外転", "体幹と上腕の角度。体の中心から離れる向きが正。"},
	analyze.TrunkLean:            {"体幹の傾き", "鉛直線と体幹の角度。前が正。"},
	analyze.PelvicTilt:           {"骨盤の傾き", "水平線と左右の股関節を結ぶ線の角度。左が高いと正。"},
	analyze.NeckFlexion:          {"首の屈曲", "体幹と、肩から耳への線との角度。前が正。"},
}

// japaneseParts are the names of the parts of the left side and of the middle, without the side.
var japaneseParts = map[keypoint.Part]string{
	keypoint.Nose: "鼻", keypoint.LeftEye: "目", keypoint.LeftEar: "耳", keypoint.LeftShoulder: "肩", keypoint.LeftElbow: "肘",
	keypoint.LeftWrist: "手首", keypoint.LeftHip: "股関節", keypoint.LeftKnee: "膝", keypoint.LeftAnkle: "足首",
	keypoint.LeftBigToe: "足の親指", keypoint.LeftSmallToe: "足の小指", keypoint.LeftHeel: "かかと",
}

// partOf names a part: "left knee". Without its side if sided is false.
func (w *words) partOf(part keypoint.Part, sided bool) string {
	left, side := part, analyze.LeftSide
	switch mirror := part.Mirror(); {
	case mirror == part:
		side = ""
	case mirror < part:
		left, side = mirror, analyze.RightSide
	}
	if w != &japanese {
		var b strings.Builder
		for _, c := range part.String() {
			if c >= 'A' && c <= 'Z' {
				b.WriteByte(' ')
			}
			b.WriteRune(c)
		}
		name := strings.ToLower(b.String())
		if !sided && side != "" {
			name = strings.TrimPrefix(name, string(side)+" ")
		}
		return name
	}
	if !sided {
		side = ""
	}
	return w.side(side) + japaneseParts[left]
}

// side names a side before the name of a part or an angle; "" for none.
func (w *words) side(s analyze.Side) string {
	switch {
	case s == "":
		return ""
	case w == &japanese && s == analyze.LeftSide:
		return "左"
	case w == &japanese:
		return "右"
	}
	return string(s) + " "
}

// japaneseOf names what a rule computes, without the side that all its points share.
func japaneseOf(rule analyze.Rule, side analyze.Side) string {
	kind := japaneseTypes[rule.Type].name
	if len(rule.Points) == 0 {
		return kind
	}
	names := make([]string, len(rule.Points))
	for k, s := range rule.Points {
		parts := make([]string, len(s.Parts))
		for j, part := range s.Parts {
			parts[j] = japanese.partOf(part, side == "")
		}
		names[k] = strings.Join(parts, "・")
	}
	return strings.Join(names, "–") + "の" + kind
}

// listOf joins names: "left knee, left ankle and nose".
func (w *words) listOf(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], w.list) + w.listEnd + names[n-1]
	}
	return strings.Join(names, "")
}
