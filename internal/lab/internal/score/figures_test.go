package score_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// standing is a person seen from the front, with the top left corner of the box at x, y
// and the given height in pixels. The torso, from a shoulder to the other hip, is about
// 0.4 of the height.
func standing(x, y, height float64) truth.Person {
	var f keypoint.Frame
	set := func(left keypoint.Part, dx, dy float64) {
		f.Set(left, keypoint.Point{x + height*(.25+dx), y + height*dy}, 1)
		f.Set(left.Mirror(), keypoint.Point{x + height*(.25-dx), y + height*dy}, 1)
	}
	set(keypoint.Nose, 0, .08)
	set(keypoint.LeftEye, .02, .06)
	set(keypoint.LeftEar, .04, .07)
	set(keypoint.LeftShoulder, .13, .18)
	set(keypoint.LeftElbow, .18, .36)
	set(keypoint.LeftWrist, .2, .52)
	set(keypoint.LeftHip, .1, .52)
	set(keypoint.LeftKnee, .1, .74)
	set(keypoint.LeftAnkle, .1, .96)
	box := truth.Box{X: x, Y: y, Width: height / 2, Height: height}
	return truth.Person{Parts: f, Box: box, Area: truth.BoxArea(box.Area())}
}

func detection(p truth.Person, sure float64) score.Detection {
	return score.Detection{Parts: p.Parts, Score: sure}
}

// mapped returns the frame with every part at what place makes of it.
func mapped(f keypoint.Frame, place func(keypoint.Point) keypoint.Point) keypoint.Frame {
	var g keypoint.Frame
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		g.Set(p, place(pt), f.Confidence(p))
	}
	return g
}

func moved(f keypoint.Frame, dx, dy float64) keypoint.Frame {
	return mapped(f, func(p keypoint.Point) keypoint.Point { return p.Add(keypoint.Point{dx, dy}) })
}

func scaled(f keypoint.Frame, s float64) keypoint.Frame {
	return mapped(f, func(p keypoint.Point) keypoint.Point { return p.Mul(s) })
}

func scaledPerson(p truth.Person, s float64) truth.Person {
	b := p.Box
	p.Parts = scaled(p.Parts, s)
	p.Box = truth.Box{X: b.X * s, Y: b.Y * s, Width: b.Width * s, Height: b.Height * s}
	p.Area *= s * s
	return p
}

// exchanged returns the frame with the names of left and right exchanged.
func exchanged(f keypoint.Frame) keypoint.Frame {
	var g keypoint.Frame
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		g.Set(p.Mirror(), pt, f.Confidence(p))
	}
	return g
}

// drawFrame draws a frame with any parts present, within some hundred pixels.
func drawFrame(t *rapid.T) keypoint.Frame {
	var f keypoint.Frame
	coordinate := rapid.Float64Range(0, 300)
	parts := keypoint.Parts(rapid.Uint32Range(0, uint32(keypoint.Body)).Draw(t, "parts"))
	for _, p := range parts.List() {
		f.Set(p, keypoint.Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}, rapid.Float64Range(0, 1).Draw(t, "confidence"))
	}
	return f
}

func drawPerson(t *rapid.T) truth.Person {
	p := truth.Person{Parts: drawFrame(t), Crowd: rapid.Bool().Draw(t, "crowd")}
	n := rapid.Float64Range(1, 300)
	p.Box = truth.Box{X: n.Draw(t, "x"), Y: n.Draw(t, "y"), Width: n.Draw(t, "width"), Height: n.Draw(t, "height")}
	p.Area = rapid.Float64Range(10, 1e5).Draw(t, "area")
	return p
}

// drawPicture draws people, and results of which some are near them.
func drawPicture(t *rapid.T) (p score.Picture) {
	p.People = rapid.SliceOfN(rapid.Custom(drawPerson), 0, 4).Draw(t, "people")
	sure := rapid.IntRange(0, 5) // with equal ones
	shift := rapid.Float64Range(-30, 30)
	for _, who := range p.People {
		if rapid.Bool().Draw(t, "found") {
			p.Found = append(p.Found, score.Detection{
				Parts: moved(who.Parts, shift.Draw(t, "dx"), shift.Draw(t, "dy")),
				Score: float64(sure.Draw(t, "score")),
			})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "others") {
		p.Found = append(p.Found, score.Detection{Parts: drawFrame(t), Score: float64(sure.Draw(t, "score"))})
	}
	return p
}
