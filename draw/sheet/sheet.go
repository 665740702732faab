package sheet

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/fogleman/gg"
	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/font/gofont/gobold"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Draw draws frames of a recording, 12 by default, as one picture, each with its time, or its number if times are unknown.
//
// It calls picture once for each frame shown, in order of time, for the upright picture of the movie, which may be
// scaled but must have the aspect ratio of the recording within 2 %. If picture is nil, the skeletons are on a plain
// background that shows all of seq.Size or, if that is zero, the area of the keypoints shown.
//
// Draw returns a keypoint.ErrInvalid if the sequence or the options are invalid, the sheet has more than 64,000,000 pixels, a picture is
// empty or differs from the aspect ratio of seq.Size by more than 2 %, there is neither a picture nor a size nor a keypoint, or keypoints
// are more than 10⁹ pixels apart. It returns keypoint.FieldErrors if the rules are invalid, and wraps errors of the picture function.
func Draw(seq keypoint.Sequence, picture func(frame int) (image.Image, error), opt Options) (*image.RGBA, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	if seq.Len() == 0 {
		return nil, fmt.Errorf("%w sheet: the sequence has no frames", keypoint.ErrInvalid)
	}
	opt, err := opt.complete(seq)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(opt.Frames)) // of the cells, by frame
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return opt.Frames[a] - opt.Frames[b] })
	s := sheet{seq: seq, opt: opt}
	var m image.Image
	for k, cell := range order {
		frame := opt.Frames[cell]
		if picture != nil && (k == 0 || frame != opt.Frames[order[k-1]]) {
			if m, err = s.fetch(picture, frame); err != nil {
				return nil, err
			}
		}
		if s.dst == nil {
			if err := s.layOut(m); err != nil {
				return nil, err
			}
		}
		if err := s.cell(cell, frame, m); err != nil {
			return nil, err
		}
	}
	return s.dst, nil
}

// sheet is a sheet being drawn.
type sheet struct {
	seq      keypoint.Sequence
	opt      Options
	view     view // what each cell shows; of zero size if that depends on its picture
	dst      *image.RGBA
	box      image.Point // size of a cell's picture
	gap      int
	strip    int // height of a label
	columns  int
	labels   *gg.Context
	face     *text.Face // of labels
	style    *draw.Style
	renderer *draw.Renderer
	hidden   []keypoint.Parts // in each frame; nil if no rule needs them
}

// Frame draws one frame as a thumbnail, such as for a notebook: the keypoints and a small margin on a plain
// background, 240 pixels on the longer side. Nil rules select the default drawing.
//
// It returns a keypoint.ErrInvalid if the frame has no keypoints or they are too far apart (see Draw), and
// keypoint.FieldErrors if the rules are invalid.
func Frame(f keypoint.Frame, rules []draw.Rule) (*image.RGBA, error) {
	v, err := around(keypoint.Sequence{Frames: []keypoint.Frame{f}}, []int{0}, "frame: no keypoint to draw")
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rectangle{Max: v.box(240)})
	fill(m, m.Rect, plain)
	one := sheet{seq: keypoint.Sequence{Frames: []keypoint.Frame{f}}, opt: Options{Rules: rules}}
	if err := one.skeleton(m, v, 0); err != nil {
		return nil, err
	}
	return m, nil
}

// fetch calls the picture function for a frame and validates the result.
func (s *sheet) fetch(picture func(frame int) (image.Image, error), frame int) (image.Image, error) {
	m, err := picture(frame)
	if err != nil {
		return nil, fmt.Errorf("sheet: picture of frame %d: %w", frame, err)
	}
	if m == nil || m.Bounds().Empty() {
		return nil, fmt.Errorf("%w sheet: the picture of frame %d has no pixels", keypoint.ErrInvalid, frame)
	}
	size, want := m.Bounds().Size(), s.seq.Size
	if want.X > 0 && want.Y > 0 {
		shape := float64(size.X) / float64(size.Y) * float64(want.Y) / float64(want.X)
		if math.Abs(math.Log(shape)) > 0.02 {
			return nil, fmt.Errorf("%w sheet: the picture of frame %d is %d×%d, of another shape than the %d×%d of the sequence",
				keypoint.ErrInvalid, frame, size.X, size.Y, want.X, want.Y)
		}
	}
	return m, nil
}

// layOut allocates the sheet. Its cells have the aspect ratio of the recording or, if that is unknown, of the first picture.
func (s *sheet) layOut(first image.Image) error {
	shape := whole(s.seq.Size)
	switch {
	case s.seq.Size.X > 0 && s.seq.Size.Y > 0:
		s.view = shape
	case first != nil:
		shape = whole(first.Bounds().Size())
	default:
		var err error
		if shape, err = around(s.seq, s.opt.Frames, "sheet: neither a picture nor a size nor a keypoint"); err != nil {
			return err
		}
		s.view = shape
	}
	cell := s.opt.CellSize
	s.box = shape.box(cell)
	em := max(float64(cell)/17, 12)
	s.gap, s.strip = max(cell/24, 4), int(math.Ceil(1.7*em))
	width, height := s.box.X+s.gap, s.box.Y+s.gap+s.strip
	s.columns = s.opt.columns(width, height)
	rows := (len(s.opt.Frames) + s.columns - 1) / s.columns
	width, height = s.columns*width+s.gap, rows*height+s.gap
	if width*height > maxPixels {
		return fmt.Errorf("%w sheet: %d×%d pixels are more than %d", keypoint.ErrInvalid, width, height, maxPixels)
	}
	s.dst = image.NewRGBA(image.Rect(0, 0, width, height))
	fill(s.dst, s.dst.Rect, color.White)
	s.labels, s.face = gg.NewContextForRGBA(s.dst), text.NewFace(gobold.TTF, em)
	s.labels.SetColor(color.Black)
	return nil
}

