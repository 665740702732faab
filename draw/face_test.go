package draw_test

import (
	"image"
	"math"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

var headParts = keypoint.PartsOf(keypoint.Nose, keypoint.LeftEye, keypoint.RightEye, keypoint.LeftEar, keypoint.RightEar)

// TestFaceCoversHead: whichever parts of the head are known, the disc covers them with a margin, and
// is of the size of a head.
func TestFaceCoversHead(t *testing.T) {
	whole := person(400, 400)
	for name, hidden := range map[string]keypoint.Parts{
		"all":                    0,
		"left side":              keypoint.PartsOf(keypoint.RightEye, keypoint.RightEar),
		"nose":                   headParts &^ keypoint.PartsOf(keypoint.Nose),
		"nose without shoulders": headParts&^keypoint.PartsOf(keypoint.Nose) | keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder),
	} {
		f := whole.Only(keypoint.All &^ hidden)
		faces := draw.Faces(keypoint.Sequence{Frames: []keypoint.Frame{f}})
		if len(faces) != 1 || len(faces[0]) != 1 {
			t.Fatalf("%s: %v", name, faces)
		}
		face := faces[0][0]
		if shoulders := f.Has(keypoint.LeftShoulder); shoulders != (face.Up[1] < -face.Radius) {
			t.Errorf("%s: the crown is %v from the middle", name, face.Up)
		}
		if share := 2 * face.Radius / (0.93 - 0.115) / 400; share < 0.12 || share > 0.32 {
			t.Errorf("%s: the face is %.0f %% of the body's height", name, 100*share)
		}
		for _, p := range (headParts & f.Present()).List() {
			at, _ := whole.At(p)
			if d := at.Sub(face.Centre).Len(); d > 0.95*face.Radius {
				t.Errorf("%s: %v is %.0f px from the centre of a face of %.0f px", name, p, d, face.Radius)
			}
		}
	}
	headless := whole.Only(keypoint.All &^ headParts)
	if faces := draw.Faces(keypoint.Sequence{Frames: []keypoint.Frame{headless}}); len(faces) != 1 || faces[0] != nil {
		t.Errorf("a body without a head has %v", faces)
	}
}

// TestFaceStays: a face that is lost moves on with the body for a second, appears a second before it is
// found, and is not carried to somebody else.
func TestFaceStays(t *testing.T) {
	const fps = 10
	// The face is found from 2 s to 3 s, and at 7 s; the body moves by 5 pixels a frame.
	record := func() (s keypoint.Sequence) {
		for i := range 100 {
			f := shifted(person(400, 400), 5*float64(i), 0)
			if i < 20 || i > 30 && i != 70 {
				f = f.Only(keypoint.All &^ headParts)
			}
			s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/fps)
		}
		return s
	}
	one := record()
	there := func(s keypoint.Sequence) (list [100]bool) {
		for i, faces := range draw.Faces(s) {
			if list[i] = len(faces) > 0; !list[i] {
				continue
			}
			nose, _ := one.Frames[20].At(keypoint.Nose)
			want := nose[0] + 5*float64(i-20)
			if d := math.Abs(faces[0].Centre[0] - want); d > faces[0].Radius/3 {
				t.Errorf("frame %d: the face is %.0f px beside the nose", i, d)
			}
		}
		return list
	}
	for i, found := range there(one) {
		if want := i >= 10 && i <= 40 || i >= 60 && i <= 80; found != want {
			t.Errorf("frame %d: there is a face: %v", i, found)
		}
	}
	one.PersonChanges = []int{35, 65}
	for i, found := range there(one) {
		if want := i >= 10 && i <= 34 || i >= 65 && i <= 80; found != want {
			t.Errorf("frame %d: there is a face of the same person: %v", i, found)
		}
	}
	all := draw.Faces(one, keypoint.Sequence{Frames: one.Frames[:25], Times: one.Times[:25]})
	if len(all) != 100 || len(all[20]) != 2 || len(all[30]) != 1 {
		t.Errorf("of two people: %d frames, %d faces, %d faces", len(all), len(all[20]), len(all[30]))
	}
}

// TestBlur: within the radius nothing finer than a fifth of the face is left, outside of it nothing changes,
// in RGB as in planes; faces at the border and out of the picture do no harm.
func TestBlur(t *testing.T) {
	size := image.Pt(121, 95)
	faces := []draw.Face{
		{Centre: keypoint.Point{50, 45}, Radius: 25}, {Centre: keypoint.Point{0, 0}, Radius: 10}, {Centre: keypoint.Point{119, 94}, Radius: 1}, {Centre: keypoint.Point{-40, 10}, Radius: 20},
		{Centre: keypoint.Point{math.Inf(1), 10}, Radius: 20}, {Centre: keypoint.Point{20, 10}, Radius: math.NaN()}, {Centre: keypoint.Point{-1e300, 1e300}, Radius: 1e305},
	}
	before := image.NewRGBA(image.Rectangle{Max: size})
	for i := range before.Pix { // stripes of a pixel
		before.Pix[i] = 255
		if x := i / 4 % size.X; i%4 != 3 && x%2 == 0 {
			before.Pix[i] = 15
		}
	}
	planes, _ := draw.NewYUV(size).(*yuv.Image)
	planes.FromRGBA(before)
	plain := image.NewRGBA(before.Rect)
	planes.ToRGBA(plain)
	style, err := draw.Compile([]draw.Rule{{Type: "keypoint", Points: keypoint.PartSelectors(keypoint.Nose)}}, draw.Background{}, false)
	if err != nil {
		t.Fatal(err)
	}
	in := draw.Inputs{Faces: faces}
	r, nobody := draw.NewRenderer(style), keypoint.Frame{}
	rgb := image.NewRGBA(before.Rect)
	copy(rgb.Pix, before.Pix)
	if err := r.Render(rgb, &nobody, in); err != nil {
		t.Fatal(err)
	}
	if err := r.RenderYUV(planes, &nobody, in); err != nil {
		t.Fatal(err)
	}
	fromPlanes := image.NewRGBA(before.Rect)
	planes.ToRGBA(fromPlanes)
	for name, m := range map[string][2]*image.RGBA{"RGB": {before, rgb}, "planes": {plain, fromPlanes}} {
		for y := range size.Y {
			for x := range size.X - 1 {
				d := math.Hypot(float64(x)+0.5-50, float64(y)+0.5-45)
				here, next := m[1].RGBAAt(x, y), m[1].RGBAAt(x+1, y)
				switch step := math.Abs(float64(here.G) - float64(next.G)); {
				case d < 24 && step > 12:
					t.Fatalf("%s: at %d,%d neighbours differ by %v", name, x, y, step)
				case d > 33 && math.Hypot(float64(x), float64(y)) > 14 && x+y < 205 && here != m[0].RGBAAt(x, y):
					t.Fatalf("%s: at %d,%d outside of the faces %v became %v", name, x, y, m[0].RGBAAt(x, y), here)
				}
			}
		}
	}
}
