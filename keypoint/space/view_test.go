package space_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// turned returns the sequence in a world that is turned about the vertical and moved along the floor.
func turned(seq keypoint.Sequence, degrees float64) keypoint.Sequence {
	seq = seq.Clone()
	turn := mgl64.Rotate3DY(degrees * math.Pi / 180)
	for i := range seq.Frames {
		places := *seq.Frames[i].Positions()
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			places.Set(p, turn.Mul3x1(at).Add(keypoint.Position{7, 0, -3}), places.Error(p))
		}
		seq.Frames[i].SetPositions(&places)
	}
	return seq
}

// TestView: the picture from the side is the same however the world is turned, and of itself; the person walks to the right in
// metres, and a foot rests where it is.
func TestView(t *testing.T) {
	movie := testkit.Rendered(t, "walk_across_90")
	seq := movie.InSpace()
	view := space.View(seq)
	if again := space.View(view); !reflect.DeepEqual(again, view) {
		t.Error("the view of a view is another")
	}
	other := space.View(turned(seq, 77))
	for i := range view.Frames {
		for _, p := range view.Frames[i].Present().List() {
			a, _ := view.Frames[i].At(p)
			if b, ok := other.Frames[i].At(p); !ok || a.Sub(b).Len() > 1e-6 {
				t.Fatalf("frame %d: %v at %v, and at %v in a turned world", i, p, a, b)
			}
		}
	}
	var strike, off float64 // of the left foot
	for _, e := range movie.Events {
		if e.Side == "left" && e.What == "heel strike" && strike == 0 {
			strike = e.Time
		}
		if e.Side == "left" && e.What == "toe off" && strike != 0 && off == 0 {
			off = e.Time
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	var walked [2]float64
	for i, at := range view.Times {
		toe, _ := view.Frames[i].At(keypoint.LeftBigToe)
		hip, _ := view.Frames[i].At(keypoint.LeftHip)
		if hip := view.World.Point(hip)[0]; i == 0 {
			walked[0] = hip
		} else {
			walked[1] = hip
		}
		if at > strike+0.25*(off-strike) && at < strike+0.75*(off-strike) {
			low, high = min(low, view.World.Point(toe)[0]), max(high, view.World.Point(toe)[0])
		}
	}
	if speed := (walked[1] - walked[0]) / (view.Times[view.Len()-1] - view.Times[0]); math.Abs(speed/movie.Motion.Speed-1) > 0.02 || !(high-low < 0.01) {
		t.Errorf("%.3f m/s, want %.3f; a foot that rests slides by %.3f m", speed, movie.Motion.Speed, high-low)
	}
	if plain := space.View(movie.Seq); !reflect.DeepEqual(plain, movie.Seq) {
		t.Error("a recording of one camera is changed")
	}
}

// TestTurns: who turns round within a frame comes back in the picture, and who goes in a circle is seen to go on.
func TestTurns(t *testing.T) {
	there := testkit.Rendered(t, "walk_leave_return")
	view := space.View(there.InSpace())
	hips := func(i int) float64 {
		at, _ := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip).At(&view.Frames[i])
		return view.World.Point(at)[0]
	}
	if first, middle, last := hips(0), hips(view.Len()/2), hips(view.Len()-1); middle-first < 2 || middle-last < 2 {
		t.Errorf("the hips go from %.2f to %.2f and to %.2f m", first, middle, last)
	}
	seq := testkit.Rendered(t, "walk_treadmill_90").InSpace()
	const radius, speed = 1.0, 1.2
	for i := range seq.Frames {
		angle := speed / radius * seq.Times[i]
		turn, places := mgl64.Rotate3DY(angle), *seq.Frames[i].Positions()
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			places.Set(p, turn.Mul3x1(at.Add(keypoint.Position{0, 0, radius})), 0)
		}
		seq.Frames[i].SetPositions(&places)
	}
	view = space.View(seq)
	n := view.Len() - 1
	if way := math.Abs(hips(n) - hips(0)); math.Abs(way/(speed*view.Times[n])-1) > 0.02 {
		t.Errorf("%.2f m along the circle, want %.2f", way, speed*view.Times[n])
	}
	for i, f := range view.Sideways() {
		if f != keypoint.FacingRight {
			t.Fatalf("frame %d: the person faces %v", i, f)
		}
	}
}
