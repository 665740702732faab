package report

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

var japanese = texts{
	Lang: words.Japanese, Kind: "動作レポート",
	uploaded: "登録 %s", made: "作成 %s", person: "人物%d", lasts: "%s秒、毎秒%s枚", still: "静止画",
	date: "2006年1月2日 15:04 MST", at: "%s秒", frames: "フレーム%d", list: "、", listEnd: "、",
	Left: "左", Right: "右", Both: "両側", Mean: "平均", Deviation: "標準偏差",
	Trust: "この結果の信頼性：", Notes: "メモ", Methods: "測定方法", Settings: "設定とバージョン", Definitions: "値の意味",
	Disclaimer: "画像平面上の測定値であり、空間での値ではありません · 診断ではありません",

	Values: "範囲", Value: "値", Min: "最小", Max: "最大", Range: "範囲", valuesNote: "録画全体",
	valuesOnly: "%[2]s秒間の%[1]d項目の値", stillOnly: "静止画の%d項目の値", noValues: "測定できた値はありません",
	sidesDiffer: "%[1]sの範囲は、左が%[2]s、右が%[3]sです。", sidesEqual: "%[1]sの範囲は、左右とも%[2]sです。",

	Repetitions: "反復", Number: "回", Start: "開始（秒）", Out: "行き（秒）", Hold: "静止（秒）", Back: "戻り（秒）", Depth: "深さ",
	atTurn: "深さは静止からの変化、値は折り返しの時点", mostInEach: "深さは静止からの変化、値は各回の最大", meanOf: "平均（%s回目）",
	marked: "%[1]s：%[2]s回目。", holds: "この録画から分かること：%s。", tempo: "反復とそのテンポ",
	torsos: "胴の長さ", incomplete: "不完全", shallow: "浅い", repetition: "%d回目", turnsAt: "折り返し %s",
	counted:        "%sから数えました。",
	repetitionsOne: "反復1回", repetitionsMany: "反復%d回",
	repetitionsNone:   "反復は見つかりませんでした。",
	repetitionsTempo:  "完全な反復は平均%[1]s秒です（行き%[2]s秒、静止%[3]s秒、戻り%[4]s秒）。",
	repetitionsSpread: "最も大きいのは%[1]d回目の%[2]s、最も小さいのは%[3]d回目の%[4]sです。",
	repetitionsEqual:  "反復間の差は最大%sです。",
	meanDuration:      "平均時間", meanDepth: "%sの深さ",

	Gait: "歩行・走行", walking: "歩行、毎分%s歩", running: "走行、毎分%s歩", fewSteps: "数歩", noSteps: "歩行は見つかりませんでした。",
	overground:   "画面を横切る%d歩行周期を測定しました。",
	treadmill:    "その場での%d歩行周期を測定しました。",
	stanceShares: "足が地面に着いている割合は、左が周期の%[1]s、右が%[2]sです。",
	stepSymmetry: "左右のステップ時間の差は%sです（対称角、0が等しい）。",
	Cadence:      "ケイデンス", Speed: "速度", perMinute: "%s歩/分", Symmetry: "対称性", symmetryNote: "対称角：0 %は左右が等しく、正は右が大きい",
	StrideTime: "ストライド時間（秒）", StepTime: "ステップ時間（秒）", StanceTime: "立脚時間（秒）", SwingTime: "遊脚時間（秒）", StanceShare: "立脚期（周期の%）",
	StrideLength: "ストライド長（%s）", StepLength: "ステップ長（%s）", FlightTime: "滞空（秒）", DoubleSupport: "両脚支持（秒）",
	StrideTimeShort: "ストライド時間", StrideLengthShort: "ストライド長",
	cycleAxis:  "接地から接地までの平均（左%d周期、右%d周期）と標準偏差",
	heelStrike: "%s足の接地", toeOff: "%s足の離地",

	Jumps: "ジャンプ", noJumps: "ジャンプは見つかりませんでした。", jumpOne: "ジャンプ1回、高さ%s cm", jumpMany: "ジャンプ%d回、最高%s cm",
	jumpFlight: "高さは滞空時間%s秒から求めました。",
	jumpRise:   "縮尺による測定では、離地後に腰が%s cm上がっています。",
	jumpDrop:   "着地時の腰は離地時より%s cm低いため、滞空時間から求めた高さは大きすぎます。",
	TakeOff:    "離地（秒）", Landing: "着地（秒）", Height: "高さ（cm）", Rise: "腰の上昇（cm）", Drop: "着地時の低下（cm）",
	HeightShort: "高さ", FlightShort: "滞空時間", RiseShort: "腰の上昇", takeOff: "離地", top: "頂点", landing: "着地",

	comparedWith: "比較の相手：%s。", other: "もう一方の録画", Score: "スコア", stop: "。", nothingShared: "比べられるものがありません", notTheSame: "同じ動作ではありません",
	durations: "この録画は%[1]s秒、もう一方は%[2]s秒です。",
	twins:     "%d回の反復を、もう一方の同じ回の反復と比べました。",
	Twins:     "反復ごとの比較", twinsNote: "秒、相手：%s", Here: "この録画", There: "相手",
	PartScore: "部位ごとの類似度", Part: "部位", scoreNote: "100：同じ動き",
	scoreSentence:   "100は同じ動きです。同じ人の反復は90以上、無関係な動きは50以下になります。",
	AngleDifference: "角度の差", Angle: "角度", Difference: "差", Time: "時刻",
	minus: "%s − この録画", dashed: "角度の時間変化、破線：%s", mirrored: "もう一方の録画は、左右を入れ替えてから比べました。",

	unjudged: "この録画は評価されていません", partsNote: "対象：%s。", span: "（%[1]s～%[2]s）", share: "（フレームの%s）", moreWarnings: "ほかに%d件の注意があります。",
	view:      "カメラは正面から約%.0f°の位置にありました（0°は正面、90°は真横、180°は背面）。",
	plan:      "上から見た図：カメラは正面から約%.0f度。緑の弧が最適な位置",
	corrected: "%d点を手で修正しました。", uncorrected: "手で修正した点はありません。", outdated: "これらの値を計算した後に点が修正されました。計算し直してください。",
	inPixels: "縮尺がないため、長さはピクセルです。", scaled: "長さは動作の平面でのメートルです（1ピクセル %s mm）。",

	statistics: map[analyze.Statistic]string{
		"": "%s", analyze.Max: "%sの最大", analyze.Min: "%sの最小", analyze.Mean: "%sの平均", analyze.Median: "%sの中央値", analyze.Range: "%sの範囲",
		analyze.StandardDeviation: "%sの標準偏差", analyze.Percentile5: "%sの5パーセンタイル", analyze.Percentile95: "%sの95パーセンタイル",
	},
	verdicts: map[quality.Verdict]string{quality.Good: "良好", quality.Usable: "注意して使用できます", quality.Poor: "不良", quality.Nobody: "人が見つかりません"},
	advice: map[quality.Verdict]string{
		quality.Good:   "必要な動きが録画に写っています。",
		quality.Usable: "値を使う前に、次の点を確認してください。",
		quality.Poor:   "録画の3分の1以上、または測定全体が信頼できません。できれば撮り直してください。",
		quality.Nobody: "全身が十分な大きさで入るように撮り直してください。",
	},
	warnings: map[quality.Code]string{
		quality.CodeOutOfPlane:    "一部の角度は斜めから写っています。±が大きいか、値を表示しません。",
		quality.CodeHiddenSide:    "体の一部が隠れています。それに関わる値は表示しません。",
		quality.CodeCutOff:        "体の一部が画面の外にあります。",
		quality.CodeSmall:         "人物が小さく写っています。近くから撮影してください。",
		quality.CodeLowFrameRate:  "動きに対してフレームレートが低すぎます。",
		quality.CodePersonChanged: "途中から別の人を測定している可能性があります。",
		quality.CodeLost:          "人物が見つからない時間があります。",
		quality.CodeSwapped:       "左右が入れ替わったか、区別できません。",
		quality.CodeJitter:        "点が震えています。",
		quality.CodeCameraMoves:   "カメラが動いています。",
		quality.CodeLowCoverage:   "多くのフレームで体の一部が見つかりません。",
		quality.CodeFacing:        "体の向きが分からないため、一部の角度がありません。",
		quality.CodeDamaged:       "動画が壊れているか不完全です。欠けた部分は測定されていません。",
		quality.CodeImplausible:   "ありえない歩行の値を除きました。",
	},
	alignments: map[compare.Alignment]string{
		"": "全体を均等に伸縮", compare.Linear: "全体を均等に伸縮", compare.DTW: "姿勢が最もよく合うように伸縮", compare.Offset: "一定時間ずらす",
	},

	version: "ソフトウェア", keypoints: "キーポイント記録", analysis: "分析", comparison: "比較", looks: "検出した毎秒の枚数", capture: "撮影時の毎秒の枚数",
	cleaning: "補正", swaps: "左右の入れ替わりの修正", outliers: "外れ値の除去", coincident: "重なった点の除去", gaps: "%s秒までの欠損の補間", smooth: "平滑化（%s）", raw: "なし",

	part: "%sから%sまでの部分だけを解析しました。", partNote: "解析した部分",
	methodPlane:       "ニューラルネットワークが各フレームの体の点を見つけます。角度と長さは画像平面での値です。カメラの方を向いた部分は短く見えます。",
	methodNeutral:     "各角度の0°は、%s～%s秒の立位です。",
	offerNeutral:      "%s～%s秒に静止した立位があります。それを0°とすれば（neutral）、一定のずれを除けます。",
	methodUncertainty: "±はその時点の値の標準偏差1つ分（切り上げ）で、角度では空間での角度に対するものです。▲は10°を超える値の印です。20°を超える場合や関節が隠れている場合は、数値の代わりに理由を示します。",
	methodRepetition:  "反復は静止から折り返しを経て静止に戻るまでです。深さは、最も離れた値と、開始・終了の平均との差です。行き・静止・戻りの時間は、動きの10～90 %に躍度最小の動作を当てはめて求めます（Flash and Hogan 1985）。戻らないものは不完全、通常の深さの3分の2に満たないものは浅いとします。平均と標準偏差（標本）はそれ以外のものです。",
	methodGait:        "接地と離地は、地面に対する足の速さが人の速さの一定割合を横切る時刻です（Zeni et al. 2008、Bruening and Ridge 2014に基づく）。ケイデンスは120秒÷ストライド時間です。歩行では立脚期が周期の半分以上です。",
	methodSymmetry:    "対称性は対称角 (45° − atan(左 / 右)) / 90° です（Zifchock et al. 2008）。",
	methodJump:        "離地と着地は、空中の足の位置に当てはめた放物線から求めます。高さ = g · t² / 8（tは滞空時間、Bosco et al. 1983）。離地時と同じ伸びた姿勢で着地することを前提とし、離地の位置から測ります。腰の上昇には縮尺が必要です。",
	methodCompare:     "両者の体を胴の長さでそろえ、股関節の位置で重ねます。類似度は、肩・肘・手首・膝・足首の動きの一致度です（Lin 1989に基づく）。姿勢の違いは動きの違いより小さく数えます。時間の合わせ方：%s。",
}

