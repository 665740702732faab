// Package clean repairs and smooths the keypoints of a recording: exchanged left and right, outliers, gaps and jitter.
//
//	cleaned, report, err := clean.Run(seq, clean.Default())
//	if err != nil {
//		return err
//	}
//	fmt.Println(report.Count(clean.Filled), cleaned.Len())
//
// The steps run in the order of the fields of Options, by the times of the frames. Each run of successive frames that
// have a part is filtered on its own, so a gap stays a gap unless it is filled. No step reaches across a frame from
// which somebody else is followed (Sequence.PersonChanges).
//
// If not all frames were looked at (Sequence.Looks), the steps see only those that were. After them, the frames between
// are filled, whatever the Options: each part along a cubic spline through the run of successive looks that have it,
// with the smaller confidence of the two looks around. Elsewhere the part stays absent.
//
// Stream cleans while frames arrive. The package is pure: no I/O, no clock, no goroutine.
package clean

import (
	"cmp"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// Options select the steps. The zero value selects none.
type Options struct {
	Swaps    bool      `json:"swaps,omitempty"`    // exchange left and right where the movement says so; see Stream
	Outliers *Outliers `json:"outliers,omitempty"` // remove points far from their neighbours in time
	Gaps     *Gaps     `json:"gaps,omitempty"`     // fill gaps
	Smooth   *Smooth   `json:"smooth,omitempty"`   // smooth

	// Coincident removes the less sure of two parts within 0.05 torso lengths of each other if its confidence is below
	// 0.5. The parts of one foot and its ankle may share a place, and no part of the body is removed because of a foot.
	// For elbows and wrists that near to their mirror parts, it reduces the lower confidence by 0.15.
	Coincident bool `json:"coincident,omitempty"`
}

// Default returns all steps, with gaps of at most 0.1 s and a Butterworth filter whose cut-off follows the movement.
func Default() Options {
	return Options{
		Swaps: true, Outliers: &Outliers{}, Gaps: &Gaps{Max: 0.1}, Smooth: &Smooth{Method: byButterworth}, Coincident: true,
	}
}

// Change is a set of changes to a part in a frame.
type Change uint8

// The changes.
const (
	Swapped    Change = 1 << iota // left and right were exchanged
	Rejected                      // the point was an outlier and was removed
	Filled                        // the point was absent, or its frame was not looked at, and was filled in
	Smoothed                      // the point was smoothed
	Ambiguous                     // the network contradicts itself about left and right of the part for long
	Coincident                    // the point was in the place of a surer part and was removed
	Doubted                       // the point is in the place of its mirror part and was made less sure
)

// Skip is a run of frames that smoothing left unchanged.
type Skip struct {
	Part        keypoint.Part
	First, Last int     // frames
	Need        int     // the number of frames that the filter needs; 0 if the run is long enough
	Rate        float64 // the frame rate that the filter needs more than, Hz; 0 if the run is fast enough
}

// Report lists the changes.
type Report struct {
	Changes [][keypoint.NumParts]Change // one per frame
	Skips   []Skip                      // by person, then by part, then by frame
	Cutoff  float64                     // of Butterworth, Hz, of several people the highest; 0 without it
}

// Count returns the number of points with the given change.
func (r Report) Count(c Change) int {
	n := 0
	for i := range r.Changes {
		for _, x := range r.Changes[i] {
			if x&c != 0 {
				n++
			}
		}
	}
	return n
}

// Counts are the numbers of points that cleaning changed, by how it did, and of runs of points that were too short to smooth.
type Counts struct {
	Swapped  int `json:"swapped"`
	Rejected int `json:"rejected"`
	Filled   int `json:"filled"`
	Smoothed int `json:"smoothed"`
	Skipped  int `json:"skipped"`

	Cutoff float64 `json:"cutoff,omitempty"` // of Butterworth, Hz; see Report
}

// Counts returns how many points were changed.
func (r Report) Counts() Counts {
	return Counts{
		Swapped: r.Count(Swapped), Rejected: r.Count(Rejected | Coincident),
		Filled: r.Count(Filled), Smoothed: r.Count(Smoothed), Skipped: len(r.Skips), Cutoff: r.Cutoff,
	}
}

// Run returns a cleaned copy of a sequence, with the frames between its looks filled. To an image, which has no times, only
// Coincident applies. An invalid sequence, several frames without times, and options out of range are a keypoint.ErrInvalid.
func Run(seq keypoint.Sequence, opt Options) (keypoint.Sequence, Report, error) {
	err := seq.Validate()
	if err == nil && seq.Times == nil && seq.Len() > 1 {
		err = fmt.Errorf("%w sequence: cleaning needs the times of its frames", keypoint.ErrInvalid)
	}
	if err = cmp.Or(err, opt.Validate()); err != nil {
		return keypoint.Sequence{}, Report{}, err
	}
	out := seq.LookedAt().Clone()
	report := Report{Changes: make([][keypoint.NumParts]Change, out.Len())}
	for _, span := range out.People() {
		one := Report{Changes: report.Changes[span.First : span.Last+1]}
		opt.clean(out.Slice(span.First, span.Last), &one)
		for _, skip := range one.Skips {
			skip.First, skip.Last = skip.First+span.First, skip.Last+span.First
			report.Skips = append(report.Skips, skip)
		}
		report.Cutoff = max(report.Cutoff, one.Cutoff)
	}
	if seq.Looks != nil {
		out, report = fillBetween(seq, out, report)
	}
	keepInside(out, report)
	return out, report, nil
}

// keepInside moves filled and smoothed points outside the picture to its edge.
func keepInside(seq keypoint.Sequence, report Report) {
	if seq.Size.X == 0 || seq.Size.Y == 0 {
		return // unknown
	}
	for i := range seq.Frames {
		f := &seq.Frames[i]
		inside := *f
		inside.Clamp(keypoint.Point{}, keypoint.Point{float64(seq.Size.X), float64(seq.Size.Y)})
		for _, p := range f.Present().List() {
			if report.Changes[i][p]&(Filled|Smoothed) != 0 {
				at, _ := inside.At(p)
				f.Set(p, at, f.Confidence(p))
			}
		}
	}
}

// clean cleans the keypoints of one person in place.
func (o Options) clean(seq keypoint.Sequence, report *Report) {
	if seq.Times != nil {
		o.cleanPaths(seq, report)
	}
	if o.Coincident {
		removeCoincident(seq, report)
	}
}

// cleanPaths takes the steps that work by the times of the frames.
func (o Options) cleanPaths(seq keypoint.Sequence, report *Report) {
	if o.Swaps {
		repairSwaps(seq, report)
	}
	t := newTrack(seq, report)
	for p := range keypoint.Part(keypoint.NumParts) {
		t.load(seq.Frames, p)
		if o.Outliers != nil {
			o.Outliers.reject(t)
		}
		if o.Gaps != nil {
			o.Gaps.fill(t)
		}
		t.store(seq.Frames)
	}
	if o.Smooth == nil {
		return
	}
	filter := o.Smooth.filter()
	if o.Smooth.Cutoff == 0 && filter.cutoff > 0 {
		filter = o.Smooth.follow(t, seq.Frames)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		t.load(seq.Frames, p)
		t.smooth(filter)
		t.store(seq.Frames)
	}
}

// Validate returns the options out of range as a keypoint.ErrInvalid with keypoint.FieldErrors.
func (o Options) Validate() error {
	var wrong keypoint.FieldErrors
	check := func(ok bool, pointer string, v any, want string) {
		if !ok {
			wrong = append(wrong, &keypoint.FieldError{Pointer: pointer, Detail: fmt.Sprintf("is %v, want %s", v, want)})
		}
	}
	if x := o.Outliers; x != nil {
		check(!(x.Window < 0 || x.Threshold < 0), "/outliers", *x, "a window and a threshold of 0 (default) or more")
	}
	if x := o.Gaps; x != nil {
		check(x.Method == "" || x.Method == byLinear || x.Method == byPCHIP, "/gaps/method", x.Method, "linear or pchip")
		check(x.Max >= 0, "/gaps", x.Max, "0 (default) or more seconds")
	}
	if x := o.Smooth; x != nil {
		window := x.Window == 0 || x.Window > 0 && x.Window%2 == 1 && x.Window <= 999
		switch x.Method {
		case "", byButterworth:
			want := "an order of 1 to 8 and a cut-off above 0 Hz, 0 for the defaults"
			check(x.Order >= 0 && x.Order <= 8 && x.Cutoff >= 0, "/smooth", *x, want)
		case byMedian, bySavitzkyGolay:
			check(window, "/smooth/window", x.Window, "an odd number of frames up to 999, 0 for the default")
			fits := x.Order >= 0 && x.Order <= 5 && (x.Order < cmp.Or(x.Window, savitzkyGolayWindow) || !window)
			check(x.Method == byMedian || fits, "/smooth/order", x.Order, "1 to 5 and less than the window, 0 for the default")
		case byOneEuro:
			check(x.Cutoff >= 0 && x.Beta >= 0, "/smooth", *x, "a cut-off and a beta of 0 or more")
		default:
			check(false, "/smooth/method", x.Method, "butterworth, oneEuro, median or savitzkyGolay")
		}
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("%w cleaning options: %w", keypoint.ErrInvalid, wrong)
}

// changeNames are the names of the changes, by bit.
var changeNames = []string{"swapped", "rejected", "filled", "smoothed", "ambiguous", "coincident", "doubted"}

// Names returns the names of the changes in the set, in their order.
func (c Change) Names() []string {
	var list []string
	for i, name := range changeNames {
		if c&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}
