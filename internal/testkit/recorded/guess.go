package recorded

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/bodymotion/motion/keypoint"
)

// guess is what a network guesses of the depth of a part against the one that it hangs on: a share of the true depth, and errors in
// metres, one that is constant and one that wanders.
type guess struct {
	part, on                keypoint.Part
	share, constant, varies float64
}

// guesses are those of BlazePose on a recorded person before cameras that look down, of left parts. Of shoulders and hips the middle and
// the line from right to left are guessed.
var guesses = [...]guess{
	{keypoint.LeftKnee, keypoint.LeftHip, 0.67, 0.068, 0.075}, {keypoint.LeftAnkle, keypoint.LeftKnee, 0.57, 0.026, 0.063},
	{keypoint.LeftElbow, keypoint.LeftShoulder, 0.52, 0.021, 0.050}, {keypoint.LeftWrist, keypoint.LeftElbow, 0.52, 0.032, 0.079},
}

var (
	guessedTrunk     = guess{share: 0.53, constant: 0.046, varies: 0.055}
	guessedShoulders = guess{share: 0.83, constant: 0.062, varies: 0.076}
	guessedHips      = guess{share: 1, constant: 0.040, varies: 0.049}
)

// guessTime is the time in seconds in which the errors of depth wander, and flatError the error of the rest, metres.
const guessTime, flatError = 1.0, 0.02

// Guess gives what a camera sees of the clip the positions that a network guesses: metres from the middle of the hips, right, up and
// towards the camera, with its errors, the same each time.
func (c *Clip) Guess(seq keypoint.Sequence, camera keypoint.Camera) {
	seed := fnv.New64()
	fmt.Fprint(seed, "depth", c.Name, camera.Translation)
	chance := rand.New(rand.NewPCG(1, seed.Sum64())) //nolint:gosec // the same each time
	stays := math.Exp(-(c.Times[1] - c.Times[0]) / guessTime)
	errors := map[keypoint.Part]func() float64{}
	error := func(key keypoint.Part, g guess) float64 {
		if errors[key] == nil {
			constant, now := g.constant*chance.NormFloat64(), g.varies*chance.NormFloat64()
			errors[key] = func() float64 {
				now = now*stays + g.varies*math.Sqrt(1-stays*stays)*chance.NormFloat64()
				return constant + now
			}
		}
		return errors[key]()
	}
	for i := range seq.Frames {
		w := &c.World[i]
		middle := w.Middle(keypoint.LeftHip)
		depth := func(from, to keypoint.Position) float64 { return -camera.Rotation.Mul3x1(to.Sub(from))[2] }
		var z [keypoint.NumParts]float64
		pair := func(left keypoint.Part, at float64, g guess) {
			half := (g.share*depth(w[left.Mirror()], w[left]) + error(left, g)) / 2
			z[left], z[left.Mirror()] = at+half, at-half
		}
		pair(keypoint.LeftHip, 0, guessedHips)
		pair(keypoint.LeftShoulder, guessedTrunk.share*depth(middle, w.Middle(keypoint.LeftShoulder))+error(keypoint.Nose, guessedTrunk), guessedShoulders)
		for _, g := range guesses {
			for _, p := range [...][2]keypoint.Part{{g.part, g.on}, {g.part.Mirror(), g.on.Mirror()}} {
				z[p[0]] = z[p[1]] + g.share*depth(w[p[1]], w[p[0]]) + error(p[0], g)
			}
		}
		places := new(keypoint.Positions)
		for _, p := range (seq.Frames[i].Present() & centres).List() {
			flat := camera.Rotation.Mul3x1(w[p].Sub(middle))
			places.Set(p, keypoint.Position{flat[0] + flatError*chance.NormFloat64(), -flat[1] + flatError*chance.NormFloat64(), z[p]}, 0)
		}
		seq.Frames[i].SetPositions(places)
	}
}

// Still returns the clip after so many seconds of standing still as it begins.
func (c *Clip) Still(seconds float64) *Clip {
	held := *c
	step := c.Times[1] - c.Times[0]
	held.World, held.Times, held.Reps = nil, nil, nil
	for float64(len(held.World))*step < seconds {
		held.World = append(held.World, c.World[0])
	}
	held.World = append(held.World, c.World...)
	for i := range held.World {
		held.Times = append(held.Times, float64(i)*step)
	}
	return &held
}
