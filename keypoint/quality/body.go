package quality

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// body is a recording with what several checks need of it.
type body struct {
	seq    keypoint.Sequence
	rate   float64        // frames per second; 0: unknown
	torso  []float64      // the scale of each frame: the torso length in pixels, not foreshortened; 0: unknown
	height []float64      // estimated standing height in pixels; 0: unknown
	places keypoint.Parts // that have positions in some frame; 0 unless cameras see them in space
}

func newBody(seq keypoint.Sequence) *body {
	b := &body{seq: seq}
	b.rate, _ = seq.FrameRate()
	for i := range seq.Frames {
		if seq.Space.Seen() {
			b.places |= seq.Frames[i].Positions().Present()
		}
	}
	b.torso = b.upper(torsoLength)
	b.height = b.upper(func(f *keypoint.Frame) (float64, bool) { return f.BodyHeight() })
	return b
}

const (
	block   = 0.5 // seconds that share a scale
	around  = 4   // blocks on each side that count for it
	largest = 1e9 // pixels; longer ones are no body's, and those below its inverse neither
)

// upper returns for each frame the 90th percentile of a length within about two seconds of the same person: what is
// foreshortened in some frames has its length in others. Without times the whole recording counts.
func (b *body) upper(length func(*keypoint.Frame) (float64, bool)) []float64 {
	out := make([]float64, b.seq.Len())
	all := make([]float64, b.seq.Len())
	for i := range b.seq.Frames {
		if v, ok := length(&b.seq.Frames[i]); ok && v > 1/largest && v < largest {
			all[i] = v
		}
	}
	step := max(b.seq.Len(), 1)
	if b.rate > 0 {
		step = b.frames(block)
	}
	for _, person := range b.seq.People() {
		for first := person.First; first <= person.Last; first += step {
			near := all[max(first-around*step, person.First):min(first+(around+1)*step, person.Last+1)]
			sample := rank.Known(len(near), func(k int) (float64, bool) { return near[k], near[k] > 0 })
			if len(sample) == 0 {
				continue
			}
			v := percentile90(sample)
			for i := first; i < min(first+step, person.Last+1); i++ {
				out[i] = v
			}
		}
	}
	return out
}

// torsoLength returns the torso length, or what it should be by a leg if that is longer: the torso of a
// body that bends towards the camera is foreshortened, and the leg that it stands on is not.
func torsoLength(f *keypoint.Frame) (pixels float64, ok bool) {
	pixels, ok = f.TorsoLength()
	for _, side := range [2][3]keypoint.Part{
		{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle},
	} {
		thigh, okT := f.Distance(side[0], side[1])
		shank, okS := f.Distance(side[1], side[2])
		if okT && okS {
			pixels = max(pixels, (thigh+shank)/(legs[0].length+legs[1].length))
		}
	}
	return pixels, ok
}

// boneLength returns the 90th percentile of a bone's length, of both sides the longer, in torso lengths; 0 if it is never seen.
func (b *body) boneLength(s segment) float64 {
	longest := 0.0
	for _, e := range [2]keypoint.Edge{{s.from, s.to}, {s.from.Mirror(), s.to.Mirror()}} {
		lengths := rank.Known(b.seq.Len(), func(i int) (float64, bool) {
			d, ok := b.seq.Frames[i].Distance(e[0], e[1])
			return d / b.torso[i], ok && b.torso[i] > 0
		})
		if len(lengths) > 0 {
			longest = max(longest, percentile90(lengths))
		}
	}
	return longest
}

// frames returns how many frames a time in seconds is, at least 1; 1 if the rate is unknown.
func (b *body) frames(seconds float64) int { return max(int(math.Round(seconds*b.rate)), 1) }

// spans returns a warning, without code and detail, for each run of frames for which is reports true. Runs
// less than gap frames apart are joined; then those of fewer than least frames are dropped.
func (b *body) spans(is func(i int) bool, gap, least int) (runs []Warning) {
	for i := range b.seq.Frames {
		switch {
		case !is(i):
		case len(runs) > 0 && i-runs[len(runs)-1].To <= gap:
			runs[len(runs)-1].To = i
		default:
			runs = append(runs, Warning{From: i, To: i})
		}
	}
	return slices.DeleteFunc(runs, func(s Warning) bool { return s.To-s.From+1 < least })
}

// warn sets the code and the detail of the warnings, and returns them.
func warn(code Code, detail string, list []Warning) []Warning {
	for i := range list {
		list[i].Code, list[i].Detail = code, detail
	}
	return list
}

// marked returns the runs of frames in which some parts are marked, with these parts.
func (b *body) marked(parts []keypoint.Parts, gap, least int) []Warning {
	runs := b.spans(func(i int) bool { return parts[i] != 0 }, gap, least)
	for k := range runs {
		for _, p := range parts[runs[k].From : runs[k].To+1] {
			runs[k].Parts |= p
		}
	}
	return runs
}

// middle returns the middle of a pair of parts, or the one that was found.
func middle(f *keypoint.Frame, left keypoint.Part) (keypoint.Point, bool) {
	return f.Centroid(keypoint.PartsOf(left, left.Mirror()))
}

// percentile90 returns the 90th percentile of one or more numbers, which it reorders.
func percentile90(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)*9/10]
}
