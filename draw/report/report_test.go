package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// squats are three squats of somebody who is seen from the right, at 30 frames a second, the second half
// as deep as the others.
func squats() keypoint.Sequence {
	seq := keypoint.Sequence{Size: image.Pt(640, 480)}
	for i := range 181 {
		at := float64(i) / 30
		bend := 0.0
		if k := int(at / 2); k < 3 {
			bend = []float64{95, 40, 95}[k] * (1 - math.Cos(2*math.Pi*min(math.Mod(at, 2)/1.5, 1))) / 2 * math.Pi / 180
		}
		ankle := keypoint.Point{300, 420}
		knee := ankle.Add(keypoint.Point{90 * math.Sin(bend*0.4), -90 * math.Cos(bend*0.4)})
		hip := knee.Add(keypoint.Point{-90 * math.Sin(bend*0.6), -90 * math.Cos(bend*0.6)})
		shoulder := hip.Add(keypoint.Point{110 * math.Sin(bend*0.4), -110 * math.Cos(bend*0.4)})
		var f keypoint.Frame
		for part, p := range map[keypoint.Part]keypoint.Point{
			keypoint.RightAnkle: ankle, keypoint.RightKnee: knee, keypoint.RightHip: hip, keypoint.RightShoulder: shoulder,
			keypoint.RightElbow: shoulder.Add(keypoint.Point{10, 50}), keypoint.RightWrist: shoulder.Add(keypoint.Point{30, 95}),
			keypoint.RightEar: shoulder.Add(keypoint.Point{8, -45}), keypoint.RightEye: shoulder.Add(keypoint.Point{24, -52}),
			keypoint.RightBigToe: ankle.Add(keypoint.Point{40, 14}), keypoint.RightSmallToe: ankle.Add(keypoint.Point{34, 14}), keypoint.RightHeel: ankle.Add(keypoint.Point{-12, 14}),
		} {
			f.Set(part, p, 0.9)
			f.Set(part.Mirror(), p.Add(keypoint.Point{6, -2}), 0.8)
		}
		f.Set(keypoint.Nose, shoulder.Add(keypoint.Point{34, -44}), 0.9)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, at)
	}
	return seq
}

// of returns the report of a recording, with pictures.
func of(t *testing.T, seq keypoint.Sequence, language say.Language) report.Report {
	t.Helper()
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		t.Fatal(err)
	}
	how := clean.Default()
	how.Smooth.Cutoff = 7.5
	r := report.Report{
		Language: language, Title: "Squats & more", Text: "week 6", Uploaded: time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC), Sequence: seq, Quality: judged,
		Settings: report.Settings{Version: "v1.2.3", Keypoints: 17, Cleaning: &how},
	}
	if err := r.Analyze(); err != nil {
		t.Fatal(err)
	}
	return r
}

// written returns the file, which must ask for nothing from outside.
func written(t rapid.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if found := regexp.MustCompile(`(?i)https?:|<script|<link|<iframe|@import|url\(|\ssrc=|href="[^d]|href="d[^a]|NaN|[+-]Inf|ZgotmplZ|%!`).FindString(text); found != "" {
		t.Fatalf("the file has %q", found)
	}
	return text
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the report lacks %q", part)
		}
	}
}

