package clean_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// torso is the torso length of the walkers in pixels.
const torso = 100

// walker is a person seen from the side whose legs and arms pass each other twice in each stride.
type walker struct {
	fps     float64
	seconds float64
	stride  float64 // strides per second
	reach   float64 // how far a foot swings out, torso lengths
	speed   float64 // torso lengths per second
	noise   float64 // standard deviation, torso lengths
	seed    uint64
}

func drawWalker(t *rapid.T, slowest float64) walker {
	return walker{
		fps:     rapid.Float64Range(slowest, 120).Draw(t, "fps"),
		seconds: 3,
		stride:  rapid.Float64Range(0.6, 1.1).Draw(t, "stride"),
		reach:   rapid.Float64Range(0.4, 0.7).Draw(t, "reach"),
		speed:   rapid.Float64Range(-3, 3).Draw(t, "speed"),
		noise:   rapid.Float64Range(0, 0.015).Draw(t, "noise"),
		seed:    rapid.Uint64().Draw(t, "seed"),
	}
}

func (w walker) sequence() (s keypoint.Sequence) {
	random := rand.New(rand.NewPCG(w.seed, 1))
	for i := range int(w.seconds * w.fps) {
		at := float64(i) / w.fps
		var f keypoint.Frame
		set := func(p keypoint.Part, x, y float64) {
			x += w.speed*at + w.noise*random.NormFloat64()
			y += w.noise * random.NormFloat64()
			f.Set(p, keypoint.Point{500 + torso*x, 100 + torso*y}, 0.8)
		}
		set(keypoint.Nose, 0.2, -0.4)
		for side, p := range []keypoint.Part{keypoint.LeftEye, keypoint.RightEye} {
			swing := math.Sin(2*math.Pi*w.stride*at + math.Pi*float64(side))
			lift := max(0, math.Cos(2*math.Pi*w.stride*at+math.Pi*float64(side))) // while it swings forward
			near := 0.02 * float64(1-2*side)
			set(p, 0.18+near, -0.45)
			set(p+2, 0.05+near, -0.42)
			set(p+4, near, 0)                          // shoulder
			set(p+6, -0.15*swing*w.reach+near, 0.5)    // elbow
			set(p+8, -0.5*swing*w.reach+near, 0.9)     // wrist
			set(p+10, near/2, 1)                       // hip
			set(p+12, 0.5*swing*w.reach+0.1*lift, 1.8) // knee
			set(p+14, swing*w.reach, 2.6-0.2*lift)     // ankle
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, at)
	}
	return s
}

// exchange exchanges pairs of a frame, given by their left parts.
func exchange(f *keypoint.Frame, lefts ...keypoint.Part) {
	old := *f
	for _, left := range lefts {
		for _, p := range [2]keypoint.Part{left, left.Mirror()} {
			at, _ := old.At(p)
			f.Set(p.Mirror(), at, old.Confidence(p))
		}
	}
}

func apart(f *keypoint.Frame, left keypoint.Part) float64 {
	a, _ := f.At(left)
	b, _ := f.At(left.Mirror())
	return a.Sub(b).Len() / torso
}

// sides returns what keeps left and right apart while frames arrive.
func sides(t interface{ Fatal(...any) }) func(f keypoint.Frame, seconds float64) keypoint.Frame {
	stream, err := clean.NewStream(clean.Options{Swaps: true})
	if err != nil {
		t.Fatal(err)
	}
	return func(f keypoint.Frame, seconds float64) keypoint.Frame {
		f, _, err := stream.Next(f, seconds)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
}

// TestRightSidesStay: of a person who walks and whose sides are right, no side is changed, however slowly the
// frames follow each other.
func TestRightSidesStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawWalker(t, 5).sequence()
		_, report := runRapid(t, s, clean.Options{Swaps: true})
		if n := report.Count(clean.Swapped); n > 0 {
			t.Fatalf("%d points exchanged", n)
		}
		live := sides(t)
		for i := range s.Frames {
			if got := live(s.Frames[i], s.Times[i]); got != s.Frames[i] {
				t.Fatalf("frame %d: exchanged without looking ahead", i)
			}
		}
	})
}

