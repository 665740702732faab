package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
)

// The movies of OpenPose's points, of which the files say neither.
const filmRate = 30

var filmSize = image.Pt(1280, 720)

const (
	shared = 0.7 // the least share of the shorter recording that both have
	shifts = 60  // a second
)

// marked are the angles that markers of a whole body show; those of arms lie on the skin.
var marked = []analyze.Type{
	analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean, analyze.ElbowFlexion, analyze.ShoulderFlexion, analyze.ShoulderAbduction,
}

// twoClocks holds angles that were measured in a movie and by markers, whose clocks differ.
type twoClocks struct {
	told  []study.Measure
	times []float64
	truth [][]analyze.Value // of each that is told
	rate  float64
}

// sums returns those of each that is told, with the truth's clock so many seconds ahead.
func (c twoClocks) sums(ahead float64) (list []agree.Sums) {
	for k, m := range c.told {
		var s agree.Sums
		for i, v := range m.Values {
			at := int(math.Round((c.times[i] + ahead) * c.rate))
			if v.Present && at >= 0 && at < len(c.truth[k]) && c.truth[k][at].Present {
				s.Add(v.X, c.truth[k][at].X, m.Uncertainty[i].X)
			}
		}
		list = append(list, s)
	}
	return list
}

// together returns by how many seconds the truth's clock is ahead: where the angles are off least after taking out the bias of each, of
// those shifts at which the recordings share most of the shorter one.
func (c twoClocks) together() (ahead float64, err error) {
	most, least := c.times[len(c.times)-1], math.Inf(1)
	long := float64(len(c.truth[0])) / c.rate
	for k := range int((most + long) * shifts) {
		at := float64(k)/shifts - most
		if min(at+most, long)-max(at, 0) < shared*min(most, long) {
			continue
		}
		squares, n := 0.0, 0
		for _, s := range c.sums(at) {
			if s.N > 0 {
				squares, n = squares+float64(s.N)*s.Spread()*s.Spread(), n+s.N
			}
		}
		if off := squares / float64(n); off < least {
			least, ahead = off, at
		}
	}
	if math.IsInf(least, 1) {
		return 0, errors.New("nothing is told while the markers are seen")
	}
	return ahead, nil
}

// readClocks reads a recording: NAME.csv of markers, and NAME.zip of what OpenPose wrote beside it.
func readClocks(csv string) (c twoClocks, err error) {
	f, err := os.Open(csv)
	if err != nil {
		return c, err
	}
	defer f.Close()
	rate, markers, err := trajectories(f)
	if err != nil {
		return c, fmt.Errorf("%s: %w", csv, err)
	}
	path := strings.TrimSuffix(csv, ".csv") + ".zip"
	z, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer z.Close()
	seq, err := formats.Read(z, "openpose", formats.Options{Rate: filmRate, Size: filmSize})
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	seq, report, err := clean.Run(seq, clean.Default())
	if err != nil {
		return c, err
	}
	judged, err := quality.Assess(quality.Input{Sequence: seq, Cleaning: report})
	if err != nil {
		return c, err
	}
	said, err := study.Run(seq, judged)
	if err != nil {
		return c, err
	}
	places := inSpaceOf(rate, markers)
	c.times, c.rate = seq.Times, rate
	for _, m := range said.Measures {
		if !slices.Contains(marked, m.Type) {
			continue
		}
		values, err := valuesOf(places, m.Type, m.Side)
		if err != nil {
			return c, err
		}
		c.told, c.truth = append(c.told, m), append(c.truth, values)
	}
	return c, nil
}

// inSpaceOf returns the joints that markers of a whole body show, where they do.
func inSpaceOf(rate float64, markers map[string]track) keypoint.Sequence {
	joints, _ := jointsOf(markers)
	seq := keypoint.Sequence{Space: &keypoint.Space{Unit: keypoint.Metres, Angle: 90, Cameras: make([]keypoint.Camera, 2)}}
	for i := range markers["LASI"] {
		var f keypoint.Frame
		var places keypoint.Positions
		w := joints(i)
		for letter, p := range map[string]keypoint.Part{"L": keypoint.LeftShoulder, "R": keypoint.RightShoulder} {
			w[p], w[p+2] = markers[letter+"SHO"][i], markers[letter+"ELB"][i]
			w[p+4] = markers[letter+"WRA"][i].Add(markers[letter+"WRB"][i]).Mul(0.5)
		}
		for _, p := range (keypoint.UpperBody | keypoint.LowerBody).List() {
			if !math.IsNaN(w[p].Len()) {
				f.Set(p, keypoint.Point{w[p][0], -w[p][1]}, 1)
				places.Set(p, w[p], 0)
			}
		}
		f.SetPositions(&places)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/rate)
	}
	return seq
}

// clocks prints for each recording of a folder how well angles agree, after the clocks are laid upon each other where they agree
// best: rather too well.
func clocks(_ context.Context, _ options, folder string, out io.Writer) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil || len(paths) == 0 {
		return cmp.Or(err, fmt.Errorf("there is no NAME.csv in %q", folder))
	}
	t := newTable(out, "recording", "ahead s", "angle", "values", "bias °", "RMSE °", "without bias °", "ICC", "within σ", "within 2σ")
	for _, path := range paths {
		c, err := readClocks(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		ahead, err := c.together()
		if err != nil {
			t.row(name, err)
			continue
		}
		for k, s := range c.sums(ahead) {
			if s.N == 0 {
				continue
			}
			a := agree.Of(map[string]agree.Sums{name: s})
			t.row(name, fmt.Sprintf("%.2f", ahead), c.told[k].Name, a.Pairs, digits(a.Bias), digits(a.RMSE), digits(s.Spread()), share(a.ICC),
				share(a.Within), share(a.Within2))
		}
	}
	return t.Flush()
}
