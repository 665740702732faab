package draw_test

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// plain draws rules on white.
func plain(t testing.TB, size image.Point, f keypoint.Frame, rules []draw.Rule, opt options) *image.RGBA {
	t.Helper()
	dst := image.NewRGBA(image.Rectangle{Max: size})
	opt.Background.SkeletonOnly = true
	if err := render(dst, &f, rules, opt); err != nil {
		t.Fatal(err)
	}
	return dst
}

// blackness returns the amount of black in a white picture, in pixels.
func blackness(m *image.RGBA) float64 {
	sum := 0.0
	for i := 0; i < len(m.Pix); i += 4 {
		sum += float64(255-m.Pix[i]) / 255
	}
	return sum
}

// TestSizes: a line is size × 1/400 of the longer side wide and at least 2 pixels, a dot
// size × 1/150 and at least 4 pixels, at any fraction of a pixel.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		size      image.Point
		at        float64
		rule      float64
		line, dot float64
	}{
		{image.Pt(314, 404), 101.3, 3, 3.03, 8.08},
		{image.Pt(314, 404), 101.7, 5, 5.05, 13.466667},
		{image.Pt(404, 314), 101.5, 3, 3.03, 8.08},
		{image.Pt(100, 100), 50, 0, 2, 4},
		{image.Pt(100, 100), 50.25, 1, 2, 4},
		{image.Pt(1280, 720), 300.1, 1, 3.2, 8.533333},
		{image.Pt(100, 100), 50.25, 100, 25, 66.666667},
	} {
		var f keypoint.Frame
		f.Set(keypoint.Nose, keypoint.Point{c.at, c.at}, 1)
		line := plain(t, c.size, f, []draw.Rule{{Type: "verticalLine", Color: "black", Size: c.rule}}, options{})
		if got := blackness(line) / float64(c.size.Y); math.Abs(got-c.line) > 0.01 {
			t.Errorf("%v, size %v: the line is %v wide, want %v", c.size, c.rule, got, c.line)
		}
		dot := plain(t, c.size, f, []draw.Rule{{Type: "keypoint", Color: "black", Size: c.rule}}, options{})
		if got := 2 * math.Sqrt(blackness(dot)/math.Pi); math.Abs(got-c.dot) > 0.05 {
			t.Errorf("%v, size %v: the dot is %v across, want %v", c.size, c.rule, got, c.dot)
		}
	}
}

// TestBands: a part takes the highest band that its distance reaches, and an edge the stronger
// band of its ends. The order of the bands does not matter.
func TestBands(t *testing.T) {
	f := arm() // the elbow at (20, 40), the wrist at (100, 40)
	none, low, high := color.RGBA{128, 128, 128, 255}, color.RGBA{255, 255, 0, 255}, color.RGBA{255, 0, 0, 255}
	bands := []draw.Band{{Threshold: 0.3}, {Threshold: 0.2, Color: draw.Yellow}}
	for _, c := range []struct {
		elbow, wrist float64 // negative: not compared
		want         [3]color.RGBA
	}{
		{-1, -1, [3]color.RGBA{none, none, none}},
		{0.1, 0.19, [3]color.RGBA{none, none, none}},
		{0.2, 0.1, [3]color.RGBA{low, low, none}},
		{0.29, 0.3, [3]color.RGBA{low, high, high}},
		{1, -1, [3]color.RGBA{high, high, none}},
	} {
		opt := options{Distance: func(p keypoint.Part) (float64, bool) {
			d := c.elbow
			if p == keypoint.LeftWrist {
				d = c.wrist
			}
			return max(d, 0), d >= 0
		}}
		for _, b := range [][]draw.Band{bands, {bands[1], bands[0]}} {
			m := plain(t, image.Pt(120, 80), f, []draw.Rule{{Type: "stickPicture", Bands: b}, {Type: "keypoint", Bands: b}}, opt)
			if got := [3]color.RGBA{m.RGBAAt(20, 40), m.RGBAAt(60, 40), m.RGBAAt(100, 40)}; got != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}
		// Without rules: red from 0.2.
		m := plain(t, image.Pt(120, 80), f, nil, opt)
		want := c.want
		for i := range want {
			if want[i] == low {
				want[i] = high
			}
		}
		if got := [3]color.RGBA{m.RGBAAt(20, 40), m.RGBAAt(60, 40), m.RGBAAt(100, 40)}; got != want {
			t.Errorf("%+v by default: %v", c, got)
		}
	}
}