func runRapid(t *rapid.T, s keypoint.Sequence, opt clean.Options) (keypoint.Sequence, clean.Report) {
	out, report, err := clean.Run(s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out, report
}

// TestExchangesAreRepaired: single frames and short runs in which a leg, its lower half or an ankle is exchanged
// while the feet are apart come back to their sides; single frames do so while frames arrive.
func TestExchangesAreRepaired(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWalker(t, 24)
		w.noise = 0
		truth := w.sequence()
		s := truth.Clone()
		longest := rapid.IntRange(1, 2).Draw(t, "longest run")
		for i := 5; i+5 < s.Len(); i += rapid.IntRange(15, 60).Draw(t, "until") {
			lefts := rapid.SampledFrom([][]keypoint.Part{
				{keypoint.LeftAnkle}, {keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.LeftWrist},
			}).Draw(t, "parts")
			for range rapid.IntRange(1, longest).Draw(t, "frames") {
				if apart(&truth.Frames[i], lefts[0]) > 0.35 || len(lefts) > 1 && apart(&truth.Frames[i], keypoint.LeftKnee) > 0.35 {
					exchange(&s.Frames[i], lefts...)
				}
				i++
			}
		}
		if slices.Equal(s.Frames, truth.Frames) {
			t.Skip("nothing is exchanged")
		}
		got, _ := runRapid(t, s, clean.Options{Swaps: true})
		live := sides(t)
		for i := range s.Frames {
			now := live(s.Frames[i], s.Times[i])
			for left := keypoint.LeftShoulder; left < keypoint.NumBody; left += 2 {
				if apart(&truth.Frames[i], left) < 0.3 {
					continue // exchanged or not is the same movement
				}
				want, _ := truth.Frames[i].At(left)
				if at, _ := got.Frames[i].At(left); at != want {
					t.Fatalf("frame %d: %v is at %v, want %v", i, left, at, want)
				}
				if at, _ := now.At(left); at != want && longest == 1 {
					t.Fatalf("frame %d, without looking ahead: %v is at %v, want %v", i, left, at, want)
				}
			}
		}
	})
}

// TestLongExchange: feet that are exchanged for a second come back if the movement before and after says so.
func TestLongExchange(t *testing.T) {
	w := walker{fps: 30, seconds: 6, stride: 0.1, reach: 0.7}
	truth := w.sequence()
	s := truth.Clone()
	for i := 60; i < 90; i++ { // of a stance of 5 s
		exchange(&s.Frames[i], keypoint.LeftKnee, keypoint.LeftAnkle)
	}
	got, report := run(t, s, clean.Options{Swaps: true})
	if !slices.Equal(got.Frames, truth.Frames) || report.Count(clean.Swapped) != 30*4 || report.Count(clean.Ambiguous) != 0 {
		t.Errorf("%d points exchanged, %d ambiguous", report.Count(clean.Swapped), report.Count(clean.Ambiguous))
	}
}

// TestAmbiguous: where a network says one thing as long as the other, nothing is exchanged, and the report says
// so.
func TestAmbiguous(t *testing.T) {
	w := walker{fps: 30, seconds: 5, stride: 0.1, reach: 0.7}
	s := w.sequence()
	for i := 30; i < 75; i++ {
		exchange(&s.Frames[i], keypoint.LeftAnkle)
	}
	for i := 80; i < 120; i++ {
		exchange(&s.Frames[i], keypoint.LeftAnkle)
	}
	got, report := run(t, s, clean.Options{Swaps: true})
	if !slices.Equal(got.Frames, s.Frames) {
		t.Errorf("%d points exchanged", report.Count(clean.Swapped))
	}
	for i := range s.Frames {
		c := report.Changes[i][keypoint.RightAnkle]
		if want := i > 10 && i < 140; want && c != clean.Ambiguous {
			t.Errorf("frame %d: %b", i, c)
		}
		if report.Changes[i][keypoint.LeftHip] != 0 {
			t.Errorf("frame %d: the hips are marked", i)
		}
	}
}

