package sheet_test

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

var update = flag.Bool("update", false, "rewrite the golden pictures in testdata")

type drawing struct {
	name    string
	seq     keypoint.Sequence
	picture func(int) (image.Image, error)
	opt     sheet.Options
}

// of returns a Picture of scenes of a size.
func of(w, h int) func(int) (image.Image, error) {
	return func(frame int) (image.Image, error) { return scene(image.Pt(w, h), frame), nil }
}

func drawings() []drawing {
	seq := waving(50)
	unsized := seq.Clone()
	unsized.Size, unsized.Times = image.Point{}, nil
	blind := keypoint.Sequence{Frames: make([]keypoint.Frame, 6)}
	rules := []draw.Rule{
		{Type: "stickPicture", Color: draw.Yellow},
		{Type: "trace", Points: keypoint.PartSelectors(keypoint.LeftWrist), Color: "magenta"},
	}
	shapes := func(frame int) (image.Image, error) {
		return scene(image.Pt(100+40*(frame%2), 140-40*(frame%2)), frame), nil
	}
	return []drawing{
		{"skeletons", unsized, nil, sheet.Options{Count: 5, CellSize: 96}},
		{"pictures", seq, of(320, 240), sheet.Options{Count: 6, CellSize: 120}},
		{"previews", seq, of(80, 60), sheet.Options{Frames: []int{40, 6, 6}, CellSize: 120}},
		{"rules", seq, of(320, 240), sheet.Options{Frames: []int{12, 37}, CellSize: 160, Rules: rules}},
		{"shapes", blind, shapes, sheet.Options{CellSize: 80, Rules: []draw.Rule{}}},
	}
}

func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, name := range []string{"phases", "phases-bare", "phases-japanese", "phases-walk_across_90", "phases-jump_90_120fps"} {
		known[filepath.Join("testdata", name+".png")] = true
	}
	for _, d := range drawings() {
		file := filepath.Join("testdata", d.name+".png")
		known[file] = true
		t.Run(d.name, func(t *testing.T) {
			m, err := sheet.Draw(d.seq, d.picture, d.opt)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Picture(t, file, m, *update)
			again, err := sheet.Draw(d.seq, d.picture, d.opt)
			if err != nil || !bytes.Equal(again.Pix, m.Pix) {
				t.Errorf("a second drawing has other pixels, error %v", err)
			}
		})
	}
	testkit.KnownPictures(t, filepath.Join("testdata", "*.png"), known)
}

// TestTolerance: the comparison detects one part of one person that is off by one pixel of its cell.
func TestTolerance(t *testing.T) {
	d := drawings()[1]
	want, err := sheet.Draw(d.seq, d.picture, d.opt)
	if err != nil {
		t.Fatal(err)
	}
	moved := d.seq.Clone()
	at, _ := moved.Frames[0].At(keypoint.LeftWrist)
	moved.Frames[0].Set(keypoint.LeftWrist, at.Add(keypoint.Point{320.0 / 120, 0}), 1)
	got, err := sheet.Draw(moved, d.picture, d.opt)
	if err != nil {
		t.Fatal(err)
	}
	if testkit.Unlike(got, want) == "" {
		t.Error("a wrist that is off by a pixel passes as the same")
	}
}

// TestCalls: the picture function is called once a frame, in order of time.
func TestCalls(t *testing.T) {
	var calls []int
	picture := func(frame int) (image.Image, error) {
		calls = append(calls, frame)
		return scene(image.Pt(32, 24), frame), nil
	}
	frames := []int{9, 3, 9, 0, 3}
	if _, err := sheet.Draw(waving(10), picture, sheet.Options{Frames: frames, CellSize: 48}); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 3, 9}; !slices.Equal(calls, want) {
		t.Errorf("pictures of frames %v were asked for, want %v", calls, want)
	}
	if !slices.Equal(frames, []int{9, 3, 9, 0, 3}) {
		t.Errorf("the frames were changed to %v", frames)
	}
}

func TestBadInput(t *testing.T) {
	seq := waving(10)
	times := waving(3)
	times.Times[2] = times.Times[1]
	far := keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}
	far.Frames[0].Set(keypoint.Nose, keypoint.Point{-1e308, 0}, 1)
	far.Frames[0].Set(keypoint.LeftEye, keypoint.Point{1e308, 0}, 1)
	give := func(m image.Image) func(int) (image.Image, error) {
		return func(int) (image.Image, error) { return m, nil }
	}
	for name, c := range map[string]struct {
		seq     keypoint.Sequence
		picture func(int) (image.Image, error)
		opt     sheet.Options
		want    string
	}{
		"no frames":       {keypoint.Sequence{}, nil, sheet.Options{}, "no frames"},
		"times":           {times, nil, sheet.Options{}, "time of frame 2"},
		"nothing to show": {keypoint.Sequence{Frames: make([]keypoint.Frame, 3)}, nil, sheet.Options{}, "neither"},
		"far apart":       {far, nil, sheet.Options{}, "apart"},
		"Count":           {seq, nil, sheet.Options{Count: -1}, "Count is -1"},
		"many":            {seq, nil, sheet.Options{Count: 201}, "Count is 201"},
		"small cell":      {seq, nil, sheet.Options{CellSize: 47}, "CellSize is 47"},
		"large cell":      {seq, nil, sheet.Options{CellSize: 2049}, "CellSize is 2049"},
		"both":            {seq, nil, sheet.Options{Count: 2, Frames: []int{1}}, "both given"},
		"frame -1":        {seq, nil, sheet.Options{Frames: []int{0, -1}}, "Frames[1] is -1"},
		"frame after":     {seq, nil, sheet.Options{Frames: []int{10}}, "Frames[0] is 10"},
		"many frames":     {seq, nil, sheet.Options{Frames: make([]int, 201)}, "201 Frames"},
		"huge":            {seq, nil, sheet.Options{Frames: make([]int, 200), CellSize: 2048}, "pixels are more"},
		"nil picture":     {seq, give(nil), sheet.Options{}, "frame 0 has no pixels"},
		"empty picture":   {seq, give(&image.RGBA{}), sheet.Options{}, "frame 0 has no pixels"},
		"other shape":     {seq, of(240, 320), sheet.Options{}, "another shape"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := sheet.Draw(c.seq, c.picture, c.opt)
			if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) || m != nil {
				t.Errorf("error %v, want a keypoint.ErrInvalid with %q", err, c.want)
			}
		})
	}
}

// TestErrors: errors of the picture function and of the rules keep their kind.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	_, err := sheet.Draw(waving(10), func(int) (image.Image, error) { return nil, broken }, sheet.Options{Frames: []int{4}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "frame 4") {
		t.Errorf("error %v, want that of the picture function, with the frame", err)
	}
	_, err = sheet.Draw(waving(10), nil, sheet.Options{Rules: []draw.Rule{{Type: "circle"}}})
	var errs keypoint.FieldErrors
	if !errors.As(err, &errs) || !strings.Contains(err.Error(), "frame 0") {
		t.Errorf("error %v, want keypoint.FieldErrors, with the frame", err)
	}
}