func TestSquats(t *testing.T) {
	r := of(t, squats(), say.English)
	frames := r.Frames()
	if len(frames) != 3 || math.Abs(r.Sequence.Times[frames[1]]-2.75) > 0.1 {
		t.Errorf("frames %v: want the turning points of three squats", frames)
	}
	m := image.NewRGBA(image.Rect(0, 0, 320, 240)) // half the size
	for i := range m.Pix {
		m.Pix[i] = 200
	}
	m.Set(0, 0, color.Black)
	r.Pictures = map[int]image.Image{frames[0]: m}
	text := written(t, &r)
	contains(t, text, `lang="en"`, "<title>Squats &amp; more</title>", "week 6", "uploaded 22 November 2026, 14:02 UTC", "6.0 s, 30 pictures a second",
		"<h2>"+r.Study.Summary.Title.String()+"</h2>", r.Study.Summary.Tells[1].String(), "<dt>Repetitions</dt><dd>3</dd>", `<th scope="row">2<span class="pill">shallow</span></th>`,
		"Mean of 1, 3", `<dt>Left knee flexion</dt><dd><span class="num">95°`, "Right knee flexion", "How far to trust this: Good to measure<", "Movement report · squats · ",
		"<p>Filmed from the side.</p></div>", "motion v1.2.3", "butterworth 7.5 Hz", "not a diagnosis", `@bottom-left { content: "Measured in the picture, `)
	if n := strings.Count(text, "data:image/jpeg"); n != 1 {
		t.Errorf("%d pictures, want 1", n)
	}
	if n := strings.Count(text, "<figure"); n != 3+4 {
		t.Errorf("%d figures, want three pictures and four charts", n)
	}
	r.Language, r.Corrected = say.Japanese, 4
	contains(t, written(t, &r), `lang="ja"`, "<h2>"+r.Study.Summary.Title[say.Japanese]+"</h2>", "<dt>反復</dt><dd>3</dd>", `<span class="pill">浅い</span>`, "左膝の屈曲", "スクワット", "この結果の信頼性", "2026年11月22日", "4点を手で修正しました", "診断ではありません")
}

// TestSubject: a report names the person, the date and the examiner. Notes stand where a report without them has empty lines.
func TestSubject(t *testing.T) {
	r := of(t, squats(), say.English)
	if text := written(t, &r); strings.Contains(text, `class="id"`) || !strings.Contains(text, "<i></i><i></i></section>") {
		t.Error("nobody is known, and there is an empty line, or none to write on")
	}
	at := 1.834
	r.Subject = report.Subject{Name: "Mika <T.>", BirthYear: 1988, BodyHeight: 1.624, Side: analyze.LeftSide}
	r.Zone = time.FixedZone("", -8*3600)
	r.Recorded = time.Date(2026, 11, 21, 3, 30, 0, 0, time.UTC) // the day before, there
	r.Examiner, r.Notes = "R. L.", []report.Note{{Time: &at, Text: "Leans & turns"}, {Text: "Next: 5 kg"}}
	text := written(t, &r)
	contains(t, text, "<dt>Person</dt><dd>Mika &lt;T.&gt;</dd>", "<dd>1988</dd>", "<dd>1.62 m</dd>", "<dd>Left</dd>", "<dd>20 November 2026</dd>", "<dd>R. L.</dd>",
		`<p data-note="0">Leans &amp; turns <small>1.83 s</small></p><p data-note="1">Next: 5 kg</p>`, `<i class="dot left">L</i>`, `<i class="dot right">R</i>`)
	if strings.Contains(text, "uploaded") || strings.Contains(text, "<i></i>") {
		t.Error("the report says when the recording was uploaded, or has lines beside notes")
	}
	r.Zone = nil
	contains(t, written(t, &r), "<dd>21 November 2026, 03:30 UTC</dd>")
	r.Language, r.Zone = say.Japanese, time.Local
	contains(t, written(t, &r), "<dt>対象者</dt>", "<dd>2026年11月2", `<i class="dot left">左</i>`)
}

