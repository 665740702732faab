package film_test

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// knees are the rules of both knees.
var knees = []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide}, {Type: analyze.KneeFlexion, Side: analyze.RightSide}}

// covered is a rendered movie in which a network copies the near leg to the far one that it does not see.
func covered(t *testing.T, name string, parts ...keypoint.Part) keypoint.Sequence {
	t.Helper()
	seq := testkit.Rendered(t, name).Seq.Clone()
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range parts {
			at, _ := f.At(p.Mirror())
			f.Set(p, at.Add(keypoint.Point{8, 3}), 0.7)
			f.SetVisibility(p, 0.05)
			f.SetVisibility(p.Mirror(), 0.98)
		}
	}
	return seq
}

// prepared returns the style and the inputs of a film.
func prepared(t *testing.T, s film.Subject) (*draw.Style, func(int) draw.Inputs) {
	t.Helper()
	style, inputs, err := s.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	return style, inputs
}

// TestHiddenLeg: a leg that the near one covers has no number and is not drawn, in any frame and by any rule of a drawing with a body:
// the picture is the one that is drawn without its parts. The other leg has its ± in all.
func TestHiddenLeg(t *testing.T) {
	leg := []keypoint.Part{keypoint.RightKnee, keypoint.RightAnkle}
	seq := covered(t, "squat_90_slow", leg...)
	rules := append(draw.Sides(), draw.Angle(keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)...),
		draw.Keypoint(keypoint.PartSelectors(leg...)...), draw.Label("knee", keypoint.PartSelectors(leg[0])...))
	style, inputs := prepared(t, film.Subject{Keypoints: seq, Rules: rules, Values: knees})
	bare := seq.Clone()
	for i := range bare.Frames {
		bare.Frames[i].Unset(leg[0])
		bare.Frames[i].Unset(leg[1])
	}
	alone, without := prepared(t, film.Subject{Keypoints: bare, Rules: rules, Values: knees})
	picture := func(style *draw.Style, f *keypoint.Frame, in draw.Inputs) []uint8 {
		m := image.NewRGBA(image.Rectangle{Max: seq.Size})
		if err := draw.NewRenderer(style).Render(m, f, in); err != nil {
			t.Fatal(err)
		}
		return m.Pix
	}
	told := 0
	for i := range seq.Frames {
		in := inputs(i)
		if text, ok := in.Value(0); ok {
			if told++; !strings.Contains(text, "° ± ") {
				t.Fatalf("frame %d: the near knee is %s", i, text)
			}
		}
		for n := range 2 {
			if text, _ := in.Value(n); strings.HasPrefix(text, "~") || n == 1 && text != "" {
				t.Errorf("frame %d: a knee is %s", i, text)
			}
		}
		if i%20 == 0 && !slices.Equal(picture(style, &seq.Frames[i], in), picture(alone, &bare.Frames[i], without(i))) {
			t.Errorf("frame %d: something of the hidden leg is drawn", i)
		}
	}
	if told < 200 {
		t.Errorf("the near knee has a number in %d frames of %d", told, seq.Len())
	}
}

// TestTold: a movie writes what a study tells. Elbows that the study withholds have no number at all, though their values have an
// uncertainty; squats from the front have estimates, which are marked.
func TestTold(t *testing.T) {
	elbow := []analyze.Rule{{Type: analyze.ElbowFlexion, Side: analyze.LeftSide}}
	curl := testkit.Rendered(t, "curl_60").Seq
	results, err := analyze.Run(curl, elbow)
	if err != nil || quality.TrustOf(results[0].Uncertainty[0].X) == quality.TrustWithheld {
		t.Fatalf("the elbow at rest is not sure: %v", err)
	}
	if style, inputs := prepared(t, film.Subject{Keypoints: curl, Rules: draw.Sides(), Values: elbow}); style.Needs().Value || inputs(0).Value != nil {
		t.Error("an elbow that the study withholds has a number")
	}
	squat := testkit.Rendered(t, "squat_60").Seq
	judged, err := quality.Assess(quality.Input{Sequence: squat})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := study.Run(squat, judged)
	if err != nil {
		t.Fatal(err)
	}
	_, inputs := prepared(t, film.Subject{Keypoints: squat, Rules: draw.Sides(), Values: knees, Quality: judged})
	for n, rule := range knees {
		m := shown.Measures[slices.IndexFunc(shown.Measures, func(m study.Measure) bool { return m.Type == rule.Type && m.Side == rule.Side })]
		for i, v := range m.Values {
			want := ""
			if v.Present {
				want = say.Measured(string(m.Type), v.X, m.Uncertainty[i].X, m.Unit).String()
			}
			if text, _ := inputs(i).Value(n); text != want {
				t.Fatalf("frame %d: the movie writes %q, the study says %q", i, text, want)
			}
		}
	}
	front := testkit.Rendered(t, "squat_0_shift").Guessed()
	_, inputs = prepared(t, film.Subject{Keypoints: front, Rules: draw.Sides(), Values: knees})
	if text, ok := inputs(60).Value(0); !ok || !strings.HasPrefix(text, "~ ") || !strings.Contains(text, "° ± ") {
		t.Errorf("an estimate is %q", text)
	}
}

// TestExplained: the drawing of a comparison says both names and the answer, and writes the angle of the answer on both, of the
// other side if they are mirrored.
func TestExplained(t *testing.T) {
	seq := testkit.Rendered(t, "squat_90_slow").Seq
	opt := compare.Options{Angles: true, Warnings: true}
	shallow := seq.Clone()
	for i := range shallow.Frames { // bends half as much
		f, first := &shallow.Frames[i], &seq.Frames[0]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			rest, ok := first.At(p)
			if ok {
				f.Set(p, at.Add(rest).Mul(0.5), 1)
			}
		}
	}
	r, err := compare.Diff(seq, shallow, opt)
	if err != nil || r.Answer == nil {
		t.Fatalf("%v, %v", r.Answer, err)
	}
	rules, _ := draw.Preset("sides", true)
	for _, beside := range []bool{false, true} {
		s, target := film.Subject{Keypoints: seq, Rules: rules, Differences: r.Frames}, film.Subject{Keypoints: shallow}
		s.Explain(&target, &r, [2]string{"week 1", "腕"}, beside, true)
		want := []string{"A: week 1", "B (outline)", r.Answer.Title.String()}
		if beside {
			want = slices.Delete(want, 1, 2)
		}
		if !slices.Equal(s.Captions, want) || !slices.Equal(target.Captions, []string{"B"}) {
			t.Errorf("captions %q and %q, want %q", s.Captions, target.Captions, want)
		}
		if len(s.Values) == 0 || (compare.Angle{Type: s.Values[0].Type, Side: s.Values[0].Side}).Name() != r.Answer.Angle ||
			target.Values[0].Type != s.Values[0].Type || s.Values[0].Side != "" && target.Values[0].Side == s.Values[0].Side {
			t.Errorf("angles %v and %v, the answer is of %s", s.Values, target.Values, r.Answer.Angle)
		}
		if panel, err := film.NewPanel(s, target, make([]int, seq.Len())); err != nil || panel == nil {
			t.Error(err)
		}
	}
	plain := film.Subject{Keypoints: seq, Rules: draw.Defaults(true)}
	if plain.Explain(&film.Subject{}, &r, [2]string{"a", "b"}, false, false); plain.Captions != nil || plain.Values != nil {
		t.Error("the default drawing is explained")
	}
}
