package film

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// Panel is another recording, shown to the right of the pictures of a film.
type Panel struct {
	At []int // the panel's frame in each frame of the film; not decreasing

	// Open returns a function that returns a frame, of numbers that do not decrease, as a picture that is
	// valid until the next call. Close frees it. nil: the style fills the panel.
	Open func() (p Pictures, err error)

	keypoints keypoint.Sequence // in pixels of the panel
	style     *draw.Style
	inputs    func(frame int) draw.Inputs
	size      image.Point // of its own pictures
	place     image.Rectangle
	canvas    image.Point
}

// Pictures are the frames of a recording.
type Pictures interface {
	Frame(i int) (image.Image, error)
	Close() error
}

// Picture is a recording of one picture.
type Picture struct{ image.Image }

func (p Picture) Frame(int) (image.Image, error) { return p.Image, nil }

func (p Picture) Close() error { return nil }

// NewPanel returns a panel with the target of a comparison, drawn as the source is but without what rules draw of the
// target onto the source; the rules, the background, the fonts and the analyses are the source's. at is the target's frame for each
// frame of the source. The panel is as high as the source's picture, at most twice as wide, and keeps the shape of the target's.
func NewPanel(source, target Subject, at []int) (*Panel, error) {
	size := target.Keypoints.Size
	if size.X <= 0 || size.Y <= 0 || source.Keypoints.Size.X <= 0 || source.Keypoints.Size.Y <= 0 {
		return nil, fmt.Errorf("%w keypoints: the size of the pictures is not known", keypoint.ErrInvalid)
	}
	p := &Panel{At: at, size: size}
	p.canvas, p.place = beside(cmp.Or(source.Shown, source.Keypoints.Size), size)
	s := target
	s.Background, s.Fonts, s.Analyses, s.Shown = source.Background, source.Fonts, source.Analyses, p.place.Size()
	s.Differences = make([]compare.Frame, s.Keypoints.Len())
	s.Rules = append([]draw.Rule(nil), source.Rules...)
	for i := range s.Rules {
		s.Rules[i].Ghost, s.Rules[i].Arrows, s.Rules[i].Legend = "", "", false
		if isBody(s.Rules[i]) {
			s.Rules[i].Text = ""
		}
	}
	style, inputs, err := s.Prepare()
	if err != nil {
		return nil, err
	}
	p.keypoints, p.style = Resized(s.Keypoints, p.place.Size()), style
	p.inputs = func(i int) draw.Inputs {
		in := inputs(at[i])
		in.Distance = source.distance(i)
		return in
	}
	return p, nil
}

// Part returns the panel for a part of the film's frames.
func (p *Panel) Part(span keypoint.Span) *Panel {
	part, inputs := *p, p.inputs
	part.At = p.At[span.First : span.Last+1]
	part.inputs = func(i int) draw.Inputs { return inputs(span.First + i) }
	return &part
}

// still draws the panel of frame 0 onto a picture.
func (p *Panel) still(canvas *image.RGBA) (err error) {
	dst := canvas.SubImage(p.place.Add(canvas.Rect.Min)).(*image.RGBA)
	if p.Open != nil {
		pictures, err := p.Open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, pictures.Close()) }()
		img, err := p.picture(pictures, 0, nil)
		if err != nil {
			return err
		}
		xdraw.Draw(dst, dst.Rect, img, image.Point{}, xdraw.Src)
	}
	return draw.NewRenderer(p.style).Render(dst, &p.keypoints.Frames[p.At[0]], p.inputs(0))
}

// picture returns the panel's picture in frame i of the film, in its size. It reuses dst, if not nil.
func (p *Panel) picture(pictures Pictures, i int, dst *image.RGBA) (*image.RGBA, error) {
	img, err := pictures.Frame(p.At[i])
	if err != nil {
		return nil, err
	}
	size := img.Bounds().Size()
	if shape := float64(size.X*p.size.Y) / float64(size.Y*p.size.X); math.Abs(shape-1) > 0.02 {
		return nil, fmt.Errorf("%w keypoints: frame %d has %v pixels, its keypoints are of a frame of %v", keypoint.ErrInvalid, p.At[i], size, p.size)
	}
	if dst == nil {
		dst = image.NewRGBA(image.Rectangle{Max: p.place.Size()})
	}
	if dst.Rect.Max == size {
		xdraw.Draw(dst, dst.Rect, img, img.Bounds().Min, xdraw.Src)
	} else {
		xdraw.BiLinear.Scale(dst, dst.Rect, img, img.Bounds(), xdraw.Src, nil)
	}
	return dst, nil
}

// beside returns the size of a picture with another one on its right, and the place of the other one,
// which begins at an even pixel, as chroma needs.
func beside(left, right image.Point) (canvas image.Point, place image.Rectangle) {
	scale := min(float64(left.Y)/float64(right.Y), 2*float64(left.X)/float64(right.X))
	size := image.Pt(max(int(float64(right.X)*scale+0.5), 1), min(max(int(float64(right.Y)*scale+0.5), 1), left.Y))
	corner := image.Pt((left.X+1)&^1, (left.Y-size.Y)/2&^1)
	return image.Pt(corner.X+size.X, left.Y), image.Rectangle{corner, corner.Add(size)}
}

// Resized returns keypoints in pixels of a picture of another size. World stays that of the first picture.
func Resized(s keypoint.Sequence, size image.Point) keypoint.Sequence {
	if size == s.Size {
		return s
	}
	x, y := float64(size.X)/float64(s.Size.X), float64(size.Y)/float64(s.Size.Y)
	s.Frames = slices.Clone(s.Frames)
	for i := range s.Frames {
		s.Frames[i] = Scaled(s.Frames[i], x, y)
	}
	s.Size = size
	return s
}

// Scaled returns the keypoints of a picture that is x times as wide and y times as high.
func Scaled(f keypoint.Frame, x, y float64) keypoint.Frame {
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		f.Set(p, keypoint.Point{at[0] * x, at[1] * y}, f.Confidence(p))
	}
	return f
}

// follower puts the panel's pictures into those of the film.
type follower struct {
	panel    *Panel
	pictures Pictures
	frame    int // of last
	last     *image.RGBA
}

// show puts the picture of frame i into its place, if the panel has pictures.
func (f *follower) show(canvas *yuv.Image, i int) error {
	if f == nil || f.pictures == nil {
		return nil
	}
	if k := f.panel.At[i]; f.last == nil || k != f.frame {
		img, err := f.panel.picture(f.pictures, i, f.last)
		if err != nil {
			return fmt.Errorf("target: %w", err)
		}
		f.last, f.frame = img, k
	}
	canvas.View(f.panel.place).FromRGBA(f.last)
	return nil
}