// TestTargets: a report has what became of each target, withheld ones with their reason, and of many repetitions in how many.
func TestTargets(t *testing.T) {
	number := func(x float64) analyze.Value { return analyze.Value{X: x, Present: true} }
	verdict := func(target int, side analyze.Side, o exercise.Outcome, x float64) exercise.Verdict {
		v := exercise.Verdict{Target: target, Side: side, Outcome: o, Unit: "°", Value: number(x)}
		if o == exercise.Withheld {
			v.Value, v.Why = analyze.Value{}, []quality.Code{quality.CodeHiddenSide}
		}
		return v
	}
	d := exercise.Definition{Name: "squat", Title: say.Text{say.English: "Squat", say.Japanese: "スクワット"}, Targets: []exercise.Target{
		{Measure: analyze.KneeFlexion, Min: number(90)}, {Measure: analyze.TrunkLean, At: "throughout", Min: number(5), Max: number(45)},
	}}
	var done []exercise.Repetition
	for k, x := range []float64{70, 88, 101} {
		o := []exercise.Outcome{exercise.Missed, exercise.Near, exercise.Met}[k]
		done = append(done, exercise.Repetition{Targets: []exercise.Verdict{
			verdict(0, analyze.LeftSide, o, x), verdict(0, analyze.RightSide, exercise.Withheld, 0), verdict(1, "", exercise.Met, 30),
		}})
	}
	r := of(t, squats(), say.English)
	r.Exercise = &exercise.Result{Exercise: d, Repetitions: done, Headline: say.Text{say.English: "One of 3 does.", say.Japanese: "3回中1回です。"}}
	contains(t, written(t, &r), "Targets <small>squat · ✓ met, ✗ missed", "Knee flexion, at least 90°", "Trunk lean throughout, 5° to 45°",
		`<td class="l">70° ✗</td><td class="l">88° ≈</td><td class="l">101° ✓</td>`, `<td class="why" colspan="3">hidden</td>`, "One of 3 does.")
	r.Exercise.Repetitions = slices.Concat(done, done)
	contains(t, written(t, &r), `<td class="b">2 missed, 2 could not be judged, 2 met</td>`, `<td class="b">met</td>`, `<td class="why" colspan="1">hidden</td>`)
	r.Language = say.Japanese
	contains(t, written(t, &r), "スクワット", "膝の屈曲", "体幹の傾き（全体を通して）、", "3回中1回です。")
	d.Test, r.Language = "fiveTimesSitToStand", say.English
	r.Exercise = &exercise.Result{Exercise: d, Headline: say.Text{say.English: "11.2 s for five."}, Numbers: []exercise.Number{{Name: "time", Unit: "s", Value: number(11.2), Uncertainty: number(0.1)}}}
	contains(t, written(t, &r), `<h2>11.2 s for five.</h2>`, `<dt>Time</dt><dd><span class="num">11.20 s <small class="pm">± 0.10`)
}

// TestMovements: each kind of recording has its own words and tables.
func TestMovements(t *testing.T) {
	for name, want := range map[string]struct{ en, ja []string }{
		"walk_across_90":           {[]string{" · walking · ", `<span class="num">112 steps/min <small class="pm">± 5</small>`, "heel strike", "Stride length, m", "Mean of 3 left and 2 right strides", "no difference"}, []string{" · 歩行 · ", `<span class="num">112歩/分 <small class="pm">± 5</small>`, "ストライド長"}},
		"jump_90_120fps":           {[]string{"<dt>Jumps</dt><dd>1</dd>", `<dt>Height</dt><dd><span class="num">30.`, "Take-off", "Flight", "Hips rise, cm", "g · t² / 8"}, []string{"<dt>ジャンプ</dt><dd>1</dd>", "滞空"}},
		"sit_to_stand_90":          {[]string{"2 rises from a chair, ", "<dt>Repetitions</dt><dd>2</dd>", "hip flexion", "the greatest values in each"}, []string{"<dt>反復</dt><dd>2</dd>", "股関節の屈曲"}},
		"squat_0_shift":            {[]string{"<h2>3 squats, counted by the height of the hips</h2>", "Hip height, depth", ` cm <small class="pm">± `, "the values at the turning point", "not visible from the front"}, []string{"<dt>反復</dt><dd>3</dd>", "腰の高さ", "正面からは見えません"}},
		"lateral_raise_0_mirrored": {[]string{"shoulder abduction"}, []string{"肩の外転"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := testkit.Rendered(t, name)
			m.Seq.World.MetresPerPixel = m.AtHips
			r := of(t, m.Seq, say.English)
			contains(t, written(t, &r), want.en...)
			r.Language = say.Japanese
			contains(t, written(t, &r), want.ja...)
		})
	}
}

