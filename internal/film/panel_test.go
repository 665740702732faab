package film_test

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// numbered are pictures whose green is the number of the frame.
type numbered struct {
	size   image.Point
	asked  []int
	closed int
}

func (n *numbered) Frame(i int) (image.Image, error) {
	n.asked = append(n.asked, i)
	m := yuv.New(n.size)
	m.Fill(color.RGBA{200, uint8(30 * i), 0, 255})
	rgba := image.NewRGBA(m.Bounds())
	m.ToRGBA(rgba)
	return rgba, nil
}

func (n *numbered) Close() error { n.closed++; return nil }

// TestBeside: a film with a panel shows both recordings at full height, in step and drawn, and reads each
// frame of the panel once.
func TestBeside(t *testing.T) {
	const frames = 12
	m := &fakeMovie{size: image.Pt(61, 40), frames: frames} // its red is the number of the frame plus 1
	source := keypoints(m.size, frames)
	target := &numbered{size: image.Pt(40, 80)}
	rules := []draw.Rule{{Type: "keypoint", Points: keypoint.PartSelectors(keypoint.LeftHip), Color: draw.Blue, Size: 10, Ghost: "pink"}}
	at := []int{0, 0, 0, 1, 1, 2, 4, 6, 6, 6, 7, 7}
	s := film.Subject{Keypoints: source, Rules: rules, Differences: make([]compare.Frame, frames)}
	panel, err := film.NewPanel(s, film.Subject{Keypoints: keypoints(target.size, 8)}, at)
	if err != nil {
		t.Fatal(err)
	}
	panel.Open = func() (film.Pictures, error) { return target, nil }
	s.Rules[0].Ghost = ""
	style, inputs, err := s.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	near := func(got color.Color, want color.RGBA) bool {
		r, g, b, _ := got.RGBA()
		d := func(x uint32, y uint8) bool { v := int(x>>8) - int(y); return v > -24 && v < 24 }
		return d(r, want.R) && d(g, want.G) && d(b, want.B)
	}
	const first = 2
	shown := 0
	m.write = func(i int, img image.Image, _ float64) error {
		shown++
		if size := img.Bounds().Size(); size != image.Pt(62+20, 40) {
			t.Errorf("frame %d is of %v", i, size)
		}
		if got, want := img.At(3, 35), (color.RGBA{uint8(i + first + 1), 100, 100, 255}); !near(got, want) {
			t.Errorf("frame %d: the source is %v, want %v", i, got, want)
		}
		if got, want := img.At(65, 35), (color.RGBA{200, uint8(30 * at[i+first]), 0, 255}); !near(got, want) {
			t.Errorf("frame %d: the target is %v, want %v", i, got, want)
		}
		for _, hip := range []image.Point{{33, 24}, {62 + 11, 24}} {
			if got := img.At(hip.X, hip.Y); !near(got, color.RGBA{0, 0, 255, 255}) {
				t.Errorf("frame %d: the hip at %v is %v", i, hip, got)
			}
		}
		return nil
	}
	part := source.Slice(first, frames-1)
	f := film.Film{
		Keypoints: part, Style: style, Inputs: inputs, Part: true, First: first, Beside: panel.Part(keypoint.Span{First: first, Last: frames - 1}),
		Open:   func() (inference.Frames, error) { return m.Open(t.Context(), nil) },
		Create: func() (draw.MovieWriter, error) { return m.Create(t.Context(), "", draw.Movie{}) },
	}
	if err := f.Draw(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing was kept") {
		t.Errorf("the drawing ended otherwise: %v", err)
	}
	if want := []int{0, 1, 2, 4, 6, 7}; !slices.Equal(target.asked, want) || target.closed != 1 || shown != frames-first || m.out.Load() != 0 {
		t.Errorf("%d frames were written, the target's %v were read, closed %d times, %d pictures are out", shown, target.asked, target.closed, m.out.Load())
	}

	// A panel of another size than its keypoints ends the film.
	target.size = image.Pt(8, 8)
	f.Beside = panel
	if err := f.Draw(t.Context()); err == nil || !strings.Contains(err.Error(), "(8,8) pixels") || m.out.Load() != 0 {
		t.Errorf("another size: %v, %d pictures are out", err, m.out.Load())
	}
}
