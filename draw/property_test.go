package draw_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// someFrame generates a frame of a picture of w×h pixels with some parts absent or outside.
func someFrame(t *rapid.T, w, h float64) keypoint.Frame {
	var f keypoint.Frame
	for p := range keypoint.Part(keypoint.NumParts) {
		if rapid.IntRange(0, 3).Draw(t, "absent") > 0 {
			f.Set(p, keypoint.Point{rapid.Float64Range(-w, 2*w).Draw(t, "x"), rapid.Float64Range(-h, 2*h).Draw(t, "y")}, 1)
		}
	}
	return f
}

func someSize(t *rapid.T) image.Point {
	return image.Pt(rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 90).Draw(t, "height"))
}

// segments returns the lines and dots that a rule paints, and half their width.
func segments(f *keypoint.Frame, r draw.Rule, size image.Point) (list [][2]keypoint.Point, reach float64) {
	side := float64(max(size.X, size.Y))
	group, ok := keypoint.Group(r.Pattern)
	if !ok {
		group = keypoint.All
	}
	var points []keypoint.Point
	for p := range keypoint.Part(keypoint.NumParts) {
		if at, ok := f.At(p); ok && group.Has(p) {
			points = append(points, at)
		}
	}
	reach = max(r.Size*side/400, 2) / 2
	switch r.Type {
	case "keypoint":
		reach = max(r.Size*side/150, 4) / 2
		for _, p := range points {
			list = append(list, [2]keypoint.Point{p, p})
		}
	case "stickPicture":
		for _, e := range keypoint.Skeleton() {
			p, okP := f.At(e[0])
			q, okQ := f.At(e[1])
			if okP && okQ && group.Has(e[0]) && group.Has(e[1]) {
				list = append(list, [2]keypoint.Point{p, q})
			}
		}
	case "horizontalLine":
		for _, p := range points {
			list = append(list, [2]keypoint.Point{{0, p[1]}, {float64(size.X), p[1]}})
		}
	case "verticalLine":
		for _, p := range points {
			list = append(list, [2]keypoint.Point{{p[0], 0}, {p[0], float64(size.Y)}})
		}
	}
	return list, reach
}

// away returns the distance of a point from the nearest of the lines.
func away(list [][2]keypoint.Point, at keypoint.Point) float64 {
	best := math.Inf(1)
	for _, s := range list {
		d := s[1].Sub(s[0])
		t := 0.0
		if n := d.Dot(d); n > 0 {
			t = min(max(at.Sub(s[0]).Dot(d)/n, 0), 1)
		}
		best = min(best, at.Sub(s[0].Add(d.Mul(t))).Len())
	}
	return best
}

// TestColorStaysNear: on a plain background, a pixel whose centre is at least half a pixel inside a
// shape has the rule's colour, one at least half a pixel outside is unchanged, and pixels between
// are a mixture.
func TestColorStaysNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := someSize(t)
		f := someFrame(t, float64(size.X), float64(size.Y))
		r := draw.Rule{
			Type:    rapid.SampledFrom(draw.Types()[:4]).Draw(t, "type"),
			Pattern: rapid.SampledFrom([]string{"", "all", "upperBody", "lowerBody", "leftBody", "rightBody"}).Draw(t, "pattern"),
			Color:   draw.Red,
			Size:    rapid.Float64Range(0.01, 40).Draw(t, "size"),
		}
		dst := image.NewRGBA(image.Rectangle{Max: size})
		opt := options{Background: draw.Background{SkeletonOnly: true}}
		if err := render(dst, &f, []draw.Rule{r}, opt); err != nil {
			t.Fatal(err)
		}
		lines, reach := segments(&f, r, size)
		for y := range size.Y {
			for x := range size.X {
				got := dst.RGBAAt(x, y)
				d := away(lines, keypoint.Point{float64(x) + 0.5, float64(y) + 0.5})
				switch {
				case d < reach-0.501 && got != (color.RGBA{255, 0, 0, 255}):
					t.Fatalf("pixel (%d, %d) is %v from the line, which reaches %v, but %v", x, y, d, reach, got)
				case d > reach+0.501 && got != (color.RGBA{255, 255, 255, 255}):
					t.Fatalf("pixel (%d, %d) is %v from the line, which reaches %v, but not background: %v", x, y, d, reach, got)
				case got.R != 255 || got.A != 255 || got.G != got.B:
					t.Fatalf("pixel (%d, %d) is no mixture of red and white: %v", x, y, got)
				}
			}
		}
	})
}

