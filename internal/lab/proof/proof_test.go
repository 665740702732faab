package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// sideViews are the movies of somebody seen from the side.
var sideViews = []string{
	"squat_90_slow", "hinge_90", "lunge_90", "jump_90_120fps", "push_up_90", "sit_to_stand_90", "run_treadmill_90", "walk_treadmill_90",
	"walk_across_90",
}

func truthOf(t *testing.T, name string) *truth.Truth {
	t.Helper()
	known, err := truth.Read(testkit.Truth(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// flat returns the angle between two directions in the picture of a frame, 0 to 180 degrees, each from the
// mean of some parts to that of others.
func flat(f *keypoint.Frame, a, b, c, d keypoint.Parts) float64 {
	at := func(parts keypoint.Parts) keypoint.Point {
		if f.Present()&parts != parts {
			return keypoint.Point{math.NaN()}
		}
		pt, _ := f.Centroid(parts)
		return pt
	}
	u, v := at(b).Sub(at(a)), at(d).Sub(at(c))
	return math.Acos(min(max(u.Dot(v)/(u.Len()*v.Len()), -1), 1)) * 180 / math.Pi
}

// TestTrueAngles: on the true keypoints of side views every named angle is within 1 degree of the truth
// in the picture, which is computed otherwise here or by the renderer, and has the sign of that in space.
func TestTrueAngles(t *testing.T) {
	one, two := keypoint.PartsOf, func(p keypoint.Part) keypoint.Parts { return keypoint.PartsOf(p, p.Mirror()) }
	for _, name := range sideViews {
		truth := truthOf(t, name)
		for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
			part := func(p keypoint.Part) keypoint.Parts {
				if side == analyze.RightSide {
					p = p.Mirror()
				}
				return one(p)
			}
			check := func(kind analyze.Type, space string, want func(i int) float64) {
				rule := analyze.Rule{Type: kind}
				if kind.Sided() {
					rule.Side = side
				}
				results, err := analyze.Run(truth.Parts, []analyze.Rule{rule})
				if err != nil {
					t.Fatal(err)
				}
				checked, wrong, sign := 0, 0.0, 0
				for i, v := range results[0].Values {
					w := want(i)
					if truth.Inside[i] < 1 || math.IsNaN(w) {
						continue
					}
					checked++
					if wrong = max(wrong, math.Abs(math.Abs(v.X)-w)); !v.Present {
						wrong = 180
					}
					if in := truth.Angles3D[space]; in != nil && math.Abs(in[i]) > 10 && w > 10 && in[i]*v.X < 0 {
						sign++
					}
				}
				if checked < len(results[0].Values)/3 || wrong > 1 || sign > 0 {
					t.Errorf("%s: %s %s is wrong by up to %.2f degrees in %d frames, and in %d by its sign", name, kind, rule.Side, wrong, checked, sign)
				}
			}
			of := func(joint string) func(i int) float64 {
				return func(i int) float64 { return 180 - truth.Angles2D[string(side)+"_"+joint][i] }
			}
			check(analyze.KneeFlexion, string(side)+"_knee", of("knee"))
			check(analyze.ElbowFlexion, "", of("elbow"))
			check(analyze.TrunkLean, "trunk_forward", func(i int) float64 { return math.Abs(truth.Angles2D["trunk"][i]) })
			check(analyze.HipFlexion, string(side)+"_hip", func(i int) float64 {
				return flat(&truth.Parts.Frames[i], two(keypoint.LeftShoulder), two(keypoint.LeftHip), part(keypoint.LeftHip), part(keypoint.LeftKnee))
			})
			check(analyze.ShoulderFlexion, string(side)+"_shoulder", func(i int) float64 {
				return flat(&truth.Parts.Frames[i], two(keypoint.LeftShoulder), two(keypoint.LeftHip), part(keypoint.LeftShoulder), part(keypoint.LeftElbow))
			})
			check(analyze.AnkleDorsiflexion, string(side)+"_ankle", func(i int) float64 {
				return math.Abs(90 - flat(&truth.Parts.Frames[i], part(keypoint.LeftAnkle), part(keypoint.LeftKnee), part(keypoint.LeftHeel), part(keypoint.LeftBigToe)))
			})
		}
	}
}

// TestTrueMetres: on the true keypoints of side views, the scale from the height is within 1 % in the
// plane of movement, and the floor of a person who walks across within 0.2 degrees.
func TestTrueMetres(t *testing.T) {
	for _, name := range sideViews {
		truth := truthOf(t, name)
		r := recording{truth: truth, Sequence: truth.Parts}
		for i := range truth.Parts.Frames {
			r.pairs = append(r.pairs, score.Pair{Reference: i, Result: i})
		}
		samples, err := metres(r)
		if err != nil || len(samples) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		if bias := summed(samples[0].errors).Bias(); !(math.Abs(bias) <= 1) {
			t.Errorf("%s: the scale is wrong by %.2f %%", name, bias)
		}
		level, err := floor(r)
		if err != nil {
			t.Fatal(err)
		}
		if walks := name == "walk_across_90"; len(level) == 1 != walks || walks && math.Abs(level[0].errors[0]) > 0.2 {
			t.Errorf("%s: floor %v", name, level)
		}
	}
}

// TestTrueMoves: on the true keypoints of the rendered movies, all repetitions, steps and jumps are found, steps
// within one frame, the cadence within 0.5 %, metres within 1 %, and heights within 1.5 cm.
func TestTrueMoves(t *testing.T) {
	limits := map[string]float64{
		"repetitions": 0, "turn": 50, "cadence": 0.5, "stride length": 1, "step length": 1, "speed": 1, "height from the flight time": 1.01, "height from the hips": 1.5,
	}
	counts := map[string]int{}
	for _, name := range testkit.RenderedNames(t) {
		known := truthOf(t, name)
		r := recording{truth: known, Sequence: known.Parts}
		fps, _ := known.Parts.FrameRate()
		limits[truth.HeelStrike], limits[truth.ToeOff], limits[truth.TakeOff], limits[truth.Landing] = 1000/fps, 1000/fps, 1000/fps, 1000/fps
		for _, m := range []func(recording) ([]sample, error){repetitions, tempo, events, pace, flights, jumps} {
			samples, err := m(r)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, s := range samples {
				counts[s.what] += len(s.errors)
				if s.wrong > 0 || s.of > len(s.errors) {
					t.Errorf("%s: %s: %d of %d, %d wrong", name, s.what, len(s.errors), s.of, s.wrong)
				}
				for _, e := range s.errors {
					if limit, ok := limits[s.what]; ok && !(math.Abs(e) <= limit) {
						t.Errorf("%s: %s is off by %v", name, s.what, e)
					}
				}
			}
		}
	}
	for what := range limits {
		if counts[what] == 0 {
			t.Errorf("no %s was measured", what)
		}
	}
}

// TestQuantities: errors of two recordings, with the limits of a new one, and without the bias of each.
func TestQuantities(t *testing.T) {
	var all quantities
	all.add(0, sample{what: "a", errors: []float64{1, 3}})
	all.add(1, sample{what: "a", errors: []float64{-3, -1}})
	all.add(2, sample{what: "a", of: 7})
	q := all[0]
	// Within recordings the variance is 2, between them 16: two values each make it 2 + (16 − 2)/2 = 9.
	a := agree.Of(q.recordings)
	if len(all) != 1 || a.Pairs != 4 || a.Bias != 0 || limits(a) != "-5.9 to 5.9" || a.RMSE != math.Sqrt(5) || q.unbiased.RMSE() != 1 || q.of != 7 ||
		q.halves[0].Bias() != 2 || q.halves[1].Bias() != -2 || !slices.Equal(q.biases, []float64{2, -2}) {
		t.Errorf("%+v, %+v", a, q)
	}
	for v, want := range map[float64]string{0: "0.000", -0.04: "-0.040", 3.14: "3.1", -12.3: "-12"} {
		if got := digits(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

// TestReadOuts: a peak and a range are those of what is told, against the truth of all frames; each has the mark of
// its own uncertainty.
func TestReadOuts(t *testing.T) {
	s := series{kind: analyze.KneeFlexion, offset: 5, measure: study.Measure{Trust: quality.TrustGood, Peak: &study.Peak{Uncertainty: 4}, Range: analyze.Value{X: 80, Present: true}, RangeUncertainty: analyze.Value{X: 5, Present: true}}, readings: []reading{
		{value: 15, sigma: 3, want: 10, known: true, trust: quality.TrustGood}, {want: 150, trust: quality.TrustWithheld},
		{value: 95, sigma: 4, want: 90, known: true, trust: quality.TrustGood}, {value: 125, sigma: 30, want: 90, known: true, trust: quality.TrustWithheld},
	}}
	list, ok := s.readOuts()
	want := [2]reading{
		{value: 90, sigma: 4, want: 150, known: true, trust: quality.TrustGood}, {value: 80, sigma: 5, want: 140, known: true, trust: quality.TrustGood},
	}
	if !ok || list != want {
		t.Errorf("%+v, want %+v", list, want)
	}
	l := ledger{shares: map[string]*[2]score.Share{}}
	l.values(s)
	for name, want := range map[string]score.Share{
		"values without a mark": {Count: 2, Of: 3}, "values with a mark that were right": {Of: 1}, "all angles within σ": {Count: 2, Of: 2},
	} {
		if got := l.shares[name][0]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A tilt may have its peak at its least value, and a range needs care that its ends do not.
	s.measure.Min, s.measure.Peak, s.measure.RangeUncertainty.X = analyze.Value{X: 15, Present: true}, &study.Peak{Moment: analyze.Moment{Value: 15}, Uncertainty: 3}, 12
	if list, _ := s.readOuts(); list[0].value != 10 || list[0].want != 10 || list[0].sigma != 3 || list[0].marked() || list[1].trust != quality.TrustCare {
		t.Errorf("the least value: %+v", list)
	}
	s.measure = study.Measure{Trust: quality.TrustWithheld}
	if list, _ := s.readOuts(); list[0].value != 120 || !list[0].marked() || !list[1].marked() {
		t.Errorf("withheld: %+v", list)
	}
}

// TestProgram prints the tables of a movie, of its truth and of stored keypoints, and names what is missing.
func TestProgram(t *testing.T) {
	folder, stored := t.TempDir(), t.TempDir()
	// The movie itself is not looked at.
	for name, data := range map[string][]byte{"sample.json": testkit.Truth(t, "sample"), "sample.mp4": nil} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := truthOf(t, "sample").Parts.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stored, "sample.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{folder}, {"-keypoints", stored, folder}} {
		var out bytes.Buffer
		for _, name := range []string{"measures", "trust", "comparisons"} {
			if err := run(t.Context(), append([]string{name}, args...), &out, io.Discard); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{"angles [°]", "kneeFlexion", "metres [%]", "scale from the height", "repetitions [number]", "tempo [ms]", "limits of agreement", "values without a mark", "kneeFlexion within 2 σ", "itself, mirrored"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: no %q in\n%s", args, want, out.String())
			}
		}
	}
	if err := run(t.Context(), []string{"told", "-keypoints", t.TempDir(), folder}, io.Discard, io.Discard); err == nil {
		t.Error("keypoints that are missing: no error")
	}
}
