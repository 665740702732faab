package compare

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/bodymotion/motion/keypoint"
)

// frameSeconds is the assumed duration of a frame if a recording has no times.
const frameSeconds = 1.0 / 30

// maxCells bounds the memory of DTW: five bytes for each pair of frames in the band.
const maxCells = 64 << 20

// warp is dynamic time warping (Sakoe and Chiba 1978): of all paths through the frames of both recordings that begin with their
// first and end with their last frames and never go back, the one with the smallest sum of pose distances and penalties. Each
// frame of the source takes, of the target's frames that it meets, the one that is nearest in pose.
func warp(source, target side, opt Options) (alignment, error) {
	ns, nt := source.seq.Len(), target.seq.Len()
	low, high := band(source.seq, target.seq, opt.Window)
	start := make([]int, ns+1) // of each row in from
	for i := range ns {
		start[i+1] = start[i] + high[i] - low[i] + 1
	}
	if start[ns] > maxCells {
		return alignment{}, fmt.Errorf("%w alignment: %d × %d frames are too many to warp without a narrower window", keypoint.ErrInvalid, ns, nt)
	}
	s, t := poses(source), poses(target)
	const diagonal, up, left = 0, 1, 2 // the step that leads to a cell
	from := make([]byte, start[ns])
	cost := make([]float32, start[ns])
	before, row := slices.Repeat([]float64{math.Inf(1)}, nt+1), make([]float64, nt+1) // row[j+1] belongs to frame j
	before[0] = 0
	for i := range ns {
		row[low[i]] = math.Inf(1) // left of the band
		nearby := cost[start[i]:start[i+1]]
		s[i].distances(t[low[i]:high[i]+1], nearby)
		for j := low[i]; j <= high[i]; j++ {
			c := float64(nearby[j-low[i]])
			best, step := before[j], byte(diagonal)
			if v := before[j+1] + opt.Penalty; v < best {
				best, step = v, up
			}
			if v := row[j] + opt.Penalty; v < best {
				best, step = v, left
			}
			row[j+1] = best + c
			cell := start[i] + j - low[i]
			from[cell] = step
		}
		if i+1 < ns {
			for j := high[i] + 1; j <= high[i+1]; j++ { // above the next row, right of the band
				row[j+1] = math.Inf(1)
			}
		}
		before, row = row, before
	}
	a := alignment{positions: make([]position, ns)}
	nearest := slices.Repeat([]float32{float32(math.Inf(1))}, ns)
	for i, j := ns-1, nt-1; i >= 0 && j >= 0; {
		a.path = append(a.path, [2]int{i, j})
		cell := start[i] + j - low[i]
		if cost[cell] <= nearest[i] {
			nearest[i], a.positions[i] = cost[cell], position{k: j}
		}
		switch from[cell] {
		case diagonal:
			i, j = i-1, j-1
		case up:
			i--
		default:
			j--
		}
	}
	slices.Reverse(a.path)
	if source.seq.Times != nil {
		a.unmatched(source.seq.Times, nearest, 0, 0, 1)
		a.unmatched(source.seq.Times, nearest, nt-1, ns-1, -1)
		for _, k := range holes(target.seq) {
			at := sort.Search(ns, func(i int) bool { return a.positions[i].k > k }) // the first frame after the hole
			if at > 0 && at < ns {
				a.unmatched(source.seq.Times, nearest, k, at-1, -1)
				a.unmatched(source.seq.Times, nearest, k+1, at, 1)
			}
		}
	}
	return a, nil
}

// Where a path waits for the other recording to begin, to end or to go on after a hole, frames of the source that differ
// by more than 0.03 as a distance have no counterpart, if the wait is longer than a quarter of a second.
const waiting, waits = 0.25, 0.03

// unmatched marks the frames from one end on, in steps of 1 or −1, that wait at a frame of the target.
func (a alignment) unmatched(times []float64, nearest []float32, frame, end, step int) {
	last := end
	for last+step >= 0 && last+step < len(times) && a.positions[last].k == frame && a.positions[last+step].k == frame {
		last += step
	}
	if math.Abs(times[last]-times[end]) <= waiting {
		return
	}
	for i := end; i != last; i += step {
		a.positions[i].outside = nearest[i] > waits
	}
}

// band returns the first and last frame of the target that each frame of the source may meet: those within window seconds of
// the linear alignment, and enough for a path to exist.
func band(source, target keypoint.Sequence, window float64) (low, high []int) {
	ns, nt := source.Len(), target.Len()
	low, high = make([]int, ns), make([]int, ns)
	at := func(j int) float64 {
		if target.Times == nil {
			return float64(j) * frameSeconds
		}
		return target.Times[j]
	}
	for i := range ns {
		low[i], high[i] = 0, nt-1
		if window == 0 {
			continue
		}
		m := linear(source, target, i)
		centre := at(m.k)
		for low[i] = m.k; low[i] > 0 && at(low[i]-1) >= centre-window; {
			low[i]--
		}
		for high[i] = min(m.k+1, nt-1); high[i] < nt-1 && at(high[i]+1) <= centre+window; {
			high[i]++
		}
		if i > 0 { // neighbouring rows touch
			low[i] = min(low[i], high[i-1])
		}
	}
	low[0], high[ns-1] = 0, nt-1
	return low, high
}
