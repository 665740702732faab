package main

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// eachTruth calls fn with the truth of each rendered movie.
func eachTruth(t *testing.T, fn func(t *testing.T, truth *evalpose.Truth)) {
	t.Helper()
	for _, name := range testkit.RenderedNames(t) {
		t.Run(name, func(t *testing.T) {
			truth, err := evalpose.ReadTruth(bytes.NewReader(testkit.Truth(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			fn(t, truth)
		})
	}
}

// TestTruthStays: where the sides are right, none is changed, at any frame rate and with the noise of a network.
// At 15 to 20 frames per second, a jump is at the limit of what can be told.
func TestTruthStays(t *testing.T) {
	eachTruth(t, func(t *testing.T, truth *evalpose.Truth) {
		for every := 1; every <= 12; every++ {
			random := rand.New(rand.NewPCG(uint64(every), 1))
			s := keypoint.Sequence{Size: truth.Parts.Size}
			torso, _ := truth.Parts.Frames[0].TorsoLength()
			for i := 0; i < truth.Parts.Len(); i += every {
				f := truth.Parts.Frames[i]
				for _, p := range f.Present().List() {
					at, _ := f.At(p)
					f.Set(p, at.Add(keypoint.Point{random.NormFloat64(), random.NormFloat64()}.Mul(0.01*torso)), 0.8)
				}
				s.Frames, s.Times = append(s.Frames, f), append(s.Times, truth.Parts.Times[i])
			}
			_, report, err := clean.Run(s, clean.Options{Swaps: true})
			if err != nil {
				t.Fatal(err)
			}
			most := 0
			if step := s.Times[1] - s.Times[0]; step > 0.05 && step < 0.07 {
				most = 2
			}
			if n := report.Count(clean.Swapped); n > most {
				t.Errorf("every %d. frame: %d points exchanged", every, n)
			}
		}
	})
}

// sums add up what cleaning does to all movies.
type sums struct {
	exchanged          evalpose.Share
	jitter             float64
	peakAngles, speeds evalpose.Values
}

func (s *sums) add(truth *evalpose.Truth, found keypoint.Sequence, pairs []evalpose.Pair) {
	exchanged, _ := evalpose.Exchanged(truth.Parts, found, pairs)
	s.exchanged = s.exchanged.Plus(exchanged)
	jitter, _ := evalpose.Jitter(found)
	s.jitter += jitter
	s.peakAngles = append(s.peakAngles, evalpose.PeakAngleErrors(truth, found, pairs)...)
	s.speeds = append(s.speeds, evalpose.PeakSpeedErrors(truth, found, pairs)...)
}

// found returns what the default estimator finds in a rendered movie. It is estimated once for all tests.
func found(t *testing.T, movie string) keypoint.Sequence {
	t.Helper()
	if testing.Short() {
		t.Skip("a measurement, not run with -short")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	name := filepath.Base(movie)
	if seq, ok := raw[name]; ok {
		return seq
	}
	est, err := pose.Balanced(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	seq, err := evaldata.Estimated(t.Context(), est)(movie)
	if err != nil {
		t.Fatal(err)
	}
	raw[name] = seq
	return seq
}

// raw are the sequences that found has estimated, by the names of their movies.
var raw = map[string]keypoint.Sequence{}

// TestCleaning cleans what the default estimator finds in the rendered movies step by step. No step may raise
// the error against the truth, and sides may hardly be exchanged.
func TestCleaning(t *testing.T) {
	var before, after sums
	eachTruth(t, func(t *testing.T, truth *evalpose.Truth) {
		raw := found(t, testkit.Data(t, "rendered/"+truth.Name+".mp4"))
		pairs, err := evalpose.Match(truth.Parts, raw, 0)
		if err != nil || len(pairs) < truth.Parts.Len() {
			t.Fatalf("%d frames match (%v)", len(pairs), err)
		}
		checkSteps(t, truth.Parts, raw, pairs)
		cleaned, _, err := clean.Run(raw, clean.Default())
		if err != nil {
			t.Fatal(err)
		}
		was, _ := evalpose.Exchanged(truth.Parts, raw, pairs)
		is, frames := evalpose.Exchanged(truth.Parts, cleaned, pairs)
		t.Logf("exchanged: %v pairs raw, %v pairs and %v frames cleaned", was, is, frames)
		if is.Count > was.Count {
			t.Errorf("%d exchanged pairs became %d", was.Count, is.Count)
		}
		if share, _ := is.Value(); share > 0.005 {
			t.Errorf("%.4f of the pairs are exchanged", share)
		}
		before.add(truth, raw, pairs)
		after.add(truth, cleaned, pairs)
	})
	share, _ := after.exchanged.Value()
	angleBefore, _ := before.peakAngles.RMS()
	angleAfter, _ := after.peakAngles.RMS()
	speedBefore, _ := before.speeds.RMS()
	speedAfter, _ := after.speeds.RMS()
	t.Logf("exchanged pairs %v → %v, jitter ÷ %.1f, peak angles %.2f° → %.2f°, peak speeds %.3f → %.3f torso lengths/s",
		before.exchanged, after.exchanged, before.jitter/after.jitter, angleBefore, angleAfter, speedBefore, speedAfter)
	if share > 0.001 || before.jitter < 3*after.jitter || angleAfter > 1.08*angleBefore || speedAfter > 0.75*speedBefore {
		t.Error("want at most 0.001 exchanged, jitter a third, the RMSE of peak angles at most 8 % larger, and that of peak speeds a quarter smaller")
	}
}

// checkSteps adds the default steps of cleaning one by one, and checks the error after each. It leaves out
// Coincident, which removes what is in one place, wrong or right.
func checkSteps(t *testing.T, truth, raw keypoint.Sequence, pairs []evalpose.Pair) {
	t.Helper()
	all := clean.Default()
	last := raw
	for _, step := range []struct {
		name string
		opt  clean.Options
	}{
		{"swaps", clean.Options{Swaps: all.Swaps}},
		{"outliers", clean.Options{Swaps: all.Swaps, Outliers: all.Outliers}},
		{"gaps", clean.Options{Swaps: all.Swaps, Outliers: all.Outliers, Gaps: all.Gaps}},
		{"smoothing", clean.Options{Swaps: all.Swaps, Outliers: all.Outliers, Gaps: all.Gaps, Smooth: all.Smooth}},
	} {
		next, _, err := clean.Run(raw, step.opt)
		if err != nil {
			t.Fatal(err)
		}
		// Of a point that is removed the error before counts, of one that is filled the agreement.
		was, _ := errorOf(truth, last, pairs, last).RMS()
		is, _ := errorOf(truth, next, pairs, last).RMS()
		agreed, _ := evalpose.Agreement(truth, last, pairs, 0.2).Value()
		agrees, _ := evalpose.Agreement(truth, next, pairs, 0.2).Value()
		t.Logf("%-9s RMSE %.4f → %.4f torso lengths, agreement %.4f → %.4f", step.name, was, is, agreed, agrees)
		if is > was*1.001 || step.name == "gaps" && agrees < agreed {
			t.Errorf("%s raise the error", step.name)
		}
		last = next
	}
}

// errorOf returns the distances from the truth of the parts that both sequences have, in torso lengths.
func errorOf(truth, found keypoint.Sequence, pairs []evalpose.Pair, other keypoint.Sequence) (errors evalpose.Values) {
	for _, m := range pairs {
		want, got := &truth.Frames[m.Reference], &found.Frames[m.Result]
		torso, ok := evalpose.Torso(want)
		for _, p := range (want.Present() & got.Present() & other.Frames[m.Result].Present() & keypoint.Body).List() {
			a, _ := want.At(p)
			b, _ := got.At(p)
			if ok {
				errors = append(errors, b.Sub(a).Len()/torso)
			}
		}
	}
	return errors
}
