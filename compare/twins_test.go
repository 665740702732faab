package compare_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// codes returns those of the warnings.
func codes(r compare.Result) (list []compare.Code) {
	for _, w := range r.Warnings {
		list = append(list, w.Code)
	}
	return list
}

// flipped shows a recording as a mirror does.
func flipped(s keypoint.Sequence) keypoint.Sequence {
	s = s.Clone()
	for i, f := range s.Frames {
		s.Frames[i] = keypoint.Frame{}
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			s.Frames[i].Set(p.Mirror(), keypoint.Point{float64(s.Size.X) - at[0], at[1]}, f.Confidence(p))
		}
	}
	return s
}

// TestOpposite: squats from opposite sides are not scored, and mirrored they are the same.
func TestOpposite(t *testing.T) {
	here := testkit.Rendered(t, "squat_60").Seq
	there := flipped(here)
	if !compare.Opposite(here, there) || compare.Opposite(here, here) {
		t.Error("who faces which side is not known")
	}
	for name, c := range map[string]struct {
		opt   compare.Options
		codes []compare.Code
		score bool
	}{
		"as filmed": {compare.Options{Angles: true}, []compare.Code{"mirrored"}, false},
		"always":    {compare.Options{Warnings: true, AlwaysScore: true}, []compare.Code{"mirrored"}, true},
		"mirrored":  {compare.Options{Angles: true, Mirror: true}, nil, true},
		"plain":     {compare.Options{}, nil, true},
	} {
		r := diff(t, here, there, c.opt)
		if !slices.Equal(codes(r), c.codes) || (r.Score != nil) != c.score {
			t.Errorf("%s: %v, score %v", name, r.Warnings, r.Score)
		}
		if name == "mirrored" && (r.Score.Overall < 0.95 || math.Abs(r.Largest[0].Difference) > 3 || len(r.Repetitions) != 3) {
			t.Errorf("score %.2f, %+v, %d repetitions", r.Score.Overall, r.Largest[0], len(r.Repetitions))
		}
	}
}

// TestOutOfStep: who squats while the other one stands does not bend the hip more; frames without a counterpart have no
// shift, in JSON too.
func TestOutOfStep(t *testing.T) {
	whole := testkit.Rendered(t, "squat_90_slow").Seq
	late := whole.Clone()
	for i := range late.Times {
		late.Times[i] *= 1.5
	}
	r := diff(t, whole, late, compare.Options{Angles: true})
	if most := r.Largest[0]; math.Abs(most.Difference) > 3 || len(r.Repetitions) != 2 || len(r.Warnings) > 0 {
		t.Errorf("%+v, %v", most, r.Warnings)
	}
	for k, twin := range r.Repetitions {
		for _, d := range twin.At {
			if d.Repetition != k+1 || late.Times[d.TargetFrame]-1.5*whole.Times[d.Frame] > 0.1 {
				t.Errorf("%+v is no turn of repetition %d", d, k+1)
			}
		}
	}
	first, last := r.Shift[0], r.Shift[r.Repetitions[0].Source.Last]
	if first.Present || !last.Present || math.Abs(last.X-0.5*whole.Times[r.Repetitions[0].Source.Last]) > 0.1 {
		t.Errorf("shift %v before the first repetition, %v at its end", first, last)
	}
	b, err := json.Marshal(r)
	var back compare.Result
	if err != nil || json.Unmarshal(b, &back) != nil || !strings.Contains(string(b), `"shift":[null,`) || back.Shift[0] != first {
		t.Errorf("%.300s (%v)", b, err)
	}
	if d := cmp.Diff(r.Largest[0].Sentence, back.Largest[0].Sentence); d != "" {
		t.Error(d)
	}
}

// TestSingleFrame: a frame in which a point is wrong differs from nothing.
func TestSingleFrame(t *testing.T) {
	whole := testkit.Rendered(t, "lateral_raise_0_mirrored").Seq
	wrong := whole.Clone()
	at, _ := wrong.Frames[60].At(keypoint.LeftHip)
	wrong.Frames[60].Set(keypoint.LeftHip, at.Add(keypoint.Point{0, -150}), 1)
	for _, d := range diff(t, whole, wrong, compare.Options{Angles: true}).Largest {
		if math.Abs(d.Difference) > 3 {
			t.Errorf("%+v", d)
		}
	}
}

