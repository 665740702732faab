package draw_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

var update = flag.Bool("update", false, "rewrite the golden pictures in testdata/golden")

// Two pictures look the same when no channel of any pixel differs by more than
// maxStep and the mean difference is below maxMean (levels of 255): a little more
// than what rounding on another processor does, and much less than a shift by a
// quarter of a pixel.
const (
	maxStep = 12
	maxMean = 0.05
)

// unlike describes how two pictures differ; "" if they look the same.
func unlike(got, want *image.RGBA) string {
	if got.Rect.Size() != want.Rect.Size() {
		return fmt.Sprintf("size %v, want %v", got.Rect.Size(), want.Rect.Size())
	}
	worst, sum := 0, 0
	var at image.Point
	for y := range got.Rect.Dy() {
		for x := range 4 * got.Rect.Dx() {
			d := int(got.Pix[y*got.Stride+x]) - int(want.Pix[y*want.Stride+x])
			d = max(d, -d)
			sum += d
			if d > worst {
				worst, at = d, image.Pt(x/4, y)
			}
		}
	}
	if mean := float64(sum) / float64(len(got.Pix)); worst > maxStep || mean > maxMean {
		return fmt.Sprintf("by up to %d levels at %v, %.3f in the mean", worst, at, mean)
	}
	return ""
}

// picture describes a golden picture.
type picture struct {
	name  string
	size  image.Point // zero means 240×240
	rules string      // JSON; "" for the default drawing
	frame keypoint.Frame
	opt   options
}

func (p picture) draw(t testing.TB) *image.RGBA {
	t.Helper()
	var rules []draw.Rule
	if p.rules != "" {
		var err error
		if rules, err = draw.ParseRules([]byte(p.rules)); err != nil {
			t.Fatal(err)
		}
	}
	dst := canvas(p.size.X, p.size.Y)
	if err := render(dst, &p.frame, rules, p.opt); err != nil {
		t.Fatal(err)
	}
	return dst
}

// bySide is a comparison in which the left side of the body differs, the more the lower the part.
func bySide(p keypoint.Part) (float64, bool) {
	return map[keypoint.Part]float64{
		keypoint.LeftShoulder: 0.1, keypoint.LeftElbow: 0.2, keypoint.LeftWrist: 0.5,
		keypoint.LeftHip: 0.15, keypoint.LeftKnee: 0.25, keypoint.LeftAnkle: 0.35,
	}[p], p != keypoint.Nose
}

