package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// track is the places of a marker in metres, right-handed with y up; NaN where it was not seen.
type track []keypoint.Position

// nowhere is where a marker is that was not seen.
var nowhere = keypoint.Position{math.NaN(), math.NaN(), math.NaN()}

// trajectories reads a file of Vicon Nexus: the word Trajectories, frames a second, the names of the markers as SUBJECT:NAME, Frame,
// Sub Frame and X, Y, Z of each, their units, and a line for each frame; millimetres with z up.
func trajectories(r io.Reader) (rate float64, markers map[string]track, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var names []string
	for n := 1; lines.Scan(); n++ {
		cells := strings.Split(strings.TrimRight(lines.Text(), "\r"), ",")
		switch {
		case n == 1 && strings.TrimPrefix(cells[0], "\ufeff") != "Trajectories":
			return 0, nil, errors.New("line 1 is not the word Trajectories")
		case n == 2:
			if rate, err = strconv.ParseFloat(cells[0], 64); err != nil || !(rate > 0) {
				return 0, nil, fmt.Errorf("line 2: %q frames a second", cells[0])
			}
		case n == 3:
			markers = map[string]track{}
			for k := 2; k < len(cells); k += 3 {
				_, name, _ := strings.Cut(cells[k], ":")
				names = append(names, name)
			}
		case n > 5 && len(cells) > 1: // the last line may be empty
			for k, name := range names {
				if name == "" {
					continue
				}
				at := nowhere
				for axis := range at {
					if i := 2 + 3*k + axis; i < len(cells) && cells[i] != "" {
						if at[axis], err = strconv.ParseFloat(cells[i], 64); err != nil {
							return 0, nil, fmt.Errorf("line %d, %s: %w", n, name, err)
						}
					}
				}
				markers[name] = append(markers[name], keypoint.Position{at[0], at[2], -at[1]}.Mul(1e-3))
			}
		}
	}
	return rate, markers, lines.Err()
}

const (
	bridged   = 0.2 // seconds of a marker that was not seen, which a line fills
	thinned   = 50  // frames a second at most
	leastLong = 2.0 // seconds of a recording
	moving    = 0.2 // metres a second of the hips, over half a second
)

// every so many frames, without gaps that are short.
func (t track) thin(step int, rate float64) (list track) {
	t, last := slices.Clone(t), -1
	for i := range t {
		if math.IsNaN(t[i][0]) {
			continue
		}
		if gap := i - last; last >= 0 && gap > 1 && float64(gap) <= bridged*rate {
			for k := last + 1; k < i; k++ {
				t[k] = t[last].Add(t[i].Sub(t[last]).Mul(float64(k-last) / float64(gap)))
			}
		}
		last = i
	}
	for i := 0; i < len(t); i += step {
		list = append(list, t[i])
	}
	return list
}

// Places of joints behind the markers of the lower body, metres: those of the knee and the ankle are so far inward of the lateral ones.
const kneeInward, ankleInward = 0.060, 0.042

// legs are the joints that the markers of a lower body show in a frame: the hips by Harrington and others (J Biomech 40:595, 2007), from
// the width and the depth of the pelvis. Trunk, arms and head hang upright above it, as there are no markers: they are drawn.
func legs(at func(name string) keypoint.Position, width, depth, behind, height float64) (w rendered.World) {
	left := at("LASI").Sub(at("RASI")).Normalize()
	front := at("LASI").Add(at("RASI")).Mul(0.5)
	var back []keypoint.Position
	for name, side := range map[string]float64{"LPSI": -0.5, "RPSI": 0.5} {
		if p := at(name); !math.IsNaN(p[0]) {
			back = append(back, p.Add(left.Mul(side*behind)))
		}
	}
	if len(back) == 0 {
		back = []keypoint.Position{nowhere}
	}
	forward := front.Sub(back[0].Add(back[len(back)-1]).Mul(0.5))
	forward = forward.Sub(left.Mul(forward.Dot(left))).Normalize()
	up := forward.Cross(left)
	middle := front.Add(forward.Mul(-0.24*depth - 0.0099)).Add(up.Mul(-0.30*width - 0.0109))
	ahead := left.Cross(keypoint.Position{0, 1, 0}).Normalize()
	for letter, out := range map[string]float64{"L": 1, "R": -1} {
		put := func(p keypoint.Part, at keypoint.Position) {
			if out < 0 {
				p = p.Mirror()
			}
			w[p] = at
		}
		draw := func(p keypoint.Part, aside, high, far float64) {
			put(p, middle.Add(left.Mul(out*aside*height)).Add(keypoint.Position{0, high * height, 0}).Add(ahead.Mul(far*height)))
		}
		put(keypoint.LeftHip, middle.Add(left.Mul(out*(0.33*width+0.0073))))
		put(keypoint.LeftKnee, at(letter+"KNE").Sub(left.Mul(out*kneeInward)))
		put(keypoint.LeftAnkle, at(letter+"ANK").Sub(left.Mul(out*ankleInward)))
		put(keypoint.LeftHeel, at(letter+"HEE"))
		put(keypoint.LeftBigToe, at(letter+"TOE"))
		draw(keypoint.LeftShoulder, 0.11, 0.288, 0)
		draw(keypoint.LeftElbow, 0.12, 0.1, 0)
		draw(keypoint.LeftWrist, 0.12, -0.05, 0.03)
		draw(keypoint.LeftEar, 0.04, 0.395, 0.01)
		draw(keypoint.LeftEye, 0.02, 0.406, 0.06)
		draw(keypoint.Nose, 0, 0.382, 0.075)
	}
	return w
}