func TestComparison(t *testing.T) {
	source := squats()
	target := squats()
	for i := range target.Frames { // an arm that is raised
		target.Frames[i] = source.Frames[max(i-20, 0)]
		target.Frames[i].Set(keypoint.RightWrist, keypoint.Point{400, 300}, 0.9)
	}
	opt := compare.Options{Angles: true, Repetitions: &analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide}}
	res, err := compare.Diff(source, target, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := of(t, source, say.English)
	r.Comparison = &report.Comparison{Title: "The first <try>", Target: target, Options: opt, Result: res}
	text := written(t, &r)
	answer := res.Answer
	contains(t, text, "<h2>"+answer.Title.String()+"</h2>", answer.Text.String(), "compared with The first &lt;try&gt;", "Each repetition and the same one of the other", "Differences of angles", "stretched evenly", `class="bone other"`, "dashed: ")
	if regexp.MustCompile("(?i)similarity|score|nose").MatchString(text) || !strings.Contains(text, ">Knee down, s ± 0.13<") {
		t.Error("the report has a score, a nose, or a tempo of nobody")
	}
	if frames := r.Frames(); len(frames) < 2 || !slices.IsSorted(frames) {
		t.Errorf("frames %v", frames)
	}
	r.Language = say.Japanese
	contains(t, written(t, &r), answer.Title[say.Japanese], answer.Text[say.Japanese])
}

