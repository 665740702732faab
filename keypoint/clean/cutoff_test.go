package clean_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// trembling returns somebody of whom all parts swing by so many pixels that often a second, with noise of 2 pixels.
func trembling(fps, hertz, pixels float64) (s keypoint.Sequence) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range int(4 * fps) {
		at := float64(i) / fps
		var f keypoint.Frame
		for p := range keypoint.Part(keypoint.NumBody) {
			swing := pixels * math.Sin(2*math.Pi*hertz*at+float64(p))
			f.Set(p, keypoint.Point{300 + swing + 2*random.NormFloat64(), 10*float64(p) + 2*random.NormFloat64()}, 0.9)
		}
		s.Times, s.Frames = append(s.Times, at), append(s.Frames, f)
	}
	return s
}

// TestCutoff: the cut-off follows the movement as far as the frame rate shows it, unless one is asked for.
func TestCutoff(t *testing.T) {
	for _, x := range []struct {
		name               string
		fps, hertz, pixels float64
		smooth             clean.Smooth
		least, most        float64
	}{
		{"still", 60, 0, 0, clean.Smooth{}, 6, 6},
		{"slow", 60, 1, 100, clean.Smooth{}, 6, 6},
		{"slow, 30 frames a second", 30, 1, 100, clean.Smooth{}, 6, 6},
		{"fast", 60, 6, 40, clean.Smooth{}, 7, 10},
		{"faster", 60, 8, 40, clean.Smooth{Method: "butterworth"}, 9, 12},
		{"too fast", 120, 11, 100, clean.Smooth{}, 12, 12},
		{"not above 0.4 of the frame rate", 25, 9, 100, clean.Smooth{}, 6, 10},
		{"asked for", 60, 8, 40, clean.Smooth{Cutoff: 5}, 5, 5},
		{"barely fast enough", 13, 1, 100, clean.Smooth{}, 6, 6},
		{"too slow to smooth", 12, 1, 100, clean.Smooth{}, 0, 0},
		{"another method", 60, 8, 40, clean.Smooth{Method: "median"}, 0, 0},
	} {
		seq := trembling(x.fps, x.hertz, x.pixels)
		out, report := run(t, seq, clean.Options{Smooth: &x.smooth})
		if c := report.Cutoff; c < x.least || c > x.most || report.Counts().Cutoff != c {
			t.Errorf("%s: %v Hz, want %v to %v", x.name, c, x.least, x.most)
		}
		if report.Cutoff == 0 {
			continue
		}
		x.smooth.Cutoff = report.Cutoff // said in the record, it does the same again
		if again, _ := run(t, seq, clean.Options{Smooth: &x.smooth}); again.Frames[20] != out.Frames[20] {
			t.Errorf("%s: %v Hz is not what was done", x.name, report.Cutoff)
		}
	}
}

// TestCutoffOfPeople: each person has a cut-off, and the report the highest.
func TestCutoffOfPeople(t *testing.T) {
	seq, fast := trembling(60, 1, 100), trembling(60, 8, 40)
	seq.PersonChanges = []int{seq.Len()}
	for i, f := range fast.Frames {
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, 4+fast.Times[i])
	}
	both, report := run(t, seq, clean.Options{Smooth: &clean.Smooth{}})
	first, _ := run(t, seq.Slice(0, 239), clean.Options{Smooth: &clean.Smooth{Cutoff: 6}})
	if report.Cutoff < 9 || both.Frames[100] != first.Frames[100] {
		t.Errorf("%v Hz; %v, want %v", report.Cutoff, both.Frames[100], first.Frames[100])
	}
}