// jointsOf returns what has the joints of a lower body in each frame, and how tall the person is.
func jointsOf(markers map[string]track) (joints func(i int) rendered.World, height float64) {
	at := func(name string, i int) keypoint.Position {
		if t := markers[name]; i < len(t) {
			return t[i]
		}
		return nowhere
	}
	typical := func(length func(i int) float64) float64 {
		n := len(markers["LASI"])
		return rank.Median(rank.Known(n, func(i int) (float64, bool) { v := length(i); return v, !math.IsNaN(v) }))
	}
	between := func(a, b string) float64 {
		return typical(func(i int) float64 { return at(a, i).Sub(at(b, i)).Len() })
	}
	depth := typical(func(i int) float64 {
		return at("LASI", i).Add(at("RASI", i)).Sub(at("LPSI", i)).Sub(at("RPSI", i)).Len() / 2
	})
	width, behind := between("LASI", "RASI"), between("LPSI", "RPSI")
	height = (between("LASI", "LKNE") + between("LKNE", "LANK")) / 0.52
	return func(i int) rendered.World {
		return legs(func(name string) keypoint.Position { return at(name, i) }, width, depth, behind, height)
	}, height
}

// drawn are the parts of a person whose legs have markers.
const drawn = keypoint.UpperBody | keypoint.LowerBody | 1<<keypoint.Nose | 1<<keypoint.LeftEye | 1<<keypoint.RightEye | 1<<keypoint.LeftEar |
	1<<keypoint.RightEar | 1<<keypoint.LeftHeel | 1<<keypoint.RightHeel | 1<<keypoint.LeftBigToe | 1<<keypoint.RightBigToe

// ofLegs returns the longest stretch of a recording of the lower body in which all its joints are known, facing +z in the mean, from half
// a second before the hips move until half a second after: people stand for up to eight seconds first, in which the errors of networks
// that are made for it would wander more than those of networks do.
func ofLegs(rate float64, markers map[string]track) (*recorded.Clip, error) {
	step := max(int(math.Round(rate/thinned)), 1)
	for name, t := range markers {
		markers[name] = t.thin(step, rate)
	}
	rate /= float64(step)
	joints, height := jointsOf(markers)
	c := &recorded.Clip{Parts: drawn, Height: height}
	var world []rendered.World
	from, first, end := 0, 0, 0
	for i := range markers["LASI"] {
		world = append(world, joints(i))
		if slices.ContainsFunc(drawn.List(), func(p keypoint.Part) bool { return math.IsNaN(world[i][p].Len()) }) {
			from = i + 1
		}
		if i+1-from > end-first {
			first, end = from, i+1
		}
	}
	for hips, i := keypoint.LeftHip, int(rate/2); len(world) > i && first < end-i && world[first+i][hips].Sub(world[first][hips]).Len() < moving/2; {
		first++
	}
	for hips, i := keypoint.LeftHip, int(rate/2); first < end-1-i && world[end-1][hips].Sub(world[end-1-i][hips]).Len() < moving/2; {
		end--
	}
	if float64(end-first) < leastLong*rate {
		return nil, fmt.Errorf("all joints are known for %.1f s at a stretch", float64(end-first)/rate)
	}
	c.World = world[first:end]
	for i := range c.World {
		c.Times = append(c.Times, float64(i)/rate)
	}
	return c, nil
}

// laboratory returns the recordings FOLDER/PERSON/MOVEMENT/NAME.csv of lower bodies, walks (Gang) and stairs (Treppe), from several
// views; those without a stretch of all joints are told of.
func laboratory(folder string, out io.Writer) (list []*recorded.Footage, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*", "*.csv"))
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		rate, markers, err := trajectories(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c, err := ofLegs(rate, markers)
		if err != nil {
			fmt.Fprintf(out, "%s is left out: %v\n", path, err)
			continue
		}
		movement := filepath.Dir(path)
		c.Name, c.Person = strings.TrimSuffix(filepath.Base(path), ".csv"), "E"+filepath.Base(filepath.Dir(movement))
		c.Movement = map[string]string{"Gang": "walk", "Treppe": stairs}[filepath.Base(movement)]
		list = append(list, c.Footages()...)
	}
	return list, err
}
