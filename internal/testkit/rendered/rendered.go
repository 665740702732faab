// Package rendered reads the truth of rendered movies.
package rendered

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"regexp"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// Truth is what is known exactly of a rendered movie. All lists have one entry per frame. Left and right
// are the person's own as the picture shows them: for a mirrored movie they are exchanged.
type Truth struct {
	Name     string
	Motion   string               // what is done, such as "squat", "walking", "standing"
	Parts    keypoint.Sequence    // the parts in pixels, with feet, hidden ones too; without those outside the picture
	Known    keypoint.Parts       // those in space
	Mirrored bool                 // the picture is
	Visible  []keypoint.Parts     // those in the picture and not hidden
	Inside   []float64            // the share of the person's box inside the picture, 0 to 1; 0: gone
	View     []float64            // degrees from where the person faces to the camera: 0 front, 180 back, positive from the person's left
	World    []World              // the parts in space
	Seen     []World              // the same in metres right, down and forward of the camera; zero if the file does not tell
	Focal    float64              // focal length of the camera in pixels
	Angles2D map[string][]float64 // degrees in the picture: left_knee, right_hip, …; 180 is straight
	Angles3D map[string][]float64 // degrees in space: left_knee, right_hip, trunk_forward, …; 0 is straight
	Reps     []Rep
	Events   []Event
	Pace     Pace

	Height     float64   // of the person without shoes, metres
	Roll       float64   // of the camera in the first frame, degrees, positive clockwise as its holder sees it
	Scale      []float64 // metres per pixel at the middle of the hips
	FloorScale []float64 // metres per pixel at the middle of the ankles
}

// Pace is what is known of walking, running and jumping; 0 for other movements.
type Pace struct {
	Speed   float64 `json:"speed_m_s"`
	Cadence float64 `json:"cadence_steps_min"`
	Stride  float64 `json:"stride_m"`
	Step    float64 `json:"step_m"`
	Stance  float64 `json:"stance_share"`
	Flight  float64 `json:"flight_s"`
	Height  float64 `json:"jump_height_m"` // how far the centre of mass rises after take-off
	Hold    float64 `json:"hold_s"`        // of a stance on one leg
}

// World holds the parts of a frame in metres: x to the right, y up, z towards the camera.
type World [keypoint.NumParts]keypoint.Position

// Middle returns the middle of a part and its mirror part.
func (w *World) Middle(p keypoint.Part) keypoint.Position { return w[p].Add(w[p.Mirror()]).Mul(0.5) }

// Rep is a repetition, in seconds.
type Rep struct {
	Start float64 `json:"start"` // leaves rest
	Turn  float64 `json:"turn"`  // the deepest point
	End   float64 `json:"end"`   // back at rest
	Depth float64 `json:"depth_share"`
	// TurnFrom and TurnTo are when the turning point is reached and left; 0: it is not held.
	TurnFrom float64 `json:"turn_from"`
	TurnTo   float64 `json:"turn_to"`
}

// Matched returns how many repetitions have exactly one of the times of turns that are found, how many have none, and how many of
// those found are others.
func Matched(reps []Rep, turns []float64) (right, lost, invented int) {
	invented = len(turns)
	for _, r := range reps {
		n := 0
		for _, at := range turns {
			if at >= r.Start && at < r.End {
				n++
			}
		}
		if n == 0 {
			lost++
		} else {
			right, invented = right+1, invented-1
		}
	}
	return right, lost, invented
}

// Event is a step, a take-off or a landing.
type Event struct {
	Time float64 `json:"t"` // seconds
	Side string  `json:"side"`
	What string  `json:"what"` // "heel strike", "toe off", "take-off", "landing" and others
}

// truthFormat is the member format of a truth file.
const truthFormat = "motion-truth/1"

// truthFile is the part of a truth file that is read.
type truthFile struct {
	Format string `json:"format"`
	Name   string `json:"name"`
	Motion struct {
		Kind string `json:"kind"`
		Pace
	} `json:"motion"`
	Movie struct {
		Width    int  `json:"width"`
		Height   int  `json:"height"`
		Mirrored bool `json:"mirrored"`
	} `json:"movie"`
	Body struct {
		Height float64 `json:"height_m"`
	} `json:"body"`
	Camera struct {
		Focal float64 `json:"f_px"`
	} `json:"camera"`
	Floor struct {
		Roll float64 `json:"roll_deg"`
	} `json:"floor"`
	Reps   []Rep    `json:"reps"`
	Events []Event  `json:"events"`
	Parts  []string `json:"parts"`
	Frames struct {
		T         []float64       `json:"t"`
		XY        [][]([]float64) `json:"xy"`
		World     [][]([]float64) `json:"world"`
		Camera    [][]([]float64) `json:"cam"`
		Visible   []string        `json:"visible"`
		InPicture []float64       `json:"in_picture"`
		View      []float64       `json:"view_deg"`
	} `json:"frames"`
	Angles2D map[string][]float64 `json:"angles2d"`
	Angles3D map[string][]float64 `json:"angles3d"`
}

// invalid returns an error of the kind keypoint.ErrInvalid.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %w", keypoint.ErrInvalid, fmt.Errorf(format, args...))
}