// definitions are what the values of the types of analysis mean.
var definitions = map[analyze.Type]string{
	analyze.Coordinate:           "点の位置 [x, y]。右と下が正。",
	analyze.HorizontalDifference: "点1と点2の水平方向の差。右が正。",
	analyze.VerticalDifference:   "点1と点2の垂直方向の差。下が正。",
	analyze.EuclideanDistance:    "2点間の直線距離。",
	analyze.VectorAngle:          "点2における点1と点3の間の角度。0～180°、まっすぐなら180°。",
	analyze.RotationAngle:        "点2において点1から点3まで画面上で反時計回りに測った角度。0～360°。",
	analyze.JointFlexion:         "180°から点2の角度を引いた値。まっすぐなら0°。",
	analyze.SegmentAngle:         "点1から点2への線と水平線の角度。-180～180°、上向きが正。",
	analyze.Speed:                "点の速さ。",
	analyze.AngularVelocity:      "点2の角度が1秒間に変わる量。開く向きが正。",
	analyze.KneeFlexion:          "大腿と下腿の角度。まっすぐなら0°、過伸展は負。",
	analyze.HipFlexion:           "体幹と大腿の角度。前が正、伸展は負。",
	analyze.AnkleDorsiflexion:    "下腿と足の角度。直角なら0°、底屈は負。",
	analyze.ElbowFlexion:         "上腕と前腕の角度。まっすぐなら0°。",
	analyze.ShoulderFlexion:      "体幹と上腕の角度。前が正。",
	analyze.ShoulderAbduction:    "体幹と上腕の角度。体の中心から離れる向きが正。",
	analyze.TrunkLean:            "鉛直線と体幹の角度。前が正。",
	analyze.PelvicTilt:           "水平線と左右の股関節を結ぶ線の角度。左が高いと正。",
	analyze.NeckFlexion:          "体幹と、肩から耳への線との角度。前が正。",
	analyze.KneeValgus:           "画像での大腿と下腿の角度。膝が内側に入ると正。",
	analyze.HipAbduction:         "体幹と大腿の角度。体の中心から離れる向きが正。",
	analyze.TrunkSideLean:        "鉛直線と体幹の左右の角度。本人の右が正。",
	analyze.ShoulderLevel:        "水平線と左右の肩を結ぶ線の角度。左が高いと正。",
	analyze.StepWidth:            "左右の足首の横の距離。交差すると負。",
	analyze.KneeSeparation:       "左右の膝の横の距離。",
	analyze.HandHeight:           "床から手首までの高さ。",
	analyze.HipHeight:            "床から股関節の中点までの高さ。",
}
