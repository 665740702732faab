package analyze

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Neutral is a time in which the person stands in the neutral pose, in seconds. The zero value is the longest time of quiet
// standing. Against it, named angles lose the constant offset of the joint centres, as against the static trial of a laboratory.
type Neutral struct {
	From float64 `json:"from"`
	To   float64 `json:"to"` // 0: quiet standing is looked for
}

// ParseNeutral reads the JSON of a neutral pose: "auto" for the zero Neutral, {"from": 0.5, "to": 1.5} in seconds, false or
// null for none, which is nil. Mistakes are reported as keypoint.FieldErrors.
func ParseNeutral(data []byte) (*Neutral, error) {
	return strictjson.Read(data, func(v strictjson.Value) (n *Neutral) {
		switch {
		case !v.Present() || string(v.Raw()) == "false":
		case v.IsString():
			v.OneOf("auto")
			n = &Neutral{}
		case v.Known("from", "to"):
			n = &Neutral{}
			n.From, _ = v.Get("from").Number()
			v.Get("to").Require("the second at which the person stands no longer")
			if n.To, _ = v.Get("to").Number(); !(n.From >= 0 && n.To > n.From) {
				v.Get("to").Errorf("is %v, want more seconds than from, which is %v and has to be 0 or more", n.To, n.From)
			}
		}
		return n
	})
}

// Find returns the neutral pose of a recording in seconds: the time itself, or for the zero value the longest time of quiet standing. A
// recording without such a time is a keypoint.ErrInvalid.
func (n Neutral) Find(seq keypoint.Sequence) (Neutral, error) {
	if err := seq.Validate(); err != nil {
		return n, err
	}
	span, err := n.span(seq)
	if err != nil {
		return n, err
	}
	return Neutral{seq.Times[span.First], seq.Times[span.Last]}, nil
}

func (n Neutral) span(seq keypoint.Sequence) (keypoint.Span, error) {
	if n.To == 0 {
		return standing(seq)
	}
	return seq.Between(n.From, n.To)
}

// Quiet standing.
const (
	standingTime  = 0.5  // seconds at least
	standingSpeed = 0.05 // torso lengths a second of the hips at most
	standingLean  = 15   // degrees of the trunk against the vertical at most
	standingHips  = 1.4  // torso lengths of the hips over the ankles at least: less is sitting
	standingTall  = 0.95 // of their greatest height
)

// standing returns the longest time in which the main person stands upright and still.
func standing(seq keypoint.Sequence) (best keypoint.Span, err error) {
	none := fmt.Errorf("%w neutral pose: nobody stands upright and still for %v s", keypoint.ErrInvalid, standingTime)
	if seq.Times == nil {
		return best, none
	}
	if seq, err = space.Seen(seq); err != nil {
		return best, err
	}
	main := seq.MainPerson()
	u, up := quality.NewUncertainty(seq), down(seq.World).Mul(-1)
	height := func(i int) (float64, bool) {
		f := &seq.Frames[i]
		hip, okH := hips.At(f)
		foot, okF := bothAnkles.At(f)
		top, okT := shoulders.At(f)
		if torso := u.Torso(i); okH && okF && okT && torso > 0 && top.Sub(hip).Dot(up) >= math.Cos(standingLean*math.Pi/180)*top.Sub(hip).Len() {
			return hip.Sub(foot).Dot(up) / torso, true
		}
		return 0, false
	}
	heights := rank.Known(main.Last+1-main.First, func(i int) (float64, bool) { return height(main.First + i) })
	tall := max(standingHips, standingTall*rank.Percentile(heights, 0.95))
	stands := make([]bool, len(seq.Times))
	for i := main.First; i <= main.Last; i++ {
		v, ok := height(i)
		stands[i] = ok && v >= tall && still(seq, u, i)
	}
	longest := 0.0
	for first, end := range rank.Runs(stands) {
		if lasts := seq.Times[end-1] - seq.Times[first]; stands[first] && lasts > longest {
			best, longest = keypoint.Span{First: first, Last: end - 1}, lasts
		}
	}
	if longest < standingTime-1e-6 {
		return best, none
	}
	return best, nil
}

// still reports whether the hips hardly move in the half second around a frame.
func still(seq keypoint.Sequence, u *quality.Uncertainty, i int) bool {
	a, b := i, i
	for a > 0 && seq.Times[i]-seq.Times[a-1] <= standingTime/2 {
		a--
	}
	for b+1 < seq.Len() && seq.Times[b+1]-seq.Times[i] <= standingTime/2 {
		b++
	}
	from, okA := hips.At(&seq.Frames[a])
	to, okB := hips.At(&seq.Frames[b])
	return okA && okB && a < b && to.Sub(from).Len() <= standingSpeed*u.Torso(i)*(seq.Times[b]-seq.Times[a])
}