// TestHeadFollowsShoulders: where the whole body is exchanged, the face comes back with the shoulders.
func TestHeadFollowsShoulders(t *testing.T) {
	var s keypoint.Sequence
	for i := range 40 {
		var f keypoint.Frame
		for left := keypoint.LeftEye; left < keypoint.NumBody; left += 2 {
			half := 30.0
			if left <= keypoint.LeftEar {
				half = 5
			}
			f.Set(left, keypoint.Point{200 + half, 20 * float64(left)}, 0.9)
			f.Set(left.Mirror(), keypoint.Point{200 - half, 20 * float64(left)}, 0.9)
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/30)
	}
	truth := s.Clone()
	var all []keypoint.Part
	for left := keypoint.LeftEye; left < keypoint.NumBody; left += 2 {
		all = append(all, left)
	}
	exchange(&s.Frames[20], all...)
	if got, report := run(t, s, clean.Options{Swaps: true}); !slices.Equal(got.Frames, truth.Frames) || report.Changes[20][keypoint.LeftEar] != clean.Swapped {
		t.Errorf("%b", report.Changes[20])
	}
}

// TestTwinsInOnePlace: a network that exchanges the feet and puts both where one of them is, in turn, is
// understood: the foot that is not seen is where it was.
func TestTwinsInOnePlace(t *testing.T) {
	truth := walker{fps: 30, seconds: 5, stride: 0.1, reach: 0.7}.sequence()
	s := truth.Clone()
	together := map[int]bool{65: true, 90: true}
	for i := 60; i <= 92; i++ {
		switch {
		case together[i]:
			left, _ := s.Frames[i].At(keypoint.LeftAnkle)
			s.Frames[i].Set(keypoint.RightAnkle, left, 0.6)
		case i != 66:
			exchange(&s.Frames[i], keypoint.LeftAnkle)
		}
	}
	got, _ := run(t, s, clean.Options{Swaps: true})
	for i := range truth.Frames {
		if !together[i] && got.Frames[i] != truth.Frames[i] {
			t.Errorf("frame %d is exchanged", i)
		}
	}
}

// TestOutliersOnly: fast movement and its turning points are no outliers; a part that jumps away for one or two
// frames is.
func TestOutliersOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWalker(t, 25)
		s := w.sequence()
		_, report := runRapid(t, s, clean.Options{Outliers: &clean.Outliers{}})
		if n := report.Count(clean.Rejected); n > 0 {
			t.Fatalf("%d points of a walk removed", n)
		}
		at := rapid.IntRange(10, s.Len()-12).Draw(t, "frame")
		frames := rapid.IntRange(1, 2).Draw(t, "frames")
		for i := at; i < at+frames; i++ {
			pt, _ := s.Frames[i].At(keypoint.LeftWrist)
			s.Frames[i].Set(keypoint.LeftWrist, pt.Add(keypoint.Point{0, torso}), 0.5)
		}
		_, report = runRapid(t, s, clean.Options{Outliers: &clean.Outliers{}})
		if n := report.Count(clean.Rejected); n != frames && w.fps >= 30*float64(frames) || report.Changes[at][keypoint.LeftWrist] != clean.Rejected && frames == 1 {
			t.Fatalf("%d of %d outliers removed", n, frames)
		}
	})
}

// TestGapEnds: a gap stays if no movement joins its ends, or if one of them is a guess.
func TestGapEnds(t *testing.T) {
	for _, c := range []struct {
		jump, confidence float64
		want             int
	}{{0, 0.9, 1}, {60, 0.9, 0}, {0, 0.25, 0}} {
		s := walker{fps: 60, seconds: 1}.sequence()
		s.Frames[30].Unset(keypoint.LeftWrist)
		for i := 31; i < s.Len(); i++ {
			pt, _ := s.Frames[i].At(keypoint.LeftWrist)
			s.Frames[i].Set(keypoint.LeftWrist, pt.Add(keypoint.Point{c.jump, 0}), c.confidence)
		}
		if _, report := run(t, s, clean.Options{Gaps: &clean.Gaps{}}); report.Count(clean.Filled) != c.want {
			t.Errorf("before a jump of %v pixels, confidence %v: %d points are filled", c.jump, c.confidence, report.Count(clean.Filled))
		}
	}
}

