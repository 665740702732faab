package space_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// TestLift: the knees of squats that are seen from the front, or obliquely, bend as they do in space; from the side, nothing
// is lifted, and the picture stays what it is in any case.
func TestLift(t *testing.T) {
	for name, limit := range map[string]float64{"squat_0_shift": 8, "squat_30_phone": 12, "squat_60": 0, "squat_90_slow": 0} {
		m := testkit.Rendered(t, name)
		got, err := space.Lift(m.Guessed())
		if err != nil {
			t.Fatal(err)
		}
		if got.Space == nil || got.Space.Unit != keypoint.Torso || got.Space.Seen() {
			t.Errorf("%s: space %+v", name, got.Space)
		}
		sum, flat, n := 0.0, 0.0, 0
		for i := range got.Frames {
			if got.Frames[i].Positions() != nil && limit == 0 {
				t.Fatalf("%s: frame %d is lifted", name, i)
			}
			for p := range keypoint.Part(keypoint.NumParts) {
				a, _ := m.Seq.Frames[i].At(p)
				if b, _ := got.Frames[i].At(p); a != b {
					t.Errorf("%s: %v of frame %d has moved from %v to %v", name, p, i, a, b)
				}
			}
			for side, angle := range map[keypoint.Part]string{0: "left_knee", 1: "right_knee"} {
				hip, okH := got.Frames[i].Positions().At(keypoint.LeftHip + side)
				knee, okK := got.Frames[i].Positions().At(keypoint.LeftKnee + side)
				ankle, okA := got.Frames[i].Positions().At(keypoint.LeftAnkle + side)
				if !okH || !okK || !okA {
					continue
				}
				bend := func(flat float64) float64 {
					v, w := knee.Sub(hip), ankle.Sub(knee)
					v[2], w[2] = v[2]*flat, w[2]*flat
					return math.Acos(v.Normalize().Dot(w.Normalize())) * 180 / math.Pi
				}
				sum, flat, n = sum+math.Pow(bend(1)-m.Angles[angle][i], 2), flat+math.Pow(bend(0)-m.Angles[angle][i], 2), n+1
			}
		}
		if limit == 0 {
			continue
		}
		rms := math.Sqrt(sum / float64(n))
		t.Logf("%s: the knees are %.1f degrees off, %.1f in the picture", name, rms, math.Sqrt(flat/float64(n)))
		if n < got.Len() || !(rms <= limit) {
			t.Errorf("%s: %d knees are %.1f degrees off", name, n, rms)
		}
	}
}

// TestLiftScale: with a scale, the positions are in metres.
func TestLiftScale(t *testing.T) {
	m := testkit.Rendered(t, "squat_0_shift")
	m.Seq.World.MetresPerPixel = m.AtHips
	got, err := space.Lift(m.Guessed())
	if err != nil {
		t.Fatal(err)
	}
	exact := m.InSpace()
	for i := range got.Frames {
		length := func(s keypoint.Sequence) float64 {
			hip, _ := s.Frames[i].Positions().At(keypoint.LeftHip)
			knee, _ := s.Frames[i].Positions().At(keypoint.LeftKnee)
			return knee.Sub(hip).Len()
		}
		if want := length(exact); math.Abs(length(got)-want) > 0.15*want || got.Space.Unit != keypoint.Metres {
			t.Fatalf("frame %d: the thigh is %.3f %s, want %.3f m", i, length(got), got.Space.Unit, want)
		}
	}
}

// TestLiftRefuses: what cannot be lifted is an error that says what to do.
func TestLiftRefuses(t *testing.T) {
	plain := testkit.Rendered(t, "squat_0_shift")
	deep := plain.Guessed()
	first, last := 0, 0
	for i := range deep.Frames {
		if knee := plain.Angles["left_knee"][i]; knee > 60 && first == 0 {
			first = i
		} else if first > 0 && last == 0 && knee < 60 {
			last = i - 1
		}
	}
	for want, seq := range map[string]keypoint.Sequence{
		"no depth": plain.Seq, "are known": plain.InSpace(), "stand still": deep.Slice(first, last), "time": {Frames: deep.Frames, Times: []float64{0}},
	} {
		if _, err := space.Lift(seq); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestLiftMirrored: the mirror image is lifted to the mirror image.
func TestLiftMirrored(t *testing.T) {
	seq := testkit.Rendered(t, "squat_30_phone").Guessed()
	mirrored := seq.Clone()
	for i := range mirrored.Frames {
		var f keypoint.Frame
		s := new(keypoint.Positions)
		for _, p := range seq.Frames[i].Present().List() {
			at, _ := seq.Frames[i].At(p)
			f.Set(p.Mirror(), keypoint.Point{float64(seq.Size.X) - at[0], at[1]}, seq.Frames[i].Confidence(p))
		}
		for _, p := range seq.Frames[i].Positions().Present().List() {
			at, _ := seq.Frames[i].Positions().At(p)
			s.Set(p.Mirror(), keypoint.Position{-at[0], at[1], at[2]}, 0)
		}
		f.SetPositions(s)
		mirrored.Frames[i] = f
	}
	want, err := space.Lift(seq)
	if err != nil {
		t.Fatal(err)
	}
	got, err := space.Lift(mirrored)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Frames {
		hip, _ := want.Frames[i].Positions().At(keypoint.RightHip)
		from, _ := got.Frames[i].Positions().At(keypoint.LeftHip)
		for _, p := range want.Frames[i].Positions().Present().List() {
			a, _ := want.Frames[i].Positions().At(p)
			b, _ := got.Frames[i].Positions().At(p.Mirror())
			d, e := a.Sub(hip), b.Sub(from)
			if d[0] = -d[0]; d.Sub(e).Len() > 1e-6 {
				t.Fatalf("frame %d: %v is at %.3f, in the mirror at %.3f", i, p, d, e)
			}
		}
	}
}

// TestLiftAnything: whatever is missing or wrong, places are numbers, and nothing is lifted of what is not seen.
func TestLiftAnything(t *testing.T) {
	whole := testkit.Rendered(t, "squat_0_shift").Guessed()
	rapid.Check(t, func(t *rapid.T) {
		seq := whole.Clone()
		missing, wild := rapid.IntRange(0, 3), rapid.Float64Range(-1e6, 1e6)
		step := rapid.IntRange(1, 9).Draw(t, "step")
		for i := 0; i < seq.Len(); i += step {
			p := keypoint.LeftShoulder + keypoint.Part(rapid.IntRange(0, 11).Draw(t, "part"))
			f := &seq.Frames[i]
			switch missing.Draw(t, "what") {
			case 0:
				f.Unset(p)
			case 1:
				f.SetPositions(nil)
			case 2:
				f.Set(p, keypoint.Point{wild.Draw(t, "x"), wild.Draw(t, "y")}, 1)
			case 3:
				s := new(keypoint.Positions)
				s.Set(p, keypoint.Position{wild.Draw(t, "x"), wild.Draw(t, "y"), wild.Draw(t, "z")}, 0)
				f.SetPositions(s)
			}
		}
		got, err := space.Lift(seq)
		if err != nil {
			return
		}
		for i := range got.Frames {
			for _, p := range got.Frames[i].Positions().Present().List() {
				at, _ := got.Frames[i].Positions().At(p)
				if math.IsNaN(at.Len()) || math.IsInf(at.Len(), 0) || !seq.Frames[i].Has(p) {
					t.Fatalf("frame %d: %v is at %v", i, p, at)
				}
			}
		}
	})
}