// TestAnalysis: the report of an analysis shows what it asks for, points, lengths and absent values too.
func TestAnalysis(t *testing.T) {
	seq := squats()
	rules, err := analyze.ParseRules([]byte(`[{"analysisType": "coordinate", "points": ["nose"]},
		{"analysisType": "euclideanDistance", "points": ["leftWrist", "rightAnkle"]},
		{"analysisType": "vectorAngle", "points": ["leftHip", "leftKnee", "leftAnkle"], "repetitions": true, "symmetry": true},
		{"analysisType": "speed", "points": [{"pointType": "midpoint", "pointName": ["leftHip", "rightHip"]}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	r := report.Report{Sequence: seq, NoSteps: true}
	for k := range rules {
		r.Series = append(r.Series, report.Series{Rule: rules[k], Result: results[k]})
	}
	contains(t, written(t, &r), "Nose coordinate x, px", "Nose coordinate y, px", "Euclidean distance left wrist - right ankle", "Left knee vector angle", "Right knee vector angle", "px/s", "No steps were found.")
	r.Language = say.Japanese
	contains(t, written(t, &r), "鼻の座標 x", "左手首–右足首の距離", "右股関節–膝–足首の角度")
}

// TestAtItsMoment: without a study too the ± is that of the value beside it, and what is too uncertain has a word.
func TestAtItsMoment(t *testing.T) {
	seq := squats()
	rule := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide, Repetitions: &analyze.RepetitionOptions{}}
	results, err := analyze.Run(seq, []analyze.Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	r := report.Report{Sequence: seq, Series: []report.Series{{Rule: rule, Result: results[0]}}}
	for _, sigma := range []float64{4.2, 15.1, 25} {
		for i := range seq.Frames {
			results[0].Uncertainty[i] = analyze.Value{X: 3, Present: true}
		}
		for _, one := range results[0].Repetitions.List {
			results[0].Uncertainty[one.Turn.Frame].X = sigma
		}
		text := written(t, &r)
		want := map[float64]string{4.2: `<td class="r"><span class="num">95° <small class="pm">± 5</small>`, 15.1: `<small class="pm care">± 16 ▲</small>`, 25: `<td class="why">not sure enough</td>`}
		if contains(t, text, want[sigma]); sigma > 20 != !strings.Contains(text, "95° ±") {
			t.Errorf("± %v: a withheld value is printed, or one is missing", sigma)
		}
	}
}

// TestHiddenArm: an arm that the body covers has a word, though the network lets it copy the curls of the other.
func TestHiddenArm(t *testing.T) {
	seq := squats()
	for i := range seq.Frames {
		f, at := seq.Frames[0], float64(i)/30
		bend := 1.2 * (1 - math.Cos(math.Pi*at))
		elbow, _ := f.At(keypoint.RightElbow)
		wrist := elbow.Add(keypoint.Point{46 * math.Sin(bend), 46 * math.Cos(bend)})
		f.Set(keypoint.RightWrist, wrist, 0.9)
		f.Set(keypoint.LeftWrist, wrist.Add(keypoint.Point{6, -2}), 0.9)
		for part := range keypoint.Part(keypoint.NumParts) {
			f.SetVisibility(part, 0.97)
		}
		f.SetVisibility(keypoint.LeftElbow, 0.03)
		f.SetVisibility(keypoint.LeftWrist, 0.03)
		seq.Frames[i] = f
	}
	r := of(t, seq, say.English)
	text := written(t, &r)
	contains(t, text, "<h2>"+r.Study.Summary.Title.String()+"</h2>", `<dt>Right elbow flexion</dt><dd><span class="num">`, "<dt>Repetitions</dt><dd>3</dd>", "Left elbow flexion</th><td class=\"why\" colspan=\"3\">hidden</td>")
	if found := regexp.MustCompile(`on the left|Left elbow flexion</th><td class="[^w]`).FindString(text); found != "" {
		t.Errorf("the report says %q", found)
	}
	if left, right := strings.Count(text, `class="joint left"`), strings.Count(text, `class="joint right"`); left != 3*7 || right != 3*9 {
		t.Errorf("%d joints of the left and %d of the right are drawn, want all of three pictures but the hidden elbow and wrist", left, right)
	}
	rule := analyze.Rule{Type: analyze.ElbowFlexion, Side: analyze.LeftSide, Hidden: true, Repetitions: &analyze.RepetitionOptions{}}
	results, err := analyze.Run(seq, []analyze.Rule{rule})
	if err != nil || results[0].Repetitions.Complete != 3 {
		t.Fatal(err, results[0].Repetitions)
	}
	rule.Hidden = false // as if it had not been asked to keep what is hidden
	asked := report.Report{Sequence: seq, Series: []report.Series{{Rule: rule, Result: results[0]}}}
	if err := asked.Analyze(); err != nil {
		t.Fatal(err)
	}
	text = written(t, &asked)
	if contains(t, text, ">hidden</td>", "No repetitions were found."); strings.Contains(text, `class="tiles"`) {
		t.Error("repetitions are counted in an arm that is hidden")
	}
}

// TestOblique: a squat that is seen at 60 degrees is told by the leg that is seen better, and not left against right.
func TestOblique(t *testing.T) {
	r := of(t, testkit.Rendered(t, "squat_60").Seq, say.English)
	text := written(t, &r)
	lead := regexp.MustCompile(`(?s)<section class="lead">.*?</section>`).FindString(text)
	peak := r.Study.Measures[slices.IndexFunc(r.Study.Measures, func(m study.Measure) bool {
		return m.Type == r.Study.Lead.Type && m.Side == r.Study.Lead.Side
	})].Peak
	contains(t, lead, "knee flexion", fmt.Sprintf("%.0f° <small class=\"pm care\">± %.0f ", peak.Value, math.Ceil(peak.Uncertainty)), "<h2>"+r.Study.Summary.Title.String()+"</h2>")
	contains(t, text, `2<span class="pill">shallow</span>`, r.Study.Summary.Limit.String(), r.Study.Summary.Do.String())
	if strings.Contains(lead, "on the left") {
		t.Error("the lead compares the legs, of which one is not good")
	}
	contains(t, text, `<small class="pm care">`, `class="area `, "Sides cannot be compared from this view.", say.Name("uncertainty")[say.English])
	for sigma, want := range map[float64]string{13: `<small class="pm care">± 13 ▲</small>`, 6: `<small class="pm">± 6</small>`} { // of a range, not of the peak
		for k := range r.Study.Measures {
			r.Study.Measures[k].RangeUncertainty.X = sigma
		}
		values := regexp.MustCompile(`(?s)knee flexion</th>.*?</tr>`).FindAllString(written(t, &r), -1)
		contains(t, strings.Join(values, ""), "° "+want)
	}
}

// TestEstimated: what the view withholds and depth estimates stands in the title and in the table, marked.
func TestEstimated(t *testing.T) {
	r := of(t, testkit.Rendered(t, "squat_0_shift").Guessed(), say.English)
	text := written(t, &r)
	for _, want := range []string{`3 squats, left knee flexion \d+° ± 1\d \(estimated\)`, `Left knee flexion</th>.*?~\d+°.*?~\d+°.*?~\d+°`} {
		if !regexp.MustCompile(want).MatchString(strings.ReplaceAll(text, "\n", "")) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// TestPart: a report of a part says so, and shows pictures of it.
func TestPart(t *testing.T) {
	seq := squats()
	rules := []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide}}
	results, err := analyze.RunWith(seq, rules, analyze.Options{Part: &keypoint.Span{First: 60, Last: 120}})
	if err != nil {
		t.Fatal(err)
	}
	r := report.Report{Sequence: seq, Part: keypoint.Span{First: 60, Last: 120}, Series: []report.Series{{Rule: rules[0], Result: results[0]}}}
	const sentence = "Only the part from 2.00 s to 4.00 s was analysed."
	text := written(t, &r)
	if contains(t, text, "over the part that was analysed"); strings.Count(text, sentence) != 2 || !slices.Equal(r.Frames(), []int{70, 90, 110}) {
		t.Errorf("pictures of %v, want some of the part, and twice %q", r.Frames(), sentence)
	}
	r.Language = say.Japanese
	contains(t, written(t, &r), "2.00秒から4.00秒までの部分だけを解析しました。", "解析した部分")
}

func TestImage(t *testing.T) {
	seq := squats().Slice(20, 20)
	seq.Times = nil
	r := of(t, seq, "")
	text := written(t, &r)
	contains(t, text, "one picture", "<dt>Left knee flexion</dt>", `class="tag"`)
	if strings.Contains(text, `class="chart"`) || !slices.Equal(r.Frames(), []int{0}) {
		t.Errorf("an image has charts, or the frames %v", r.Frames())
	}
}

func TestErrors(t *testing.T) {
	seq := squats()
	short := analyze.Result{Type: analyze.KneeFlexion, Values: make([]analyze.Value, 3)}
	beyond := analyze.Result{Type: analyze.KneeFlexion, Values: make([]analyze.Value, seq.Len()),
		Repetitions: &analyze.Repetitions{List: []analyze.Repetition{{Start: analyze.Moment{Frame: 3}, Turn: analyze.Moment{Frame: 9}, End: analyze.Moment{Frame: seq.Len()}}}}}
	strange := &exercise.Result{Repetitions: []exercise.Repetition{{Targets: []exercise.Verdict{{Target: 1}}}}}
	for name, r := range map[string]report.Report{
		"a target too many":     {Sequence: seq, Exercise: strange},
		"no frames":             {},
		"unknown language":      {Sequence: seq, Language: "de"},
		"another comparison":    {Sequence: seq, Comparison: &report.Comparison{}},
		"a part too long":       {Sequence: seq, Part: keypoint.Span{First: 3, Last: seq.Len()}},
		"a part backwards":      {Sequence: seq, Part: keypoint.Span{First: 3, Last: 2}},
		"a short series":        {Sequence: seq, Series: []report.Series{{Result: short}}},
		"a short other side":    {Sequence: seq, Series: []report.Series{{Result: analyze.Result{Values: make([]analyze.Value, seq.Len()), Symmetry: &analyze.Symmetry{OtherSide: short}}}}},
		"a repetition too long": {Sequence: seq, Series: []report.Series{{Result: beyond}}},
	} {
		var b bytes.Buffer
		if err := r.Write(&b); !errors.Is(err, keypoint.ErrInvalid) || b.Len() > 0 || r.Frames() != nil {
			t.Errorf("%s: %v, %d bytes, frames %v", name, err, b.Len(), r.Frames())
		}
	}
}

// TestAnything: whatever is missing, the file is whole.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := squats().Slice(0, rapid.IntRange(0, 60).Draw(t, "last"))
		seq = seq.Clone()
		for range rapid.IntRange(0, 40).Draw(t, "holes") {
			i := rapid.IntRange(0, seq.Len()-1).Draw(t, "frame")
			if rapid.Bool().Draw(t, "whole") {
				seq.Frames[i] = keypoint.Frame{}
			} else {
				seq.Frames[i].Unset(keypoint.Part(rapid.IntRange(0, keypoint.NumParts-1).Draw(t, "part")))
			}
		}
		if rapid.Bool().Draw(t, "no times") {
			seq.Times = nil
		}
		if rapid.Bool().Draw(t, "no size") {
			seq.Size = image.Point{}
		}
		r := report.Report{Sequence: seq, Language: rapid.SampledFrom(say.Languages()).Draw(t, "language")}
		if err := r.Analyze(); err != nil {
			t.Fatal(err)
		}
		r.Pictures = map[int]image.Image{}
		for _, i := range r.Frames() {
			r.Pictures[i] = image.NewGray(image.Rect(0, 0, 64, 48))
		}
		if seq.Empty() { // there is nothing to report
			if err := r.Write(io.Discard); !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		written(t, &r)
	})
}

