package space_test

import (
	"errors"
	"math"
	"strings"
	"testing"

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
		"with Depth": plain.Seq, "are known": plain.InSpace(), "stand still": deep.Slice(first, last), "time": {Frames: deep.Frames, Times: []float64{0}},
	} {
		if _, err := space.Lift(seq); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