// plain is the colour of a cell without a picture.
var plain = color.RGBA{0xEC, 0xEE, 0xF0, 255}

func fill(dst *image.RGBA, box image.Rectangle, c color.Color) {
	xdraw.Draw(dst, box, image.NewUniform(c), image.Point{}, xdraw.Src)
}

func (s *sheet) cell(index, frame int, m image.Image) error {
	at := image.Pt(s.gap+index%s.columns*(s.box.X+s.gap), s.gap+index/s.columns*(s.box.Y+s.gap+s.strip))
	fill(s.dst, image.Rectangle{Min: at, Max: at.Add(s.box)}, plain)
	v := s.view
	if v.size[0] == 0 {
		v = whole(m.Bounds().Size())
	}
	size := scaled(v.size[0], v.size[1], s.box)
	corner := at.Add(s.box.Sub(size).Div(2))
	inner := image.Rectangle{Min: corner, Max: corner.Add(size)}
	if m != nil {
		xdraw.BiLinear.Scale(s.dst, inner, m, m.Bounds(), xdraw.Over, nil)
	}
	if err := s.skeleton(s.dst.SubImage(inner).(*image.RGBA), v, frame); err != nil {
		return fmt.Errorf("sheet: drawing of frame %d: %w", frame, err)
	}
	label := fmt.Sprintf("frame %d", frame)
	if s.seq.Times != nil {
		label = fmt.Sprintf("%.2f s", s.seq.Times[frame])
	}
	const capHeight = 0.72 // of Go Bold, in ems
	em, width := s.face.Em, float64(s.box.X)
	label = s.face.Cut(label, width-max(em/3.5, 4))
	s.face.Write(s.labels, label, float64(at.X)+width/2, float64(at.Y+s.box.Y)+(float64(s.strip)+capHeight*em)/2, 0.5)
	s.labels.Fill()
	return nil
}

// skeleton draws a frame by the rules, without what is hidden if they draw a Body.
func (s *sheet) skeleton(dst *image.RGBA, v view, frame int) (err error) {
	if s.style == nil {
		if s.style, err = draw.Compile(s.opt.Rules, draw.Background{}, false); err != nil {
			return err
		}
		if s.renderer = draw.NewRenderer(s.style); s.style.Needs().Hidden {
			s.hidden = quality.Hidden(s.seq)
		}
	}
	var in draw.Inputs
	if s.hidden != nil {
		in.Hidden = s.hidden[frame]
	}
	size := dst.Rect.Size()
	if s.style.Needs().History {
		in.History = s.seq.Slice(0, frame).Clone()
		for i := range in.History.Frames {
			in.History.Frames[i] = v.frame(&in.History.Frames[i], size)
		}
	}
	f := v.frame(&s.seq.Frames[frame], size)
	return s.renderer.Render(dst, &f, in)
}

// view is the rectangle of a recording that a cell shows, in pixels.
type view struct{ origin, size keypoint.Point }

// frame converts a frame to pixels of a picture that shows the view at another size.
func (v view) frame(f *keypoint.Frame, size image.Point) keypoint.Frame {
	var out keypoint.Frame
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		at = at.Sub(v.origin)
		at[0] *= float64(size.X) / v.size[0]
		at[1] *= float64(size.Y) / v.size[1]
		out.Set(p, at, f.Confidence(p))
	}
	return out
}

// whole returns the view of an entire picture.
func whole(size image.Point) view {
	return view{size: keypoint.Point{float64(size.X), float64(size.Y)}}
}

// around returns the view of all keypoints of some frames and a margin; a keypoint.ErrInvalid with the text none
// if there are no keypoints, or if they are too far apart.
func around(seq keypoint.Sequence, frames []int, none string) (v view, err error) {
	low := keypoint.Point{math.Inf(1), math.Inf(1)}
	high := low.Mul(-1)
	for _, i := range frames {
		if from, to, found := seq.Frames[i].Bounds(); found {
			low = keypoint.Point{min(low[0], from[0]), min(low[1], from[1])}
			high = keypoint.Point{max(high[0], to[0]), max(high[1], to[1])}
		}
	}
	if low[0] > high[0] {
		return view{}, fmt.Errorf("%w %s", keypoint.ErrInvalid, none)
	}
	size := high.Sub(low)
	margin := max(size[0]*0.1, size[1]*0.1, 10)
	border := keypoint.Point{margin, margin}
	v = view{low.Sub(border), size.Add(border.Mul(2))}
	if reach := max(v.size[0], v.size[1]); reach > maxReach {
		return view{}, fmt.Errorf("%w sheet: the keypoints are %g pixels apart, want at most %d", keypoint.ErrInvalid, reach, maxReach)
	}
	return v, nil
}

// box returns the size of a picture that shows the view, with a longer side in pixels; the other is at least 24.
func (v view) box(side int) image.Point {
	size := scaled(v.size[0], v.size[1], image.Pt(side, side))
	return image.Pt(max(size.X, minCell/2), max(size.Y, minCell/2))
}

// scaled returns the largest size with the aspect ratio width:height that fits in a box.
func scaled(width, height float64, box image.Point) image.Point {
	s := min(float64(box.X)/width, float64(box.Y)/height)
	side := func(v float64, most int) int { return min(max(int(math.Round(v*s)), 1), most) }
	return image.Pt(side(width, box.X), side(height, box.Y))
}
