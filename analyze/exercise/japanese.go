package exercise

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/words"
)

var japanese = phrases{
	lang: words.Japanese, list: "、", stop: "。", side: "%s%s",
	atLeast: "%s以上", atMost: "%s以下", between: "%s～%s", atStart: "開始時の%s", throughout: "%s（全体を通して）",
	short: "%[1]sが%[3]sに%[2]s不足", over: "%[1]sが%[3]sを%[2]s超過", near: "%sは%sに近く判定できません", withheld: "%sは判定なし（%s）",
	one: "%s回目", many: "%s回目", colon: "：", span: "%s～%s",
	allMet: "すべての目標を達成", noneMissed: "この視点で見える目標に未達はありません", noneShown: "判定できる目標がありません",
	everyMet: "%[2]d回中%[1]d回がすべての目標を%[3]s。", meets: [2]string{"達成しました", "達成しました"},
	notMissed: "%[2]d回中%[1]d回は、この視点で見える目標に%[3]s。", misses: [2]string{"未達がありません", "未達がありません"},
	allMiss:   "どの回にも未達の目標があります。",
	nothing:   "この録画から判定できる目標はありません。",
	none:      "判定できるほどはっきり見える反復がありません。",
	uncounted: "不完全なため数えない回：%s",
	another:   "録画は別の動作です：%s",
	fromSide:  "横からの撮影をお勧めします（正面から80～100°）。", fromFront: "正面からの撮影をお勧めします（正面から20°以内）。",
	phases:   map[string]string{"down": "下げ", "up": "上げ", "out": "行き", "back": "戻り", "hold": "静止"},
	duration: "1回の時間",
	quick:    map[analyze.Type]string{OutTime: "%[1]sが%[2]s速すぎ", HoldTime: "静止が%[2]s不足", BackTime: "%[1]sが%[2]s速すぎ", Duration: "全体が%[2]s速すぎ"},
	slow:     map[analyze.Type]string{OutTime: "%[1]sが%[2]s遅すぎ", HoldTime: "静止が%[2]s超過", BackTime: "%[1]sが%[2]s遅すぎ", Duration: "全体が%[2]s遅すぎ"},
	movements: map[study.Movement]string{
		study.Squat: "スクワット", study.SitToStand: "立ち座り", study.Lunge: "ランジ", study.Hinge: "ヒップヒンジ", study.PushUp: "腕立て伏せ",
		study.Curl: "アームカール", study.Raise: "腕上げ", study.Jump: "ジャンプ", study.Walking: "歩行", study.Running: "走行", study.Still: "静止立位",
	},
	incomplete: "不完全", units: map[string]string{"torso": " 胴の長さ", "s": "秒"},
	numbers: map[string]string{
		"fiveTimesSitToStand": "5回の立ち座りに%[1]s", "chairStand30": "30秒で%[1]s回", "singleLegStance": "%[2]s脚：%[1]s",
		"countermovementJump": "滞空時間による高さ%[1]s", "rise": "腰の上昇%[1]s", "sway": "腰の揺れ%[1]s（二乗平均平方根）",
		"atLeast": "%s以上",
	},
	fewStands: "完全な立ち上がりが5回必要ですが、%d回でした。", tooShort: "最初の動きから%.0f秒で録画が終わります。30秒必要です。",
	noChair: "椅子からの立ち上がりは見つかりませんでした。", noJump: "ジャンプは見つかりませんでした。", noStance: "1秒以上の片脚立ちは見つかりませんでした。", noSway: "揺れの測定には正面または横からの撮影が必要です。",
}
