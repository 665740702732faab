package accuracy_test

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// unit is one repetition of a movement, one stride, or two seconds of standing still.
type unit struct {
	movie  string
	number int
	motion string  // such as "squat"
	side   string  // of the foot that is lifted first, "" if none is
	depth  float64 // 1 for a full repetition
	view   float64 // degrees from the front, positive from the person's left
	seq    keypoint.Sequence
}

// interval is a time in seconds.
type interval struct {
	from, to float64
	depth    float64
}

const (
	longestStride = 1.25 // seconds; a longer one goes outside of the picture or turns round
	stretch       = 1.9  // seconds of standing still
	cutOff        = 0.1  // seconds of a repetition that the movie may lack
	fewest        = 8    // frames
	leastSeen     = 0.7  // of the parts that count for the score
)

// intervals returns the repetitions of a movie.
func intervals(truth *truth.Truth) (list []interval) {
	for _, r := range truth.Reps {
		depth := r.Depth
		if depth == 0 {
			depth = 1
		}
		list = append(list, interval{r.Start, r.End, depth})
	}
	if truth.Motion == "standing" {
		return []interval{{0, stretch, 1}, {stretch, 2 * stretch, 1}}
	}
	last := math.Inf(-1)
	for _, e := range truth.Events {
		if len(truth.Reps) > 0 || e.What != "heel strike" || e.Side != "right" {
			continue
		}
		if e.Time-last <= longestStride {
			list = append(list, interval{last, e.Time, 1})
		}
		last = e.Time
	}
	return list
}

// units cuts a recording.
func units(movie string, known *truth.Truth, seq keypoint.Sequence) (list []unit) {
	for k, x := range intervals(known) {
		first, last := rank.Nearest(seq.Times, x.from), rank.Nearest(seq.Times, x.to)
		if seq.Times[last] < x.to-cutOff || last-first < fewest || !seen(seq.Frames[first:last+1]) {
			continue
		}
		u := unit{movie: movie, number: k + 1, motion: known.Motion, depth: x.depth, seq: seq.Slice(first, last)}
		from := rank.Nearest(known.Parts.Times, x.from)
		u.view = stat.CircularMean(radians(known.View[from:rank.Nearest(known.Parts.Times, x.to)+1]), nil) * 180 / math.Pi
		i := slices.IndexFunc(known.Events, func(e truth.Event) bool { return e.What == "foot lift" && e.Time >= x.from })
		if i >= 0 {
			u.side = known.Events[i].Side
		}
		list = append(list, u)
	}
	return list
}

func radians(degrees []float64) []float64 {
	r := slices.Clone(degrees)
	for i := range r {
		r[i] *= math.Pi / 180
	}
	return r
}

// seen reports whether most of the shoulders, arms and legs are there.
func seen(frames []keypoint.Frame) bool {
	limbs, n := keypoint.UpperBody|keypoint.LowerBody, 0
	for i := range frames {
		n += (frames[i].Present() & limbs).Len()
	}
	return float64(n) >= leastSeen*float64(len(frames)*limbs.Len())
}

// Kinds of pairs.
const (
	repetitions = "repetitions of one person"
	tempo       = "the same one at an uneven tempo"
	depths      = "one half as deep or another leg"
	people      = "same movement, another person"
	mirrors     = "the same, mirrored, from the other side"
	views       = "same movement, another view"
	relatives   = "related: walk and run, squat and hinge"
	unrelated   = "unrelated movements"
	otherViews  = "unrelated, and another view"
)

var kinds = []string{repetitions, tempo, people, mirrors, depths, views, relatives, unrelated, otherViews}

const (
	sameView = 25 // degrees
	turned   = 90
)

// families are movements that share phases.
var families = [][]string{{"walking", "running"}, {"squat", "sit-to-stand", "countermovement jump", "hip hinge"}}

// kind returns what two units have in common.
func kind(a, b unit) string {
	apart := math.Abs(math.Remainder(a.view-b.view, 360))
	switch {
	case a.motion != b.motion && apart <= turned && slices.ContainsFunc(families, func(f []string) bool {
		return slices.Contains(f, a.motion) && slices.Contains(f, b.motion)
	}):
		return relatives
	case a.motion != b.motion && apart > sameView:
		return otherViews
	case a.motion != b.motion:
		return unrelated
	case a.movie == b.movie && apart > turned, a.movie != b.movie && apart > sameView:
		return views
	case a.depth != b.depth, a.side != b.side:
		return depths
	case a.movie == b.movie:
		return repetitions
	}
	return people
}
