// Package recorded has movements of people with markers, as the places of their parts in space, and shows them as cameras would
// see them. Those in testdata/recorded are public: see NOTICE.
package recorded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// Clip is a recorded movement.
type Clip struct {
	Name, Person, Movement string
	Height                 float64 // metres
	Parts                  keypoint.Parts
	Times                  []float64
	World                  []rendered.World // metres, y up; the person faces +z in the mean
	Reps                   []rendered.Rep   // from rest to rest; nil: it is not known whether there are some
}

// underscore is that in left_big_toe.
var underscore = regexp.MustCompile("_[a-z]")

// Read reads a clip, packed JSON: places in millimetres by frame, or of each coordinate the first and the steps from frame to frame.
func Read(packed []byte) (*Clip, error) {
	var d struct {
		Format, ID, Subject, Label string
		Rate                       float64
		Height                     float64 `json:"height_m"`
		Parts                      []string
		Reps                       []rendered.Rep
		MM                         [][]int
		Steps                      [][]int
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(unpacked)
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(d.Format, "mocap") || !(d.Rate > 0) {
		return nil, fmt.Errorf("format %q, %v frames a second", d.Format, d.Rate)
	}
	c := &Clip{Name: d.ID, Person: d.Subject, Movement: d.Label, Height: d.Height, Reps: d.Reps}
	rows := d.MM
	for k, steps := range d.Steps {
		for i, at := 0, 0; i < len(steps); i++ {
			if at += steps[i]; k == 0 {
				rows = append(rows, make([]int, len(d.Steps)))
			}
			rows[i][k] = at
		}
	}
	for i, row := range rows {
		var w rendered.World
		for k, name := range d.Parts {
			p, err := keypoint.ParsePart(underscore.ReplaceAllStringFunc(name, func(s string) string { return strings.ToUpper(s[1:]) }))
			if err != nil || len(row) != 3*len(d.Parts) {
				return nil, fmt.Errorf("frame %d: %d numbers of %d parts: %w", i, len(row), len(d.Parts), err)
			}
			c.Parts |= keypoint.PartsOf(p)
			w[p] = keypoint.Position{float64(row[3*k]), float64(row[3*k+1]), float64(row[3*k+2])}.Mul(1e-3)
		}
		c.Times, c.World = append(c.Times, float64(i)/d.Rate), append(c.World, w)
	}
	return c, nil
}

// Around returns a camera one metre above the floor that looks at a place of that height from so many metres away, turned to the left
// of somebody there who faces +z.
func Around(at keypoint.Position, degrees, distance float64) keypoint.Camera {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	at[1] = 1
	c := keypoint.Camera{Focal: 1200, Size: image.Pt(1280, 960)}
	c.Rotation = mgl64.Mat3FromRows(mgl64.Vec3{cos, 0, -sin}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{-sin, 0, -cos})
	c.Translation = keypoint.Position{0, 0, distance}.Sub(c.Rotation.Mul3x1(at))
	return c
}

// Camera returns the camera that has the whole movement in its picture, seen from a view: 0 from the front, 90 from the left.
func (c *Clip) Camera(view float64) keypoint.Camera {
	low, high := c.World[0].Middle(keypoint.LeftHip), c.World[0].Middle(keypoint.LeftHip)
	for i := range c.World {
		at := c.World[i].Middle(keypoint.LeftHip)
		for k := range at {
			low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
		}
	}
	return Around(low.Add(high).Mul(0.5), view, 4.5+math.Hypot(high[0]-low[0], high[2]-low[2]))
}

// The errors of networks, in trunk lengths, as found of people with markers: what is constant, what wanders, and what trembles. What
// wanders is 0.065, but neighbouring parts share much of it. Knees and what is around them follow ofPart.
const (
	constant  = 0.05
	wandering = 0.04
	wanders   = 0.7 // seconds
	trembling = 0.02
)

// ofPart returns the error of a part: hips are found worse than ankles and these worse than knees, which share some of their hip's error.
// Seen from the side, the directions of thigh and shank then err by 3 degrees, each on its own, and knees by 4, as those of people who walk.
func ofPart(errors *[keypoint.NumParts]keypoint.Point, p keypoint.Part) keypoint.Point {
	switch p {
	case keypoint.LeftHip, keypoint.RightHip:
		return errors[p].Mul(1.25)
	case keypoint.LeftKnee, keypoint.RightKnee:
		return errors[p].Mul(0.65).Add(ofPart(errors, p-2).Mul(0.3))
	case keypoint.LeftAnkle, keypoint.RightAnkle:
		return errors[p].Mul(0.85)
	}
	return errors[p]
}

// Seen returns what a camera sees of the parts: exactly, or with the errors of a network, the same each time.
func (c *Clip) Seen(camera keypoint.Camera, errors bool) keypoint.Sequence {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, len(c.World)), Times: c.Times, Size: camera.Size}
	seed := fnv.New64()
	fmt.Fprint(seed, c.Name, camera.Translation)
	chance := rand.New(rand.NewPCG(1, seed.Sum64())) //nolint:gosec // the same each time
	draw := func(size float64) keypoint.Point {
		return keypoint.Point{size * chance.NormFloat64(), size * chance.NormFloat64()}
	}
	stays := math.Exp(-(c.Times[1] - c.Times[0]) / wanders)
	var offset, error [keypoint.NumParts]keypoint.Point
	for p := range offset {
		offset[p], error[p] = draw(constant), draw(wandering)
	}
	for i := range seq.Frames {
		trunk := camera.Focal * c.World[i].Middle(keypoint.LeftShoulder).Sub(c.World[i].Middle(keypoint.LeftHip)).Len() /
			c.World[i].Middle(keypoint.LeftHip).Sub(camera.Eye()).Len()
		for _, p := range c.Parts.List() {
			at, ok := camera.Project(c.World[i][p])
			if errors {
				error[p] = error[p].Mul(stays).Add(draw(wandering * math.Sqrt(1-stays*stays)))
				at = at.Add(ofPart(&offset, p).Add(ofPart(&error, p)).Add(draw(trembling)).Mul(trunk))
			}
			if ok {
				seq.Frames[i].Set(p, at, 0.9)
			}
		}
	}
	return seq
}

// Places returns the exact places, as cameras that see everything find them.
func (c *Clip) Places() keypoint.Sequence {
	seq := c.Seen(c.Camera(90), false)
	seq.Space = &keypoint.Space{Unit: keypoint.Metres, Angle: 90, Cameras: make([]keypoint.Camera, 2)}
	for i := range seq.Frames {
		var places keypoint.Positions
		for _, p := range c.Parts.List() {
			places.Set(p, c.World[i][p], 0)
		}
		seq.Frames[i].SetPositions(&places)
	}
	return seq
}