// pictures returns every drawing type with every way to name its points, and all other options.
func pictures() []picture {
	const side = 240
	body := person(side, side)
	var list []picture
	add := func(p picture) {
		if p.size == (image.Point{}) {
			p.size = image.Pt(side, side)
		}
		if p.frame.Empty() {
			p.frame = body
		}
		list = append(list, p)
	}
	points := map[string][3]string{
		"single":          {`"leftWrist"`, `"leftElbow"`, `"leftShoulder"`},
		"horizontalRight": {`{"pointType":"horizontalRight","pointName":["leftHip","rightHip","leftKnee"]}`, `"leftHip"`, `"nose"`},
		"horizontalLeft":  {`{"pointType":"horizontalLeft","pointName":["leftHip","rightHip","rightKnee"]}`, `"rightHip"`, `"nose"`},
		"verticalTop":     {`{"pointType":"verticalTop","pointName":["leftWrist","rightWrist"]}`, `"rightElbow"`, `"nose"`},
		"verticalDown":    {`{"pointType":"verticalDown","pointName":["leftAnkle","rightAnkle"]}`, `"leftKnee"`, `"nose"`},
		"midpoint":        {`{"pointType":"midpoint","pointName":["leftHip","rightHip"]}`, `{"pointType":"midpoint","pointName":["leftShoulder","rightShoulder"]}`, `"nose"`},
		"centroid":        {`{"pointType":"centroid","pointName":["leftKnee","rightKnee","leftHip","rightHip"]}`, `"nose"`, `"leftWrist"`},
	}
	colors := draw.Colors()
	for i, typ := range draw.Types() {
		opt := options{History: wave(body, 25)}
		look := fmt.Sprintf(`"color":%q,"size":%d`, colors[(4+i)%len(colors)], 1+i%3)
		if typ == "body" {
			continue // takes neither points nor a colour
		}
		for name, p := range points {
			three := `[` + p[0] + `,` + p[1] + `,` + p[2] + `]`
			add(picture{name: fmt.Sprintf("%s-%s", typ, name), opt: opt,
				rules: fmt.Sprintf(`{"drawingType":%q,"points":%s,%s}`, typ, three, look)})
		}
		if typ == "angle" {
			continue // takes three points and no pattern
		}
		add(picture{name: fmt.Sprintf("%s-plain", typ), opt: opt, rules: fmt.Sprintf(`{"drawingType":%q}`, typ)})
		for _, name := range []string{"all", "upperBody", "lowerBody", "leftBody", "rightBody"} {
			add(picture{name: fmt.Sprintf("%s-%s", typ, name), opt: opt,
				rules: fmt.Sprintf(`{"drawingType":%q,"pattern":%q,%s}`, typ, name, look)})
		}
	}
	b, err := json.Marshal(draw.Sides())
	if err != nil {
		panic(err)
	}
	sides := string(b)
	add(picture{name: "sketches", opt: options{Sketches: []draw.Sketch{
		{Points: []keypoint.Point{{20, 40}}, Text: "stiff"}, {Points: []keypoint.Point{{30, 200}, {110, 170}}, Text: "heels", Color: draw.SkyBlue},
		{Points: []keypoint.Point{{120, 100}, {150, 200}, {220, 180}}, Color: "black"}, {Points: []keypoint.Point{{200, 40}, {180, 80}, {230, 90}}, Text: "hip"},
		{}, {Points: make([]keypoint.Point, 4)}, {Points: []keypoint.Point{{math.NaN(), 1}}, Text: "none"}, // not drawn
	}}})
	compared := options{Distance: bySide}
	target := shifted(body, 14, -9)
	withTarget := options{Distance: bySide, Target: &target}
	bands := `"comparisons":[{"threshold":0.3,"color":"red","size":3},{"threshold":0,"color":"grey"},{"threshold":0.2,"color":"yellow","size":2}]`
	values := options{Value: func(i int) (string, bool) { return []string{"87.3°", ""}[i], i == 0 }}
	doubtful := person(480, 480)
	doubtful.Set(keypoint.LeftWrist, keypoint.Point{330, 250}, 0.3)
	alone := options{Background: draw.Background{SkeletonOnly: true}}
	dark := options{Background: draw.Background{SkeletonOnly: true, Color: "black"}}
	all := `{"drawingType":"stickPicture",` + bands + `},{"drawingType":"keypoint",` + bands + `}`
	for _, p := range []picture{
		{name: "default"},
		{name: "default-comparison", opt: compared},
		{name: "default-skeletonOnly", opt: alone},
		{name: "default-skeletonOnly-black", opt: dark},
		{name: "bands", opt: compared, rules: `[` + all + `]`},
		{name: "bands-points", opt: compared, rules: `[{"drawingType":"stickPicture","points":["rightShoulder","leftShoulder","leftElbow","leftWrist"],"color":"blue",` + bands + `},{"drawingType":"horizontalLine","points":["leftKnee"],` + bands + `}]`},
		{name: "order", rules: `[{"drawingType":"keypoint","color":"yellow","size":4},{"drawingType":"stickPicture","color":"blue","size":3},{"drawingType":"keypoint","pattern":"upperBody","color":"white","size":2}]`},
		{name: "ghost", opt: withTarget, rules: `[{"drawingType":"stickPicture","size":2,"ghost":"blue"},{"drawingType":"keypoint"}]`},
		{name: "arrows", opt: withTarget, rules: `[{"drawingType":"stickPicture","ghost":"white"},{"drawingType":"keypoint","arrows":"orange"}]`},
		{name: "arrows-bands", opt: withTarget, rules: `{"drawingType":"stickPicture","arrows":"cyan",` + `"comparisons":[{}]}`},
		{name: "legend", opt: compared, rules: `[{"drawingType":"stickPicture",` + bands + `},{"drawingType":"keypoint","legend":true,` + bands + `}]`},
		{name: "legend-two", opt: compared, rules: `[{"drawingType":"stickPicture","color":"black","legend":true,"comparisons":[{}]},{"drawingType":"keypoint","legend":true,"color":"pink","comparisons":[{"threshold":0.4,"color":"purple"}]}]`},
		{name: "angle-rotation", rules: `[{"drawingType":"stickPicture"},{"drawingType":"angle","rotation":true,"points":["leftWrist","leftElbow","leftShoulder"],"color":"yellow"},{"drawingType":"angle","points":["leftHip","leftKnee","leftAnkle"],"color":"white"},{"drawingType":"angle","rotation":true,"points":["rightHip","rightKnee","rightAnkle"],"color":"skyBlue"}]`},
		{name: "label-text", opt: values, rules: `[{"drawingType":"label","points":["leftKnee"],"text":"Knie à gauche","analysis":0,"color":"yellow","size":2},{"drawingType":"label","points":["leftWrist"],"text":"clamped to the right","analysis":1,"color":"blue"}]`},
		{name: "trace-short", opt: options{History: wave(body, 25)}, rules: `{"drawingType":"trace","points":["leftWrist","rightAnkle"],"seconds":0.5,"size":3,"color":"magenta"}`},
		{name: "outside", frame: shifted(body, 150, 100), rules: `[{"drawingType":"stickPicture","size":4,"color":"green"},{"drawingType":"keypoint","size":6},{"drawingType":"label","pattern":"all","color":"white"}]`},
		{name: "feet", frame: shod(side, side)},
		{name: "feet-lowerBody", frame: shod(side, side), rules: `[{"drawingType":"stickPicture","pattern":"lowerBody"},{"drawingType":"keypoint","pattern":"lowerBody"}]`},
		{name: "feet-points", frame: shod(side, side), rules: `[{"drawingType":"stickPicture","points":["leftKnee","leftAnkle","leftBigToe"],"color":"blue"},{"drawingType":"angle","points":["leftKnee","leftAnkle","leftBigToe"],"color":"white"},{"drawingType":"label","points":["rightHeel"],"color":"red"}]`},
		{name: "feet-sides", frame: shod(side, side), rules: sides},
		{name: "body", frame: doubtful, opt: options{Hidden: keypoint.PartsOf(keypoint.RightWrist), Value: values.Value}, size: image.Pt(480, 480),
			rules: `[{"drawingType":"body","size":2,"legend":true,"text":"24 Nov 2026"},{"drawingType":"label","points":["leftKnee"],"text":"Knee","analysis":0,"beside":"right"},` +
				`{"drawingType":"label","points":["rightKnee"],"text":"Knee","analysis":1,"beside":"left"}]`},
		{name: "body-comparison", opt: withTarget, rules: `{"drawingType":"body","size":2,"ghost":"skyBlue","pattern":"lowerBody","comparisons":[{}]}`},
		{name: "small", size: image.Pt(100, 60), frame: person(100, 60)},
		{name: "portrait", size: image.Pt(300, 500), frame: person(300, 500), rules: `[{"drawingType":"stickPicture","size":2,"color":"limeGreen"},{"drawingType":"keypoint","size":2,"color":"orange"},{"drawingType":"angle","points":["leftHip","leftKnee","leftAnkle"],"color":"white"}]`},
	} {
		add(p)
	}
	for _, c := range colors {
		add(picture{name: "color-" + string(c), size: image.Pt(80, 80), frame: person(80, 80),
			rules: fmt.Sprintf(`[{"drawingType":"stickPicture","size":8,"color":%q},{"drawingType":"label","points":["rightAnkle"],"color":%[1]q,"text":"Ab1"}]`, c)})
	}
	return list
}

