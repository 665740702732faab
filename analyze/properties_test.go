package analyze_test

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestAngleProperties: angles do not change when everything is turned, scaled and
// moved; swapping points 1 and 3 does what the specification says.
func TestAngleProperties(t *testing.T) {
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"vectorAngle","points":["leftAnkle","leftKnee","leftHip"]},
		{"analysisType":"rotationAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"rotationAngle","points":["leftAnkle","leftKnee","leftHip"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-1000, 1000)
		point := func(name string) keypoint.Point { return keypoint.Point{coord.Draw(t, name), coord.Draw(t, name)} }
		p := [3]keypoint.Point{point("hip"), point("knee"), point("ankle")}
		if p[0].Sub(p[1]).Len() < 1 || p[2].Sub(p[1]).Len() < 1 {
			t.Skip("rays too short")
		}
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
		scale := rapid.Float64Range(0.1, 10).Draw(t, "scale")
		shift := point("shift")
		sin, cos := math.Sincos(angle)
		turned := func(q keypoint.Point) keypoint.Point {
			return keypoint.Point{scale*(cos*q[0]-sin*q[1]) + shift[0], scale*(sin*q[0]+cos*q[1]) + shift[1]}
		}
		run := func(a, b, c keypoint.Point) []float64 {
			results, err := analyze.Run(image(map[keypoint.Part]keypoint.Point{keypoint.LeftHip: a, keypoint.LeftKnee: b, keypoint.LeftAnkle: c}), rules)
			if err != nil {
				t.Fatal(err)
			}
			var v []float64
			for _, r := range results {
				v = append(v, r.Values[0].X)
			}
			return v
		}
		before, after := run(p[0], p[1], p[2]), run(turned(p[0]), turned(p[1]), turned(p[2]))
		for i := range before {
			d := math.Abs(before[i] - after[i])
			if min(d, 360-d) > 1e-6 {
				t.Fatalf("rule %d: %v before, %v after", i, before[i], after[i])
			}
		}
		if before[0] != before[1] || before[0] < 0 || before[0] > 180 {
			t.Fatalf("vector angles %v and %v", before[0], before[1])
		}
		if sum := before[2] + before[3]; math.Abs(sum-360) > 1e-9 && math.Abs(sum) > 1e-9 {
			t.Fatalf("rotation angles %v and %v", before[2], before[3])
		}
	})
}

// TestStatisticsAgainstGonum: of numbers in any order, with and without gaps.
func TestStatisticsAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-500, 500), 2, 80).Draw(t, "x")
		var seq keypoint.Sequence
		for i, x := range xs {
			if rapid.Bool().Draw(t, "gap") {
				seq.Frames, seq.Times = append(seq.Frames, keypoint.Frame{}), append(seq.Times, float64(len(seq.Times)))
			}
			var f keypoint.Frame
			f.Set(keypoint.Nose, keypoint.Point{x, 0}, 1)
			f.Set(keypoint.LeftEye, keypoint.Point{0, float64(i)}, 1)
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(len(seq.Times)))
		}
		sorted := slices.Clone(xs)
		slices.Sort(sorted)
		n := len(sorted)
		low, high := stat.Quantile(0.5, stat.Empirical, sorted, nil), sorted[n/2]
		for s, want := range map[analyze.Statistic]float64{
			analyze.Max: floats.Max(xs), analyze.Min: floats.Min(xs), analyze.Mean: stat.Mean(xs, nil),
			analyze.Median: low/2 + high/2, analyze.StandardDeviation: stat.StdDev(xs, nil), analyze.Range: floats.Max(xs) - floats.Min(xs),
		} {
			if n%2 == 1 && s == analyze.Median {
				want = low
			}
			rule := analyze.Rule{Type: analyze.HorizontalDifference, Points: keypoint.PartSelectors(keypoint.Nose, keypoint.LeftEye), Movie: &analyze.MovieOption{Statistic: s}}
			results, err := analyze.Run(seq, []analyze.Rule{rule})
			if err != nil {
				t.Fatal(err)
			}
			if got := results[0].Movie.Value; !got.Present || math.Abs(got.X-want) > 1e-9 {
				t.Fatalf("%s of %v: %+v, want %v", s, xs, got, want)
			}
		}
	})
}

// TestBadInput: whatever the recording, there is an error or an answer without NaN and
// infinity, and no panic.
func TestBadInput(t *testing.T) {
	types := []analyze.Type{
		analyze.Coordinate, analyze.HorizontalDifference, analyze.VerticalDifference, analyze.EuclideanDistance, analyze.VectorAngle,
		analyze.RotationAngle, analyze.JointFlexion, analyze.SegmentAngle, analyze.Speed, analyze.AngularVelocity,
	}
	statistics := []analyze.Statistic{analyze.Max, analyze.Min, analyze.Mean, analyze.Median, analyze.Range, analyze.StandardDeviation, "percentile5", "percentile95"}
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 1e154, math.NaN(), math.Inf(1)}))
	seen := 0 // values
	rapid.Check(t, func(t *rapid.T) {
		var seq keypoint.Sequence
		timed := rapid.Bool().Draw(t, "timed")
		for range rapid.IntRange(0, 5).Draw(t, "frames") {
			var f keypoint.Frame
			for p := range keypoint.Part(3) {
				if rapid.Bool().Draw(t, "present") {
					f.Set(p, keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")}, 1)
				}
			}
			seq.Frames = append(seq.Frames, f)
			if timed {
				seq.Times = append(seq.Times, number.Draw(t, "time"))
			}
		}
		var rules []analyze.Rule
		for _, typ := range types {
			r := analyze.Rule{Type: typ, Movie: &analyze.MovieOption{Statistic: rapid.SampledFrom(statistics).Draw(t, "statistic")}}
			n := map[analyze.Type]int{
				analyze.Coordinate: 1, analyze.Speed: 1, analyze.VectorAngle: 3, analyze.RotationAngle: 3, analyze.JointFlexion: 3, analyze.AngularVelocity: 3,
			}[typ]
			r.Points = keypoint.PartSelectors([]keypoint.Part{0, 1, 2}[:cmp.Or(n, 2)]...)
			rules = append(rules, r)
		}
		results, err := analyze.Run(seq, rules)
		if err != nil {
			return
		}
		for _, r := range results {
			for _, v := range append(slices.Clone(r.Values), r.Movie.Value) {
				if v.Present {
					seen++
				}
				for _, x := range []float64{v.X, v.Y} {
					if math.IsNaN(x) || math.IsInf(x, 0) || !v.Present && x != 0 {
						t.Fatalf("%s gives %+v of %+v", r.Type, v, seq)
					}
				}
			}
			b, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var back analyze.Result
			if err := json.Unmarshal(b, &back); err != nil || len(back.Values) != len(r.Values) {
				t.Fatalf("%s: %v", b, err)
			}
		}
	})
	if seen == 0 {
		t.Error("no value was seen")
	}
}