// TestUnrelated: of movements that are not the same, and from other sides, nothing is scored, and of the former nothing
// is said; of squats from other sides the warning alone, and from 30° on no number in the title.
func TestUnrelated(t *testing.T) {
	for name, c := range map[string]struct {
		source, target string
		want           compare.Code
		silent         bool
	}{
		"unrelated": {"squat_90_slow", "push_up_90", "notTheSameMovement", true},
		"still":     {"squat_60", "stand_180", "notTheSameMovement", true},
		"cameras":   {"squat_60", "squat_0_shift", "view", false},
	} {
		r := diff(t, testkit.Rendered(t, c.source).Seq, testkit.Rendered(t, c.target).Seq, compare.Options{Angles: true, Alignment: compare.DTW})
		if !slices.Contains(codes(r), c.want) || r.Score != nil || (len(r.Largest) == 0) != c.silent {
			t.Errorf("%s: %v, score %v, %d differences", name, r.Warnings, r.Score, len(r.Largest))
		}
		if a := r.Answer; c.want == "view" && (a.Title[say.English] != "The cameras stand too far apart to tell" || !strings.HasPrefix(a.Text[say.English], "The cameras stand ")) {
			t.Errorf("%s: %v", name, a)
		}
	}
	squats, far := []string{"squat_0_shift", "squat_30_phone", "squat_60", "squat_90_slow", "sample"}, 0
	for _, source := range squats {
		for _, target := range squats {
			r := diff(t, testkit.Rendered(t, source).Seq, testkit.Rendered(t, target).Seq, compare.Options{Angles: true})
			if r.Answer == nil || len(r.Warnings) == 0 {
				continue
			}
			text := r.Answer.Text.String()
			if r.Score != nil || !slices.ContainsFunc(r.Warnings, func(w compare.Warning) bool { return w.Detail == text }) {
				t.Errorf("%s and %s: %q beside the score %v and %v", source, target, text, r.Score, r.Warnings)
			}
			apart := 0.0
			for _, w := range r.Warnings {
				if _, after, ok := strings.Cut(w.Detail, "The cameras stand "); ok {
					fmt.Sscan(strings.Split(after, "°")[0], &apart)
				}
			}
			if title := r.Answer.Title.String(); apart >= 30 && strings.Contains(title, "°") {
				t.Errorf("%s and %s, %.0f° apart: %q", source, target, apart, title)
			} else if apart >= 30 {
				far++
			}
		}
	}
	if far < 4 {
		t.Errorf("only %d pairs of cameras stand 30° apart", far)
	}
	var hips keypoint.Frame
	hips.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
	hips.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
	if r := diff(t, seq(hips), seq(hips), compare.Options{Angles: true}); !slices.Contains(codes(r), "tooFewShared") || r.Answer != nil {
		t.Errorf("without an angle: %v, %v", r.Warnings, r.Answer)
	}
}

// TestSentence: differences are said as a coach would, in both languages.
func TestSentence(t *testing.T) {
	knee := &analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide}
	r := diff(t, set(2, 100, 100), set(2, 100, 60), compare.Options{Angles: true, Repetitions: knee})
	got := map[string]bool{}
	for _, d := range r.Repetitions[1].At {
		got[d.Sentence[say.English]], got[d.Sentence[say.Japanese]] = true, true
	}
	for _, want := range []string{"Repetition 2: the right knee bends 40° less (100 → 60)", "2回目：右膝の屈曲が40°小さい（100 → 60）"} {
		if !got[want] {
			t.Errorf("no %q in %v", want, got)
		}
	}
	if most := r.Largest[0]; most.Repetition != 2 || math.Abs(most.Difference+40) > 1 || most.Uncertainty <= 0 {
		t.Errorf("%+v", most)
	}
	a := r.Answer
	if a.Repetition != 2 || a.Title[say.English] != "Repetition 2: the right knee bends 40° less" && a.Title[say.English] != "Repetition 2: the left knee bends 40° less" ||
		!strings.HasPrefix(a.Text[say.English], "60° instead of 100°, ± ") || !strings.HasSuffix(a.Text[say.English], " Beyond the uncertainty at 1 of 2 turns.") ||
		!strings.HasPrefix(a.Text[say.Japanese], "100°に対して60°（± ") || !strings.HasSuffix(a.Text[say.Japanese], "折り返し2回中1回で誤差を超えています。") {
		t.Errorf("%+v", a)
	}
	mirrored := diff(t, set(2, 100, 100), set(2, 100, 60), compare.Options{Angles: true, Mirror: true, Repetitions: knee}).Answer.Title
	if !strings.Contains(mirrored[say.English], "left/right ") && !strings.Contains(mirrored[say.English], "right/left ") {
		t.Error(mirrored)
	}
	if a := diff(t, set(2, 100, 100), set(2, 100, 100), compare.Options{Angles: true}).Answer; a.Title[say.English] != "No difference beyond the uncertainty" {
		t.Errorf("%+v", a)
	}
	same := diff(t, set(2, 100, 100), set(2, 100, 100), compare.Options{Angles: true}).Largest[0].Sentence[say.English]
	if !strings.Contains(same, "as much (") || !strings.Contains(same, ", within the uncertainty of ± ") {
		t.Error(same)
	}
}