// Read reads the truth of a rendered movie, a JSON file of the format motion-truth/1. An error wraps keypoint.ErrInvalid.
func Read(data []byte) (t *Truth, err error) {
	var d truthFile
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, invalid("%w", err)
	}
	if d.Format != truthFormat {
		return nil, invalid("format is %q, want %q", d.Format, truthFormat)
	}
	t = &Truth{
		Name: d.Name, Motion: d.Motion.Kind, Pace: d.Motion.Pace, Inside: d.Frames.InPicture, View: d.Frames.View,
		Angles2D: d.Angles2D, Angles3D: d.Angles3D, Reps: d.Reps, Events: d.Events,
		Parts:  keypoint.Sequence{Times: d.Frames.T, Size: image.Pt(d.Movie.Width, d.Movie.Height)},
		Height: d.Body.Height, Roll: d.Floor.Roll, Focal: d.Camera.Focal,
	}
	n := len(d.Frames.T)
	lengths := map[string]int{"xy": len(d.Frames.XY), "world": len(d.Frames.World), "visible": len(d.Frames.Visible), "in_picture": len(t.Inside), "view_deg": len(t.View)}
	for _, angles := range []map[string][]float64{t.Angles2D, t.Angles3D} {
		for name, values := range angles {
			lengths[name] = len(values)
		}
	}
	for name, have := range lengths {
		if have != n {
			return nil, invalid("%s has %d entries for %d frames", name, have, n)
		}
	}
	parts := make([]keypoint.Part, len(d.Parts))
	for k, name := range d.Parts {
		if parts[k], err = keypoint.ParsePart(underscore.ReplaceAllStringFunc(name, func(s string) string { return strings.ToUpper(s[1:]) })); err != nil {
			return nil, invalid("%w", err)
		}
	}
	for i := range n {
		f, visible, err := d.frame(i, parts)
		var world, seen World
		if err == nil {
			world, err = space(d.Frames.World[i], parts)
		}
		if err == nil && i < len(d.Frames.Camera) && len(d.Frames.Camera[i]) == len(parts) {
			seen, err = space(d.Frames.Camera[i], parts)
		}
		if err != nil {
			return nil, invalid("frame %d: %w", i, err)
		}
		t.Parts.Frames = append(t.Parts.Frames, f)
		t.Visible = append(t.Visible, visible)
		t.World, t.Seen = append(t.World, world), append(t.Seen, seen)
		t.Scale, t.FloorScale = append(t.Scale, d.scale(i, "_hip")), append(t.FloorScale, d.scale(i, "_ankle"))
	}
	t.Known = keypoint.PartsOf(parts...)
	if t.Mirrored = d.Movie.Mirrored; t.Mirrored {
		t.mirror()
	}
	return t, t.Parts.Validate()
}

// mirror exchanges left and right.
func (t *Truth) mirror() {
	t.Roll = -t.Roll
	for i, f := range t.Parts.Frames {
		var g keypoint.Frame
		var visible keypoint.Parts
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			g.Set(p.Mirror(), at, 1)
			if t.Visible[i].Has(p) {
				visible |= keypoint.PartsOf(p.Mirror())
			}
		}
		var world, seen World
		for p := range keypoint.Part(keypoint.NumParts) {
			world[p.Mirror()], seen[p.Mirror()] = t.World[i][p], t.Seen[i][p]
		}
		t.Parts.Frames[i], t.Visible[i], t.View[i], t.World[i], t.Seen[i] = g, visible, -t.View[i], world, seen
	}
	for i := range t.Events {
		side := &t.Events[i].Side
		*side = cmp.Or(map[string]string{"left": "right", "right": "left"}[*side], *side)
	}
	for _, angles := range []map[string][]float64{t.Angles2D, t.Angles3D} {
		for name := range angles {
			if rest, ok := strings.CutPrefix(name, "left_"); ok {
				angles[name], angles["right_"+rest] = angles["right_"+rest], angles[name]
			}
		}
	}
}

var underscore = regexp.MustCompile("_[a-z]") // in left_shoulder

// frame returns the parts inside the picture, and those of them that can be seen.
func (d *truthFile) frame(i int, parts []keypoint.Part) (f keypoint.Frame, visible keypoint.Parts, err error) {
	xy, seen := d.Frames.XY[i], d.Frames.Visible[i]
	if len(xy) != len(parts) || len(seen) != len(parts) {
		return f, 0, fmt.Errorf("%d points and %d visible for %d parts", len(xy), len(seen), len(parts))
	}
	for k, p := range parts {
		if len(xy[k]) != 2 {
			return f, 0, fmt.Errorf("%v has %d numbers, want [x, y]", p, len(xy[k]))
		}
		at := keypoint.Point{xy[k][0], xy[k][1]}
		if d.Frames.InPicture[i] == 0 || at[0] < 0 || at[1] < 0 || at[0] > float64(d.Movie.Width) || at[1] > float64(d.Movie.Height) {
			continue
		}
		f.Set(p, at, 1)
		if seen[k] == '1' {
			visible |= keypoint.PartsOf(p)
		}
	}
	return f, visible, nil
}

// scale returns the metres per pixel at the middle of the parts of both sides; 0 if the file does not tell.
func (d *truthFile) scale(i int, suffix string) float64 {
	sum, n := 0.0, 0.0
	for k, name := range d.Parts {
		if strings.HasSuffix(name, suffix) && i < len(d.Frames.Camera) && k < len(d.Frames.Camera[i]) && len(d.Frames.Camera[i][k]) == 3 {
			sum, n = sum+d.Frames.Camera[i][k][2], n+1
		}
	}
	if n == 0 || d.Camera.Focal == 0 {
		return 0
	}
	return sum / n / d.Camera.Focal
}

// space returns the parts in space that points are.
func space(points [][]float64, parts []keypoint.Part) (w World, err error) {
	if len(points) != len(parts) {
		return w, fmt.Errorf("%d points in space for %d parts", len(points), len(parts))
	}
	for k, p := range parts {
		if len(points[k]) != 3 {
			return w, fmt.Errorf("%v has %d numbers in space, want [x, y, z]", p, len(points[k]))
		}
		w[p] = keypoint.Position(points[k])
	}
	return w, nil
}
