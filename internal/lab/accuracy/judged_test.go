package accuracy_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// figures are what is counted over frames. All of them count frames with at least half of the person in
// the picture.
type figures struct {
	view              score.Share // of upright frames: the view is within 20 degrees
	place, feet       score.Share // coordinates of the 17 parts, and of heels and toes: likewise
	below55, beyond70 score.Share // a sagittal angle is said to be out of plane
	above35, below20  score.Share // a frontal one
}

// judgement is the outcome for one movie.
type judgement struct {
	figures
	report quality.Report
}

const (
	upright  = 30  // degrees that the trunk may lean in upright frames
	inside   = 0.5 // least share of the person in the picture
	nearView = 20  // two of the uncertainties of a view by depth, degrees
)

// judged cleans and judges the keypoints of a movie.
func judged(truth *truth.Truth, raw keypoint.Sequence, options clean.Options) (m judgement, err error) {
	seq, changes, err := clean.Run(raw, options)
	if err != nil {
		return m, err
	}
	m.report, err = quality.Assess(quality.Input{Sequence: seq, Cleaning: changes})
	if err != nil {
		return m, err
	}
	u := quality.NewUncertainty(seq)
	for i := range min(seq.Len(), len(truth.View)) {
		if truth.Inside[i] < inside {
			continue
		}
		m.planesOf(truth, i)
		m.coveredBy(u, truth, &seq.Frames[i], i)
	}
	return m, nil
}

// planesOf counts the view of a frame and what is said of the planes.
func (m *judgement) planesOf(truth *truth.Truth, i int) {
	want := math.Abs(truth.View[i])
	if math.Abs(truth.Angles3D["trunk_forward"][i]) < upright {
		got, ok := m.report.View(i)
		m.view = m.view.With(ok && math.Abs(got-want) <= nearView)
	}
	off := min(want, 180-want)
	for _, c := range []struct {
		share   *score.Share
		plane   quality.Plane
		counted bool
	}{
		{&m.below55, quality.Sagittal, off < 55}, {&m.beyond70, quality.Sagittal, off > 70},
		{&m.above35, quality.Frontal, off > 35}, {&m.below20, quality.Frontal, off < 20},
	} {
		if c.counted {
			*c.share = c.share.With(len(m.report.OutOfPlane(c.plane, i, i)) > 0)
		}
	}
}

// coveredBy counts the coordinates of a frame that are within two uncertainties.
func (m *judgement) coveredBy(u *quality.Uncertainty, truth *truth.Truth, f *keypoint.Frame, i int) {
	for _, p := range (f.Present() & truth.Parts.Frames[i].Present()).List() {
		got, _ := f.At(p)
		want, _ := truth.Parts.Frames[i].At(p)
		share := &m.place
		if keypoint.Feet.Has(p) {
			share = &m.feet
		}
		if sigma, known := u.Point(i, keypoint.PartSelector(p)); known {
			for axis := range 2 {
				*share = share.With(math.Abs(got[axis]-want[axis]) <= 2*sigma)
			}
		}
	}
}

// plus returns the sum of both.
func (f figures) plus(o figures) figures {
	return figures{
		f.view.Plus(o.view), f.place.Plus(o.place), f.feet.Plus(o.feet),
		f.below55.Plus(o.below55), f.beyond70.Plus(o.beyond70), f.above35.Plus(o.above35), f.below20.Plus(o.below20),
	}
}

// codes returns the codes of the warnings, each once, with their numbers of frames.
func (m *judgement) codes() []string {
	var order []quality.Code
	frames := map[quality.Code]int{}
	for _, w := range m.report.Warnings {
		if !slices.Contains(order, w.Code) {
			order = append(order, w.Code)
		}
		frames[w.Code] += w.To - w.From + 1
	}
	var list []string
	for _, c := range order {
		list = append(list, fmt.Sprintf("%s:%d", c, frames[c]))
	}
	return list
}

// String tells of view and uncertainty.
func (f figures) String() string {
	return fmt.Sprintf("within two uncertainties: view %s, coordinates %s, of heels and toes %s",
		f.view.Percent(), f.place.Percent(), f.feet.Percent())
}

// planes tells of what is said of the planes.
func (f figures) planes() string {
	return fmt.Sprintf("out of plane: sagittal below 55° %s, beyond 70° %s; frontal above 35° %s, below 20° %s",
		f.below55.Percent(), f.beyond70.Percent(), f.above35.Percent(), f.below20.Percent())
}
