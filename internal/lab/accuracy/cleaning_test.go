package accuracy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestTruthStays: where the sides are right, none is changed, at any frame rate and with the noise of a network.
// At 15 to 20 frames per second, a jump is at the limit of what can be told.
func TestTruthStays(t *testing.T) {
	eachTruth(t, func(t *testing.T, truth *truth.Truth) {
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
	exchanged          score.Share
	jitter             float64
	peakAngles, speeds score.Values
}

func (s *sums) add(truth *truth.Truth, found keypoint.Sequence, pairs []score.Pair) {
	exchanged, _ := score.Exchanged(truth.Parts, found, pairs)
	s.exchanged = s.exchanged.Plus(exchanged)
	jitter, _ := score.Jitter(found)
	s.jitter += jitter
	s.peakAngles = append(s.peakAngles, score.PeakAngleErrors(truth, found, pairs)...)
	s.speeds = append(s.speeds, score.PeakSpeedErrors(truth, found, pairs)...)
}

// TestCleaning cleans what the default estimator finds in the rendered movies step by step. No step may raise
// the error against the truth, and sides may hardly be exchanged.
func TestCleaning(t *testing.T) {
	var before, after sums
	eachTruth(t, func(t *testing.T, truth *truth.Truth) {
		raw := found(t, testkit.Data(t, "rendered/"+truth.Name+".mp4"))
		pairs, err := score.Match(truth.Parts, raw, 0)
		if err != nil || len(pairs) < truth.Parts.Len() {
			t.Fatalf("%d frames match (%v)", len(pairs), err)
		}
		checkSteps(t, truth.Parts, raw, pairs)
		cleaned, _, err := clean.Run(raw, clean.Default())
		if err != nil {
			t.Fatal(err)
		}
		was, _ := score.Exchanged(truth.Parts, raw, pairs)
		is, frames := score.Exchanged(truth.Parts, cleaned, pairs)
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
func checkSteps(t *testing.T, truth, raw keypoint.Sequence, pairs []score.Pair) {
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
		agreed, _ := score.Agreement(truth, last, pairs, 0.2).Value()
		agrees, _ := score.Agreement(truth, next, pairs, 0.2).Value()
		t.Logf("%-9s RMSE %.4f → %.4f torso lengths, agreement %.4f → %.4f", step.name, was, is, agreed, agrees)
		if is > was*1.001 || step.name == "gaps" && agrees < agreed {
			t.Errorf("%s raise the error", step.name)
		}
		last = next
	}
}

// errorOf returns the distances from the truth of the parts that both sequences have, in torso lengths.
func errorOf(truth, found keypoint.Sequence, pairs []score.Pair, other keypoint.Sequence) (errors score.Values) {
	for _, m := range pairs {
		want, got := &truth.Frames[m.Reference], &found.Frames[m.Result]
		torso, ok := score.Torso(want)
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
