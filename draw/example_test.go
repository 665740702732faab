package draw_test

import (
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
	opt := draw.Options{Background: draw.Background{SkeletonOnly: true, Color: draw.Black}}
	if err := draw.Render(dst, &f, rules, opt); err != nil {
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

func ExampleRenderer() {
	var r draw.Renderer // keeps its memory from frame to frame
	canvas := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for range 3 {
		f := arm()
		opt := draw.Options{Background: draw.Background{SkeletonOnly: true}}
		if err := r.Render(canvas, &f, nil, opt); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(canvas.RGBAAt(60, 40))
	}
	// Output:
	// {128 128 128 255}
	// {128 128 128 255}
	// {128 128 128 255}
}

func ExampleParseRules() {
	_, err := draw.ParseRules([]byte(`[{"drawingType": "keypoint", "colour": "red", "points": ["nose", "tail"]}]`))
	var errs draw.Errors
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

func ExampleCheck() {
	rules := []draw.Rule{{Type: draw.Keypoint, Bands: []draw.Band{{Threshold: 0.3, Color: draw.Yellow}}}}
	fmt.Println(draw.Check(rules, true))
	fmt.Println(draw.Check(rules, false))
	// Output:
	// <nil>
	// /comparisons: is for drawing a comparison only
}

func ExampleNeedsOf() {
	rules := []draw.Rule{{Type: draw.StickPicture, Ghost: draw.SkyBlue}, {Type: draw.Trace}}
	fmt.Printf("%+v\n", draw.NeedsOf(rules))
	// Output: {Target:true History:true Value:false}
}

func ExampleColor_RGBA() {
	fmt.Println(draw.BlueGreen.RGBA())
	// Output: {13 152 186 255} true
}

func ExampleColors() {
	fmt.Println(len(draw.Colors()), draw.Colors()[0])
	// Output: 15 white
}

func ExampleTypes() {
	fmt.Println(draw.Types())
	// Output: [keypoint stickPicture horizontalLine verticalLine angle trace label]
}
