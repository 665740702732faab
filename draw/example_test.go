package draw_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// arm is a forearm in a picture of 120×80 pixels.
func arm() keypoint.Frame {
	var f keypoint.Frame
	f.Set(keypoint.LeftElbow, keypoint.Point{20, 40}, 0.9)
	f.Set(keypoint.LeftWrist, keypoint.Point{100, 40}, 0.8)
	return f
}

func ExampleRender() {
	rules, err := draw.ParseRules([]byte(`[
		{"drawingType": "stickPicture", "color": "blue", "size": 10},
		{"drawingType": "keypoint", "points": ["leftWrist"], "color": "red", "size": 10}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := image.NewRGBA(image.Rect(0, 0, 120, 80))
	f := arm()
	if err := draw.Render(dst, &f, rules, draw.Background{SkeletonOnly: true, Color: "black"}); err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []int{10, 60, 100} {
		fmt.Println(x, dst.RGBAAt(x, 40))
	}
	// Output:
	// 10 {0 0 0 255}
	// 60 {0 0 255 255}
	// 100 {255 0 0 255}
}

// Rules are compiled once and drawn onto many frames. Here the target of a comparison is
// drawn beneath as a ghost.
func ExampleCompile() {
	rules := []draw.Rule{draw.StickPicture().In(draw.Blue, 1)}
	rules[0].Ghost = "black"
	style, err := draw.Compile(rules, draw.Background{SkeletonOnly: true}, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", style.Needs())
	r := draw.NewRenderer(style) // keeps its memory from frame to frame
	canvas := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for range 3 {
		f := arm()
		target := arm()
		target.Set(keypoint.LeftWrist, keypoint.Point{20, 70}, 0.9)
		if err := r.Render(canvas, &f, draw.Inputs{Target: &target}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(canvas.RGBAAt(60, 40), canvas.RGBAAt(19, 60))
	}
	// Output:
	// {Target:true History:false Hidden:false Value:false}
	// {0 0 255 255} {127 127 127 255}
	// {0 0 255 255} {127 127 127 255}
	// {0 0 255 255} {127 127 127 255}
}

// Compile finds what is wrong with rules made in Go.
func ExampleCompile_mistakes() {
	rules := []draw.Rule{{Type: "keypoint", Bands: []draw.Band{{Threshold: 0.3, Color: draw.Yellow}}}}
	_, err := draw.Compile(rules, draw.Background{}, false)
	fmt.Println(err)
	// Output: /0/comparisons: is for drawing a comparison only
}

func ExampleRule() {
	rules, err := draw.ParseRules([]byte(`{"drawingType": "keypoint", "points": ["nose"], "comparisons": [{}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := json.Marshal(rules)
	fmt.Println(string(b), err)
	// Output: [{"drawingType":"keypoint","points":[{"pointType":"single","pointName":"nose"}],"comparisons":[{}]}] <nil>
}

// The left arm is blue, like all of the person's left side, in the blue of the page.
func ExampleSides() {
	dst := image.NewRGBA(image.Rect(0, 0, 120, 80))
	f := arm()
	if err := draw.Render(dst, &f, draw.Sides(), draw.Background{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst.RGBAAt(60, 40))
	// Output: {70 162 255 255}
}

func ExampleParseRules() {
	_, err := draw.ParseRules([]byte(`[{"drawingType": "keypoint", "colour": "red", "points": ["nose", "tail"]}]`))
	var errs keypoint.FieldErrors
	if errors.As(err, &errs) {
		for _, e := range errs {
			fmt.Println(e.Pointer)
		}
	}
	// Output:
	// /0/colour
	// /0/points/1
}

func ExampleParseBackground() {
	b, err := draw.ParseBackground([]byte(`{"skeletonOnly": true, "color": "skyBlue"}`))
	fmt.Println(b.SkeletonOnly, b.Color, err)
	// Output: true skyBlue <nil>
}

func ExampleColor_RGBA() {
	fmt.Println(draw.Color("blueGreen").RGBA())
	// Output: {13 152 186 255} true
}

func ExampleColors() {
	fmt.Println(len(draw.Colors()), draw.Colors()[0])
	// Output: 15 white
}

func ExampleTypes() {
	fmt.Println(draw.Types())
	// Output: [keypoint stickPicture horizontalLine verticalLine angle trace label body]
}

// Faces are blurred in the picture before the skeleton is drawn.
func ExampleFaces() {
	var f keypoint.Frame
	f.Set(keypoint.LeftEar, keypoint.Point{70, 30}, 1)
	f.Set(keypoint.RightEar, keypoint.Point{50, 30}, 1)
	faces := draw.Faces(keypoint.Sequence{Frames: []keypoint.Frame{f}})
	fmt.Println(faces[0])

	style, err := draw.Compile(nil, draw.Background{}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	picture := image.NewRGBA(image.Rect(0, 0, 120, 90))
	picture.Set(60, 30, image.White.C) // a detail
	if err := draw.NewRenderer(style).Render(picture, &f, draw.Inputs{Faces: faces[0]}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(picture.RGBAAt(60, 30).R < 30)
	// Output:
	// [{[60 30] 19 [0 0]}]
	// true
}

// The path of a wrist over the last second, and its name, as JSON.
func ExampleTrace() {
	wrist := keypoint.PartSelector(keypoint.LeftWrist)
	text, err := json.Marshal([]draw.Rule{draw.Trace(1, wrist), draw.Label("left wrist", wrist)})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))

	// Output:
	// [{"drawingType":"trace","points":[{"pointType":"single","pointName":"leftWrist"}],"seconds":1},{"drawingType":"label","points":[{"pointType":"single","pointName":"leftWrist"}],"text":"left wrist"}]
}

// A preset is a list of rules, to which rules of your own can be added.
func ExamplePreset() {
	rules, ok := draw.Preset(draw.Presets()[0], false)
	fmt.Println(rules[0].Type, ok)
	// Output: body true
}

// The angle of an elbow, at its vertex.
func ExampleAngle() {
	rules := []draw.Rule{draw.StickPicture(), draw.Angle(keypoint.PartSelectors(keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)...).In(draw.Red, 2)}
	dst := image.NewRGBA(image.Rect(0, 0, 120, 80))
	f := arm()
	f.Set(keypoint.LeftShoulder, keypoint.Point{20, 10}, 0.9)
	if err := draw.Render(dst, &f, rules, draw.Background{}); err != nil {
		fmt.Println(err)
		return
	}
	red := 0
	for x := range 120 {
		for y := range 80 {
			if c := dst.RGBAAt(x, y); c.R == 255 && c.G == 0 {
				red++
			}
		}
	}
	fmt.Println(red > 0)
	// Output: true
}

// The rules of a drawing that asks for none, with the person of a comparison beneath as a ghost; a dot of one's own lies on top.
func ExampleGhosts() {
	rules := draw.Ghosts(draw.Defaults(true), draw.SkyBlue)
	rules = append(rules, draw.Body(), draw.Keypoint(keypoint.PartSelector(keypoint.LeftWrist)).In(draw.Red, 2))
	for _, r := range rules {
		fmt.Printf("%s %q\n", r.Type, r.Ghost)
	}
	// Output:
	// stickPicture "skyBlue"
	// keypoint ""
	// body ""
	// keypoint ""
}

// The value of an analysis beside the joint it is of.
func ExampleValues() {
	seq := keypoint.Sequence{Frames: []keypoint.Frame{arm()}, Size: image.Pt(120, 80)}
	rules := draw.Values(seq, [][]keypoint.Part{{keypoint.LeftElbow}})
	fmt.Println(rules[0].Type, rules[0].Color, rules[0].Beside)
	// Output: label blueGreen left
}

// Movies are drawn on as they are decoded, in planes of luma and chroma: pixels under no line keep their values.
func ExampleRenderer_RenderYUV() {
	style, err := draw.Compile([]draw.Rule{draw.StickPicture().In(draw.White, 10)}, draw.Background{}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	picture := draw.NewYUV(image.Pt(120, 80))
	f := arm()
	if err := draw.NewRenderer(style).RenderYUV(picture, &f, draw.Inputs{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(picture.At(60, 40), picture.At(60, 70))
	// Output: {255 255 255 255} {0 0 0 255}
}
