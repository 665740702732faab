package recorded_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// TestClips: the clips are those of people of their height who stand on the floor and are whole in the picture, seen from where the
// camera stands.
func TestClips(t *testing.T) {
	clips := testkit.Recorded(t)
	reps := 0
	for _, c := range clips {
		reps += len(c.Reps)
		if len(c.Reps) < 2 || math.Abs(c.Reps[len(c.Reps)-1].End-c.Times[len(c.Times)-1]) > 0.1 {
			t.Errorf("%s: repetitions %v of %.2f s", c.Name, c.Reps, c.Times[len(c.Times)-1])
		}
		first := c.World[0]
		feet := min(first[keypoint.LeftHeel][1], first[keypoint.RightHeel][1])
		if top := first[keypoint.LeftEar][1] / c.Height; math.Abs(feet) > 0.1 || top < 0.85 || top > 1 {
			t.Errorf("%s: feet at %.2f m, ears at %.2f of the height", c.Name, feet, top)
		}
		for view, toLeft := range map[float64]float64{0: 1, 180: -1} { // the person's left is at the right of a picture from the front
			seq := c.Seen(c.Camera(view), false)
			for i := range seq.Frames {
				low, high, _ := seq.Frames[i].Bounds()
				if seq.Frames[i].Present() != c.Parts || low[0] < 0 || low[1] < 0 || high[0] > 1280 || high[1] > 960 {
					t.Fatalf("%s, view %v, frame %d: from %v to %v", c.Name, view, i, low, high)
				}
			}
			l, _ := seq.Frames[0].At(keypoint.LeftShoulder)
			r, _ := seq.Frames[0].At(keypoint.RightShoulder)
			if (l[0]-r[0])*toLeft <= 0 {
				t.Errorf("%s, view %v: shoulders at %v and %v", c.Name, view, l, r)
			}
		}
	}
	if len(clips) != 38 || reps < 140 {
		t.Errorf("%d clips with %d repetitions", len(clips), reps)
	}
}

// TestErrors: the errors of a network are as large as they are said to be, the same each time, and wander.
func TestErrors(t *testing.T) {
	c := testkit.Recorded(t)[0]
	camera := c.Camera(90)
	exact, seen, again := c.Seen(camera, false), c.Seen(camera, true), c.Seen(camera, true)
	var sizes, steps []float64
	for i := range seen.Frames {
		if seen.Frames[i] != again.Frames[i] {
			t.Fatalf("frame %d differs", i)
		}
		for _, p := range c.Parts.List() {
			a, _ := exact.Frames[i].At(p)
			b, _ := seen.Frames[i].At(p)
			sizes = append(sizes, b.Sub(a).Len())
			if i > 0 {
				x, _ := exact.Frames[i-1].At(p)
				y, _ := seen.Frames[i-1].At(p)
				steps = append(steps, b.Sub(a).Sub(y.Sub(x)).Len())
			}
		}
	}
	torso, _ := exact.Frames[0].TorsoLength()
	if size, step := rank.Median(sizes)/torso, rank.Median(steps)/torso; size < 0.06 || size > 0.14 || step > size/1.5 {
		t.Errorf("errors of %.3f torso lengths, steps of %.3f", size, step)
	}
}

// TestLegs: seen from the side, knees are found better than hips, and thigh, shank and knee err as those of people who walk.
func TestLegs(t *testing.T) {
	off := func(a, b keypoint.Frame, p, q keypoint.Part) float64 { // degrees by which a bone is turned
		var turned [2]float64
		for k, f := range []*keypoint.Frame{&a, &b} {
			from, _ := f.At(p)
			to, _ := f.At(q)
			turned[k] = math.Atan2(to[0]-from[0], to[1]-from[1]) * 180 / math.Pi
		}
		return math.Remainder(turned[1]-turned[0], 360)
	}
	var all [3]float64 // mean squares of thigh, shank and knee about the mean of each recording
	clips := testkit.Recorded(t)
	for _, c := range clips {
		camera := c.Camera(90)
		exact, seen := c.Seen(camera, false), c.Seen(camera, true)
		var errors [3][]float64
		for i := range seen.Frames {
			thigh := off(exact.Frames[i], seen.Frames[i], keypoint.LeftHip, keypoint.LeftKnee)
			shank := off(exact.Frames[i], seen.Frames[i], keypoint.LeftKnee, keypoint.LeftAnkle)
			for k, e := range []float64{thigh, shank, shank - thigh} {
				errors[k] = append(errors[k], e)
			}
		}
		for k, list := range errors {
			mean := rank.Mean(list)
			for _, e := range list {
				all[k] += (e - mean) * (e - mean) / float64(len(list)*len(clips))
			}
		}
	}
	thigh, shank, knee := math.Sqrt(all[0]), math.Sqrt(all[1]), math.Sqrt(all[2])
	if thigh < 2.5 || thigh > 4.5 || shank < 2.5 || shank > 4.5 || knee < 4 || knee > 6 {
		t.Errorf("thighs are turned by %.1f°, shanks by %.1f°, knees bent by %.1f°", thigh, shank, knee)
	}
}

// TestMatched: a repetition is right if something turns in it, whatever the number of all is.
func TestMatched(t *testing.T) {
	reps := []rendered.Rep{{Start: 0, End: 2}, {Start: 2, End: 4}, {Start: 4, End: 6}}
	for _, x := range []struct {
		turns                 []float64
		right, lost, invented int
	}{{[]float64{1, 3, 5}, 3, 0, 0}, {[]float64{1, 1.5, 5}, 2, 1, 1}, {nil, 0, 3, 0}, {[]float64{7}, 0, 3, 1}} {
		if right, lost, invented := rendered.Matched(reps, x.turns); right != x.right || lost != x.lost || invented != x.invented {
			t.Errorf("%v: %d right, %d lost, %d invented", x.turns, right, lost, invented)
		}
	}
	if _, err := recorded.Read([]byte("{}")); err == nil {
		t.Error("no gzip: no error")
	}
}