// TestPrint: Chromium makes a PDF of two A4 pages of a squat with all that a course of treatment has, without a network.
func TestPrint(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		testkit.Skip(t, "chromium")
	}
	r := of(t, squats(), say.Japanese)
	r.Subject, r.Recorded, r.Zone, r.Examiner = report.Subject{Name: "田中 美香", BirthYear: 1988, BodyHeight: 1.62, Side: analyze.LeftSide}, r.Uploaded, time.UTC, "R. L."
	r.Notes = []report.Note{{Text: strings.Repeat("踵は浮かず、痛みなし。", 6)}, {Text: "次回は5 kgで。"}}
	d, _ := exercise.Shipped("squat")
	done, err := exercise.Judge(d, r.Sequence, *r.Study)
	if err != nil {
		t.Fatal(err)
	}
	r.Exercise, r.Trend = &done, []trend.Trend{twenty()}
	page, pdf := filepath.Join(t.TempDir(), "report.html"), filepath.Join(t.TempDir(), "report.pdf")
	if err := os.WriteFile(page, []byte(written(t, &r)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+t.TempDir(), "--print-to-pdf="+pdf, "file://"+page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(pdf)
	if err != nil {
		t.Fatal(err)
	}
	sheets := regexp.MustCompile(`/MediaBox \[0 0 (59[45]\.?\d*) (84[12]\.?\d*)\]`).FindAll(data, -1)
	pages := regexp.MustCompile(`/Type /Page\b[^s]`).FindAll(data, -1)
	if len(pages) != 2 || len(sheets) != len(pages) {
		t.Errorf("%d pages, %d of them A4, want 2", len(pages), len(sheets))
	}
}

// TestInSpace: what several cameras see is told as measured in space, whatever the first picture shows.
func TestInSpace(t *testing.T) {
	r := of(t, testkit.Rendered(t, "squat_0_shift").InSpace(), say.English)
	text := written(t, &r)
	contains(t, text, "3 squats", "nee flexion", "2 cameras saw the movement, 90° apart", "metres by the height of the body")
	for _, picture := range []string{"The camera stood", "plane of the picture", "not visible from the front", "pixel", "not in space"} {
		if strings.Contains(text, picture) {
			t.Errorf("the report says %q", picture)
		}
	}
	r.Language = say.Japanese
	contains(t, written(t, &r), "2台のカメラ")
}