// someRules generates rules of every type.
func someRules(t *rapid.T) []draw.Rule {
	colors := draw.Colors()
	var rules []draw.Rule
	for range rapid.IntRange(1, 4).Draw(t, "rules") {
		r := draw.Rule{
			Type:  rapid.SampledFrom(draw.Types()).Draw(t, "type"),
			Color: rapid.SampledFrom(colors).Draw(t, "color"),
			Size:  rapid.Float64Range(0.1, 20).Draw(t, "size"),
			Bands: []draw.Band{{Threshold: 0.3, Color: "cyan"}},
		}
		if r.Type == "angle" {
			for range 3 {
				r.Points = append(r.Points, sel(keypoint.Part(rapid.IntRange(0, keypoint.NumParts-1).Draw(t, "part"))))
			}
			r.Rotation = rapid.Bool().Draw(t, "rotation")
		}
		if r.Type == "body" {
			r.Color, r.Ghost = "", rapid.SampledFrom(colors).Draw(t, "ghost")
		}
		if r.Type == "keypoint" || r.Type == "stickPicture" {
			r.Ghost, r.Arrows = rapid.SampledFrom(colors).Draw(t, "ghost"), rapid.SampledFrom(colors).Draw(t, "arrows")
			r.Legend = rapid.Bool().Draw(t, "legend")
		}
		rules = append(rules, r)
	}
	return rules
}

// TestSameBytes: a new and a used Renderer give the same bytes, on a whole picture and on a part
// of a larger one. Nothing outside that part changes.
func TestSameBytes(t *testing.T) {
	var used renderer
	rapid.Check(t, func(t *rapid.T) {
		size := someSize(t)
		f, target := someFrame(t, float64(size.X), float64(size.Y)), someFrame(t, float64(size.X), float64(size.Y))
		before := f
		rules := someRules(t)
		opt := options{Distance: bySide, Target: &target, History: wave(f, 5)}
		first, second := canvas(size.X, size.Y), canvas(size.X, size.Y)
		if err := render(first, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		if err := used.Render(second, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Pix, second.Pix) {
			t.Fatal("the second drawing differs from the first")
		}
		if f != before {
			t.Fatal("the frame was changed")
		}

		frame := image.NewRGBA(image.Rect(-3, 5, size.X+9, size.Y+20))
		part := frame.SubImage(image.Rect(1, 9, 1+size.X, 9+size.Y)).(*image.RGBA)
		plain := canvas(size.X, size.Y)
		for y := range size.Y {
			copy(part.Pix[y*part.Stride:], plain.Pix[y*plain.Stride:][:4*size.X])
		}
		if err := used.Render(part, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				want := color.RGBA{}
				if image.Pt(x, y).In(part.Rect) {
					want = first.RGBAAt(x-part.Rect.Min.X, y-part.Rect.Min.Y)
				}
				if got := frame.RGBAAt(x, y); got != want {
					t.Fatalf("pixel (%d, %d) of the larger picture: %v, want %v", x, y, got, want)
				}
			}
		}
	})
}

// TestLayer: a drawing on a transparent picture that is laid over another one looks like a drawing
// on that one, and changes nothing where it is transparent.
func TestLayer(t *testing.T) {
	var r renderer
	rapid.Check(t, func(t *rapid.T) {
		size := someSize(t)
		f, target := someFrame(t, float64(size.X), float64(size.Y)), someFrame(t, float64(size.X), float64(size.Y))
		rules := someRules(t)
		opt := options{Distance: bySide, Target: &target, History: wave(f, 5)}
		direct := canvas(size.X, size.Y)
		direct.Rect = direct.Rect.Add(image.Pt(7, -4))
		if err := r.Render(direct, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		direct.Rect = direct.Rect.Sub(image.Pt(7, -4))
		layer, below := image.NewRGBA(direct.Rect), canvas(size.X, size.Y)
		if err := r.Render(layer, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		for y := range size.Y {
			for x := range size.X {
				over, under, want := layer.RGBAAt(x, y), below.RGBAAt(x, y), direct.RGBAAt(x, y)
				if over.A == 0 && (over != color.RGBA{} || want != under) {
					t.Fatalf("pixel (%d, %d) was changed, where nothing is drawn", x, y)
				}
				got := int(over.R) + int(under.R)*(255-int(over.A))/255
				if d := got - int(want.R); d < -6 || d > 6 {
					t.Fatalf("pixel (%d, %d): %d by way of a layer, %d directly", x, y, got, want.R)
				}
			}
		}
	})
	if r.Render(nil, nil, nil, options{}) == nil {
		t.Error("Render draws on no picture")
	}
	f := person(10, 10)
	dst := image.NewRGBA(image.Rect(3, 4, 13, 14))
	err := r.Render(dst, &f, []draw.Rule{}, options{Background: draw.Background{SkeletonOnly: true}})
	if white := bytes.Repeat([]byte{255}, len(dst.Pix)); err != nil || !bytes.Equal(dst.Pix, white) {
		t.Errorf("skeletonOnly does not fill the picture: %v", err)
	}
}

// TestAbsent: a frame without a person changes nothing, whatever the rules are; without a part,
// nothing that needs it is drawn.
func TestAbsent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := someSize(t)
		var nobody keypoint.Frame
		rules := someRules(t)
		for i := range rules {
			rules[i].Legend = false
		}
		opt := options{Distance: bySide, Target: &nobody, History: keypoint.Sequence{
			Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.1, 0.2},
		}}
		got := canvas(size.X, size.Y)
		if err := render(got, &nobody, rules, opt); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, canvas(size.X, size.Y).Pix) {
			t.Fatal("something was drawn of nobody")
		}
	})

	without := person(100, 100)
	without.Unset(keypoint.LeftKnee)
	knee := options{}
	for _, rule := range []draw.Rule{
		{Type: "keypoint", Points: keypoint.PartSelectors(keypoint.LeftKnee)},
		{Type: "stickPicture", Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
		{Type: "horizontalLine", Points: []keypoint.Selector{keypoint.MidpointSelector(keypoint.LeftKnee, keypoint.RightKnee)}},
		{Type: "verticalLine", Points: keypoint.PartSelectors(keypoint.LeftKnee)},
		{Type: "angle", Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
		{Type: "label", Points: keypoint.PartSelectors(keypoint.LeftKnee)},
	} {
		got := canvas(100, 100)
		if err := render(got, &without, []draw.Rule{rule}, knee); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, canvas(100, 100).Pix) {
			t.Errorf("%s drew something without the knee", rule.Type)
		}
		whole := person(100, 100)
		if err := render(got, &whole, []draw.Rule{rule}, knee); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(got.Pix, canvas(100, 100).Pix) {
			t.Errorf("%s drew nothing with the knee", rule.Type)
		}
	}
}