// TestPersonChange: no step reaches from one person to the next.
func TestPersonChange(t *testing.T) {
	first := walker{fps: 30, seconds: 2, stride: 0.8, reach: 0.6, noise: 0.02}.sequence()
	second := walker{fps: 30, seconds: 2, stride: 0.9, reach: 0.4, noise: 0.02, seed: 7}.sequence()
	second.Frames[0].Unset(keypoint.LeftKnee)
	both := first.Clone()
	for i, f := range second.Frames {
		both.Frames, both.Times = append(both.Frames, f), append(both.Times, 2+second.Times[i])
	}
	both.PersonChanges = []int{first.Len()}
	got, report := run(t, both, clean.Default())
	a, _ := run(t, first, clean.Default())
	b, rest := run(t, second, clean.Default())
	want := slices.Concat(a.Frames, b.Frames)
	for i := range want {
		for _, p := range want[i].Present().List() {
			x, _ := got.Frames[i].At(p)
			if y, _ := want[i].At(p); x.Sub(y).Len() > 1e-6 {
				t.Fatalf("frame %d: %v is at %v, alone at %v", i, p, x, y)
			}
		}
		if got.Frames[i].Present() != want[i].Present() {
			t.Fatalf("frame %d has other parts than alone", i)
		}
	}
	if n := first.Len(); !slices.Equal(report.Changes[n:], rest.Changes) || got.PersonChanges[0] != n {
		t.Error("the changes of the second person differ")
	}
}

// TestTooSlowToSmooth: at 5 frames per second the default filter does nothing, and the report says so.
func TestTooSlowToSmooth(t *testing.T) {
	s := walker{fps: 5, seconds: 10, stride: 0.5, reach: 0.5, noise: 0.05}.sequence()
	got, report := run(t, s, clean.Options{Smooth: clean.Default().Smooth})
	if !slices.Equal(got.Frames, s.Frames) || report.Count(clean.Smoothed) != 0 || len(report.Skips) != keypoint.NumBody {
		t.Fatalf("%d smoothed, skipped: %v", report.Count(clean.Smoothed), report.Skips)
	}
	if want := (clean.Skip{Part: keypoint.Nose, First: 0, Last: s.Len() - 1, Rate: 12}); report.Skips[0] != want {
		t.Errorf("skipped: %+v, want %+v", report.Skips[0], want)
	}
}

// ExampleStream_sides keeps the legs of a walker apart while the frames of a camera arrive.
func ExampleStream_sides() {
	stream, err := clean.NewStream(clean.Options{Swaps: true})
	if err != nil {
		panic(err)
	}
	for i, left := range []float64{0, 10, 20, 30, 160, 50} { // the fifth is exchanged
		right := 200 - left
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{100, 0}, 0.9)
		f.Set(keypoint.LeftHip, keypoint.Point{100, 150}, 0.9)
		f.Set(keypoint.LeftAnkle, keypoint.Point{left, 400}, 0.9)
		f.Set(keypoint.RightAnkle, keypoint.Point{right, 400}, 0.9)
		if f, _, err = stream.Next(f, float64(i)/30); err != nil {
			panic(err)
		}
		at, _ := f.At(keypoint.LeftAnkle)
		fmt.Print(at[0], " ")
	}
	// Output: 0 10 20 30 40 50
}

// TestTurnBetweenFrames: somebody who turns round keeps his upper arms although the network moves his elbows from one side of
// the body to the other between two frames: exchanged, they would reach across it.
func TestTurnBetweenFrames(t *testing.T) {
	var s keypoint.Sequence
	for i := range 60 {
		var f keypoint.Frame
		turn := math.Cos(math.Pi * min(max(float64(i-15)/30, 0), 1)) // from 1 to −1
		side := 1.0
		if turn < 0 {
			side = -1
		}
		for k, sign := range []float64{-1, 1} {
			right := keypoint.Part(k)
			f.Set(keypoint.LeftShoulder+right, keypoint.Point{500 + 25*turn*sign, 100}, 0.9)
			f.Set(keypoint.LeftElbow+right, keypoint.Point{500 + 35*side*sign, 150}, 0.9)
			f.Set(keypoint.LeftWrist+right, keypoint.Point{500 + 35*side*sign, 195}, 0.9)
			f.Set(keypoint.LeftHip+right, keypoint.Point{500 + 15*turn*sign, 200}, 0.9)
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/30)
	}
	_, report, err := clean.Run(s, clean.Options{Swaps: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range report.Changes {
		if c[keypoint.LeftElbow]&clean.Swapped != 0 {
			n++
		}
	}
	if n > 6 { // while the shoulders are in one place, nothing tells
		t.Errorf("the elbows are exchanged in %d frames, want at most 6", n)
	}
}