func TestGolden(t *testing.T) {
	dir := filepath.Join("testdata", "golden")
	known := map[string]bool{}
	for _, p := range pictures() {
		file := filepath.Join(dir, p.name+".png")
		known[file] = true
		t.Run(p.name, func(t *testing.T) {
			got := p.draw(t)
			if *update {
				var buf bytes.Buffer
				enc := png.Encoder{CompressionLevel: png.BestCompression}
				if err := enc.Encode(&buf, got); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(dir, 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := unlike(got, readPNG(t, file)); diff != "" {
				t.Errorf("the drawing is unlike %s %s; look at both, and rewrite it with go test ./draw -update", file, diff)
			}
		})
	}
	testkit.KnownPictures(t, filepath.Join(dir, "*.png"), known)
}

func readPNG(t testing.TB, file string) *image.RGBA {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(m.Bounds())
	imagedraw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, imagedraw.Src)
	return rgba
}

// TestTolerance: the comparison with golden pictures detects a shift by a quarter of a pixel in
// any direction, another colour, and a thicker line.
func TestTolerance(t *testing.T) {
	base := picture{name: "base", size: image.Pt(240, 240), frame: person(240, 240)}
	want := base.draw(t)
	if diff := unlike(base.draw(t), want); diff != "" {
		t.Errorf("a drawing is unlike itself %s", diff)
	}
	for name, frame := range map[string]keypoint.Frame{
		"one pixel right":    shifted(base.frame, 1, 0),
		"one pixel up":       shifted(base.frame, 0, -1),
		"a quarter left":     shifted(base.frame, -0.25, 0),
		"a quarter down":     shifted(base.frame, 0, 0.25),
		"one part one pixel": movedPart(base.frame, keypoint.LeftWrist, 0, 1),
	} {
		moved := base
		moved.frame = frame
		if unlike(moved.draw(t), want) == "" {
			t.Errorf("%s passes as the same", name)
		}
	}
	thick := base
	thick.rules = `[{"drawingType":"stickPicture","size":4},{"drawingType":"keypoint"}]`
	if unlike(thick.draw(t), want) == "" {
		t.Error("a thicker line passes as the same")
	}
	other := canvas(240, 240)
	other.SetRGBA(3, 3, color.RGBA{})
	if unlike(other, canvas(240, 240)) == "" {
		t.Error("one wrong pixel passes as the same")
	}
}

func movedPart(f keypoint.Frame, p keypoint.Part, dx, dy float64) keypoint.Frame {
	at, _ := f.At(p)
	f.Set(p, at.Add(keypoint.Point{dx, dy}), 1)
	return f
}
