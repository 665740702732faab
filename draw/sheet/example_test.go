package sheet_test

import (
	"fmt"
	"image"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
)

func ExampleDraw() {
	seq := waving(250) // ten seconds
	picture := func(frame int) (image.Image, error) {
		return scene(image.Pt(320, 240), frame), nil // as a decoder would give it
	}
	m, err := sheet.Draw(seq, picture, sheet.Options{
		Count: 6, CellSize: 160,
		Rules: []draw.Rule{{Type: "stickPicture", Color: draw.Yellow}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Rect.Size())
	// Output: (504,300)
}

// Without pictures the skeletons stand on a plain ground.
func ExampleDraw_skeletons() {
	m, err := sheet.Draw(waving(50), nil, sheet.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.RGBAAt(0, 0))
	// Output: {255 255 255 255}
}

// A repetition in five pictures, with its tempo below.
func ExamplePhases() {
	seq, opt := wave()
	m, err := sheet.Phases(seq, func(frame int) (image.Image, error) { return scene(image.Pt(320, 240), frame), nil }, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Rect.Dx())
	// Output: 700
}

// The first repetition of an analysis is shown; a recording without repetitions has none to show.
func ExamplePhasesOf() {
	_, wave := wave()
	found := examine.Result{Results: []analyze.Result{{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide, Repetitions: &analyze.Repetitions{List: wave.List}}}}
	opt := sheet.PhasesOf(found)
	fmt.Println(len(opt.List), opt.Number)
	fmt.Println(len(sheet.PhasesOf(examine.Result{}).List))
	// Output:
	// 2 1
	// 0
}