// TestTrace: the path goes back as far as the rule says and has gaps where the point was absent.
// Without times there is no path.
func TestTrace(t *testing.T) {
	at := func(x float64) (f keypoint.Frame) {
		f.Set(keypoint.Nose, keypoint.Point{x, 20}, 1)
		return f
	}
	past := keypoint.Sequence{Times: []float64{0, 1, 2, 3, 4, 5}}
	for i := range past.Times {
		past.Frames = append(past.Frames, at(10+20*float64(i)))
	}
	past.Frames[3] = keypoint.Frame{}
	seen := func(seconds float64, past keypoint.Sequence) (list []bool) {
		f := past.Frames[len(past.Frames)-1]
		m := plain(t, image.Pt(120, 40), f, []draw.Rule{{Type: "trace", Seconds: seconds, Color: "black"}}, options{History: past})
		for x := 20; x < 120; x += 20 { // between two frames
			list = append(list, m.RGBAAt(x, 20).R < 128)
		}
		return list
	}
	for _, c := range []struct {
		seconds float64
		past    keypoint.Sequence
		want    [5]bool
	}{
		{60, past, [5]bool{true, true, false, false, true}},
		{0, past, [5]bool{false, false, false, false, true}},
		{4, past, [5]bool{false, true, false, false, true}},
		{60, keypoint.Sequence{Frames: past.Frames}, [5]bool{}},
		{60, keypoint.Sequence{Frames: past.Frames[:1], Times: past.Times[:1]}, [5]bool{}},
	} {
		if got := [5]bool(seen(c.seconds, c.past)); got != c.want {
			t.Errorf("%v seconds of %d frames: %v, want %v", c.seconds, c.past.Len(), got, c.want)
		}
	}
}

// TestGhostLiesEvenly: a ghost is equally transparent where its lines cross.
func TestGhostLiesEvenly(t *testing.T) {
	target := person(200, 200)
	var nobody keypoint.Frame
	opt := options{Distance: bySide, Target: &target}
	m := plain(t, image.Pt(200, 200), nobody, []draw.Rule{{Type: "stickPicture", Size: 10, Ghost: "black"}}, opt)
	darkest := uint8(255)
	for i := 0; i < len(m.Pix); i += 4 {
		darkest = min(darkest, m.Pix[i])
	}
	if darkest != 127 {
		t.Errorf("the darkest pixel of a half transparent black is %d, want 127", darkest)
	}
}

// TestTextStaysInside: a label at the border is moved into the picture, unless its point is
// outside.
func TestTextStaysInside(t *testing.T) {
	label := []draw.Rule{{Type: "label", Text: "WWW", Color: "black"}}
	ink := func(at keypoint.Point) float64 {
		var f keypoint.Frame
		f.Set(keypoint.Nose, at, 1)
		return blackness(plain(t, image.Pt(150, 100), f, label, options{}))
	}
	middle := ink(keypoint.Point{60, 50})
	for _, at := range []keypoint.Point{{1, 1}, {149, 1}, {149, 99}, {1, 99}} {
		if got := ink(at); math.Abs(got-middle) > 0.02*middle {
			t.Errorf("at %v there is %v of black, in the middle %v", at, got, middle)
		}
	}
	if got := ink(keypoint.Point{300, 50}); got != 0 {
		t.Errorf("a label of a point outside is drawn: %v", got)
	}
	// Without a value only the text is written.
	body, zero := person(150, 100), 0
	label[0].Points = keypoint.PartSelectors(keypoint.Nose)
	without := plain(t, image.Pt(150, 100), body, label, options{})
	label[0].Analysis = &zero
	absent := plain(t, image.Pt(150, 100), body, label, options{Value: func(int) (string, bool) { return "", false }})
	if !bytes.Equal(without.Pix, absent.Pix) {
		t.Error("an absent value changes the label")
	}
}

// TestAllocations limits the allocations of a default skeleton.
func TestAllocations(t *testing.T) {
	dst := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	f := person(1280, 720)
	style, err := draw.Compile(nil, draw.Background{}, false)
	if err != nil {
		t.Fatal(err)
	}
	r, planes := draw.NewRenderer(style), draw.NewYUV(image.Pt(1280, 720))
	for name, c := range map[string]struct {
		most float64
		draw func() error
	}{
		"Render":    {20, func() error { return draw.Render(dst, &f, nil, draw.Background{}) }},
		"Renderer":  {0, func() error { return r.Render(dst, &f, draw.Inputs{}) }},
		"RenderYUV": {0, func() error { return r.RenderYUV(planes, &f, draw.Inputs{}) }},
	} {
		got := testing.AllocsPerRun(10, func() {
			if err := c.draw(); err != nil {
				t.Fatal(err)
			}
		})
		if got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}
