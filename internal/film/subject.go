package film

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Subject is a recording and what is drawn onto its pictures.
type Subject struct {
	Keypoints  keypoint.Sequence
	Rules      []draw.Rule
	Background draw.Background
	Fonts      []draw.Font // for labels

	Analyses []analyze.Rule // whose values labels write
	Analysed keypoint.Span  // the frames that have these; zero: all
	Values   []analyze.Rule // whose values are written beside the joints, as a study tells them
	Quality  quality.Report // of the keypoints; zero: it is assessed
	Captions []string       // of all pictures
	Sketches []draw.Sketch  // drawn by hand

	Differences []compare.Frame                  // of the comparison, one a frame; nil: no comparison
	Overlay     func() ([]keypoint.Frame, error) // the target laid over each frame, if it is needed

	Faces []keypoint.Sequence // people whose faces are blurred

	Shown image.Point // the size in which the pictures are shown; zero: their own
}

// Prepare compiles the rules and works out what they need of each frame.
func (s *Subject) Prepare() (*draw.Style, func(frame int) draw.Inputs, error) {
	if err := CheckLabels(s.Rules, len(s.Analyses)); err != nil {
		return nil, nil, err
	}
	seq := s.Keypoints
	size := cmp.Or(s.Shown, seq.Size)
	shown := Resized(seq, size)
	written, estimated, err := s.told()
	if err != nil {
		return nil, nil, err
	}
	style, err := draw.Compile(s.rules(written), s.Background, s.Differences != nil, s.Fonts...)
	if err != nil {
		return nil, nil, err
	}
	if s.Differences != nil && len(s.Differences) != seq.Len() {
		return nil, nil, fmt.Errorf("the comparison has %d frames, its source %d", len(s.Differences), seq.Len())
	}
	needs := style.Needs()
	var overlay []keypoint.Frame
	if needs.Target {
		if overlay, err = s.Overlay(); err != nil {
			return nil, nil, err
		}
		overlay = Resized(keypoint.Sequence{Frames: overlay, Size: seq.Size}, size).Frames
	}
	var values []analyze.Result
	if needs.Value {
		if s.Analysed == (keypoint.Span{}) {
			s.Analysed.Last = seq.Len() - 1
		}
		if values, err = analyze.RunWith(seq, s.Analyses, analyze.Options{Part: &s.Analysed}); err != nil {
			return nil, nil, err
		}
		values = append(values, written...)
	}
	var hidden []keypoint.Parts
	if needs.Hidden {
		hidden = quality.Hidden(seq)
	}
	var blurred []keypoint.Sequence
	for _, f := range s.Faces {
		blurred = append(blurred, Resized(f, size))
	}
	faces := draw.Faces(blurred...)
	return style, func(i int) draw.Inputs {
		in := draw.Inputs{Captions: s.Captions, Sketches: s.sketches(i, size)}
		if s.Differences != nil {
			in.Distance = s.distance(i)
		}
		if times := seq.Times; needs.History && times != nil {
			in.History = keypoint.Sequence{Frames: shown.Frames[:i+1], Times: times[:i+1], Size: shown.Size}
		}
		if overlay != nil {
			in.Target = &overlay[i]
		}
		if values != nil {
			in.Value = func(n int) (string, bool) {
				k := n - len(s.Analyses)
				text, ok := labelText(values[n], i, needs.Hidden || k >= 0)
				if ok && k >= 0 && estimated[k] {
					text = "~ " + text
				}
				return text, ok
			}
		}
		if hidden != nil {
			in.Hidden = hidden[i]
		}
		if i < len(faces) {
			in.Faces = faces[i]
		}
		return in
	}, nil
}

// sketches returns those that a frame shows, in pixels of a picture of a size.
func (s *Subject) sketches(i int, size image.Point) (list []draw.Sketch) {
	x, y := float64(size.X)/float64(s.Keypoints.Size.X), float64(size.Y)/float64(s.Keypoints.Size.Y)
	for _, one := range s.Sketches {
		if one.Frame > i || i > max(one.Frame, one.Last) {
			continue
		}
		one.Points = slices.Clone(one.Points)
		for k, at := range one.Points {
			one.Points[k] = keypoint.Point{at[0] * x, at[1] * y}
		}
		list = append(list, one)
	}
	return list
}

// distance returns how far parts are from those of the target in a frame.
func (s *Subject) distance(i int) func(keypoint.Part) (float64, bool) {
	return func(part keypoint.Part) (float64, bool) {
		d, ok := s.Differences[i].At(part)
		return d.Distance, ok
	}
}