// TestSkeletonOnly: everything except the skeleton has exactly the background colour, whatever was
// in the picture before.
func TestSkeletonOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := someSize(t)
		f := someFrame(t, float64(size.X), float64(size.Y))
		name := rapid.SampledFrom(draw.Colors()).Draw(t, "color")
		back, _ := name.RGBA()
		dst := canvas(size.X, size.Y)
		dst.SetRGBA(0, 0, color.RGBA{1, 2, 3, 4})
		opt := options{Background: draw.Background{SkeletonOnly: true, Color: name}}
		if err := render(dst, &f, nil, opt); err != nil {
			t.Fatal(err)
		}
		lines, reach := segments(&f, draw.Rule{Type: "stickPicture", Size: 1}, size)
		dots, dotReach := segments(&f, draw.Rule{Type: "keypoint", Size: 1}, size)
		for y := range size.Y {
			for x := range size.X {
				at := keypoint.Point{float64(x) + 0.5, float64(y) + 0.5}
				if away(lines, at) > reach+0.501 && away(dots, at) > dotReach+0.501 && dst.RGBAAt(x, y) != back {
					t.Fatalf("pixel (%d, %d) is %v, want the background %v", x, y, dst.RGBAAt(x, y), back)
				}
			}
		}
	})
}

func TestRenderErrors(t *testing.T) {
	f := person(50, 50)
	for name, dst := range map[string]*image.RGBA{"nil": nil, "empty": image.NewRGBA(image.Rect(3, 3, 3, 9))} {
		if err := render(dst, &f, nil, options{}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	zero := 0
	for place, c := range map[string]struct {
		rule draw.Rule
		opt  options
	}{
		"/0/drawingType": {draw.Rule{}, options{}},
		"/0/comparisons": {draw.Rule{Type: "keypoint", Bands: []draw.Band{{}}}, options{}},
		"/color":         {draw.Rule{Type: "keypoint"}, options{Background: draw.Background{Color: "mauve"}}},
		"/0/ghost":       {draw.Rule{Type: "keypoint", Ghost: draw.Red}, options{Distance: bySide}},
		"/0/arrows":      {draw.Rule{Type: "keypoint", Arrows: draw.Red}, options{Distance: bySide}},
		"/0/analysis":    {draw.Rule{Type: "label", Analysis: &zero}, options{}},
	} {
		dst := canvas(50, 50)
		got := places(t, render(dst, &f, []draw.Rule{c.rule}, c.opt))
		if len(got) != 1 || got[0] != place {
			t.Errorf("%v, want a mistake at %s", got, place)
		}
		if !bytes.Equal(dst.Pix, canvas(50, 50).Pix) {
			t.Errorf("%s: the picture was changed", place)
		}
	}
}

// TestFarAway: extreme coordinates are clipped.
func TestFarAway(t *testing.T) {
	var f keypoint.Frame
	for p := range keypoint.Part(keypoint.NumParts) {
		sign := float64(1 - 2*int(p&1))
		f.Set(p, keypoint.Point{sign * math.MaxFloat64, -sign * math.MaxFloat64}, 1)
	}
	target := shifted(person(40, 40), 1e15, 0)
	for _, typ := range draw.Types() {
		r := draw.Rule{Type: typ, Size: 100}
		if typ == "angle" {
			r.Points = keypoint.PartSelectors(0, 1, 3)
		}
		if typ == "keypoint" || typ == "stickPicture" {
			r.Ghost, r.Arrows = draw.Red, draw.Red
		}
		opt := options{Distance: bySide, Target: &target, History: keypoint.Sequence{Frames: []keypoint.Frame{target, f}, Times: []float64{0, 1}}}
		if err := render(canvas(40, 40), &f, []draw.Rule{r}, opt); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
	}
}