// isBody reports whether a rule draws a Body.
func isBody(r draw.Rule) bool { return r.Type == draw.Body().Type }

// told returns the results of Values, and which are estimated. A named angle has the values that a study tells of it: none where it
// withholds them.
func (s *Subject) told() (results []analyze.Result, estimated []bool, err error) {
	if len(s.Values) == 0 {
		return nil, nil, nil
	}
	if results, err = analyze.Run(s.Keypoints, s.Values); err != nil {
		return nil, nil, err
	}
	judged := s.Quality
	if judged.Verdict == "" {
		if judged, err = quality.Assess(quality.Input{Sequence: s.Keypoints}); err != nil {
			return nil, nil, err
		}
	}
	shown, err := study.Run(s.Keypoints, judged)
	estimated = make([]bool, len(results))
	for k := range results {
		r := &results[k]
		for _, m := range slices.Concat(shown.Measures, shown.Estimates) {
			if m.Type == r.Type && m.Side == r.Side && !s.Values[k].Hidden {
				r.Values, r.Uncertainty, estimated[k] = m.Values, m.Uncertainty, m.Estimated
			}
		}
	}
	return results, estimated, err
}

// rules returns the rules, and labels for the results of Values that have a value. Without Rules, these come on top of the default drawing.
func (s *Subject) rules(written []analyze.Result) []draw.Rule {
	if s.Values == nil {
		return s.Rules
	}
	var at [][]keypoint.Part
	var numbers []int // of the values, those that are there most first: they take the best places
	there := make([]int, len(written))
	for k, r := range written {
		for _, v := range r.Values {
			if v.Present {
				there[k]++
			}
		}
		if there[k] > 0 {
			numbers = append(numbers, k)
		}
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return there[b] - there[a] })
	for _, k := range numbers {
		at = append(at, s.Values[k].Place())
	}
	rules := s.Rules
	if rules == nil {
		rules = draw.Defaults(s.Differences != nil)
	}
	rules = slices.Clone(rules)
	seen, body := s.Keypoints, slices.ContainsFunc(rules, isBody)
	if body {
		seen = seen.Clone()
		for i, parts := range quality.Hidden(seen) {
			seen.Frames[i] = seen.Frames[i].Only(^parts)
		}
	}
	for k, r := range draw.Values(seen, at) {
		number := len(s.Analyses) + numbers[k]
		if r.Analysis = &number; body {
			r.Text = nameOf(s.Values, numbers[k])
		}
		rules = append(rules, r)
	}
	return rules
}

// CheckLabels reports a label that writes the value of an analysis beyond the n that there are.
func CheckLabels(rules []draw.Rule, n int) error {
	for _, r := range rules {
		if r.Analysis != nil && *r.Analysis >= n {
			return fmt.Errorf("a label writes the value of analysis %d, counted from 0, but there are %d", *r.Analysis, n)
		}
	}
	return nil
}

// nameOf returns the name of a value at its place: of the joint, or if others are there of what is measured.
func nameOf(list []analyze.Rule, k int) string {
	name, at := say.Name(string(list[k].Type)), list[k].Place()
	if len(at) == 1 && !slices.ContainsFunc(list, func(r analyze.Rule) bool {
		return r.Type != list[k].Type && slices.Equal(r.Place(), at)
	}) {
		name = say.Part(at[0])
	}
	return name.Title().String()
}

// labelText writes the value of frame i with its uncertainty and unit. If wary, a number that nobody should read is missing.
func labelText(r analyze.Result, i int, wary bool) (text string, ok bool) {
	v, sigma, unit := r.Values[i], 0.0, cmp.Or(r.Unit, r.Type.Unit())
	if i < len(r.Uncertainty) && !r.Type.Pair() {
		sigma = r.Uncertainty[i].X
	}
	if degree := quality.Degree(unit); !v.Present || wary && degree > 0 && quality.TrustOf(sigma/degree) == quality.TrustWithheld {
		return "", false
	}
	if x := say.Measured(string(r.Type), v.X, sigma, unit); !r.Type.Pair() {
		return x.String(), true
	}
	if unit == "px" { // a place
		unit = ""
	}
	y := say.Amount{Value: v.Y, Unit: unit}
	return (say.Amount{Value: v.X, Unit: unit}).Number() + ", " + y.String(), true
}
