package sheet

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/fogleman/gg"
	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/draw/internal/moments"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// PhaseOptions says which repetition, stride or jump Phases shows, and how. List and Number are required.
type PhaseOptions struct {
	List     []analyze.Repetition // the repetitions of the sequence, such as study.Study.Repetitions.List; of strides and jumps as many
	Gait     *gait.Gait           // shows its strides at their touch-downs, mid-stances and toe-offs; Pictures is then ignored
	Jumps    []jump.Jump          // shows them from the lowest place before to that after; Pictures is then ignored
	Number   int                  // of the repetition in List, from 1
	Measure  *study.Measure       // what the curve shows and the value at the turn is of; nil: neither
	Pictures int                  // 3 to 15; 0 means 7
	Phases   [3]string            // the ways out, hold and back: "down", "up", "hold", "out" or "back", as exercise.Phase; "" means the last three
	Title    string               // before the number of the repetition
	Bare     bool                 // without skeletons
	Width    int                  // pixels, 650 to 5200; 0 means 1300
	Language say.Language         // of the words, as far as the fonts have its letters, else English; "" means English
	Fonts    []draw.Font          // for letters other than Latin, Greek and Cyrillic
}

// PhasesOf returns the options that show the first repetition of a result: that of its exercise, of its overview, or of the
// first rule with repetitions, with the measure whose repetitions count; else the first stride, or the first jump. Without any, List is empty.
func PhasesOf(found examine.Result) (opt PhaseOptions) {
	opt.Number = 1
	if s := found.Overview; s != nil && s.Repetitions != nil {
		opt.List = s.Repetitions.List
		copy(opt.Phases[:1], s.Ways)
		copy(opt.Phases[2:], s.Ways[min(1, len(s.Ways)):])
	}
	if x := found.Exercise; x != nil {
		opt.List = nil // which may have another lead
		for _, r := range x.Repetitions {
			opt.List = append(opt.List, analyze.Repetition{Start: r.Start, Turn: r.Turn, End: r.End, Out: r.Out, Hold: r.Hold, Back: r.Back, TimeUncertainty: r.TimeUncertainty})
		}
		for k, name := range x.Exercise.Phases[:min(len(x.Exercise.Phases), len(opt.Phases))] {
			opt.Phases[k] = string(name)
		}
	}
	opt.Measure = leadOf(found)
	for _, r := range found.Results {
		if opt.List == nil && r.Repetitions != nil {
			opt.List = r.Repetitions.List
			opt.Measure = &study.Measure{Type: r.Type, Side: r.Side, Name: r.Name, Unit: cmp.Or(r.Unit, r.Type.Unit()), Values: r.Values, Uncertainty: r.Uncertainty}
		}
	}
	if opt.List == nil {
		s := cmp.Or(found.Overview, &study.Study{Gait: found.Gait, Jumps: found.Jumps})
		n := len(s.Jumps)
		if opt.Gait, opt.Jumps = s.Gait, s.Jumps; s.Gait != nil {
			n = len(s.Gait.Cycles)
		}
		opt.List = make([]analyze.Repetition, n)
	}
	return opt
}

// row returns the moments that the options ask for, and what of; nil for a repetition.
func (o *PhaseOptions) row(seq keypoint.Sequence) (list []moments.Moment, of string) {
	switch k := o.Number - 1; {
	case o.Gait != nil && k >= 0 && k < len(o.Gait.Cycles):
		return moments.Stride(o.Gait, o.Gait.Cycles[k]), "stride"
	case o.Gait == nil && k >= 0 && k < len(o.Jumps):
		return moments.Jump(seq, o.Jumps[k]), "jump"
	}
	return nil, "repetition"
}

// leadOf returns the measure whose repetitions count: the lead of the exercise, if it has one, or of the overview; nil without.
func leadOf(found examine.Result) *study.Measure {
	s := cmp.Or(found.Overview, &study.Study{})
	lead := cmp.Or(s.Lead, &study.Lead{})
	if x := found.Exercise; x != nil && x.Exercise.Lead != nil && x.Exercise.Lead.Type != lead.Type {
		lead = x.Exercise.Lead
	}
	var of *study.Measure
	for k := range s.Measures {
		m := &s.Measures[k]
		if m.Type == lead.Type && (lead.Side == "" || m.Side == lead.Side) && m.Trust != quality.TrustWithheld && (of == nil || m.Trust == quality.TrustGood) {
			of = m
		}
	}
	return of
}

// Phases draws a repetition at equal steps from its start to its end: the pictures beside each other with skeletons and times, below
// them the tempo and the curve of a measure with its uncertainty, on one axis of time. A stride and a jump are drawn at their named moments.
//
// picture is that of Draw. Each column of a repetition shows the same part of the picture; those of a stride or a jump follow the
// person, and are all as large. A sequence without times, options out of range, and a Title with letters that the fonts lack are a keypoint.ErrInvalid; errors of picture are wrapped.
func Phases(seq keypoint.Sequence, picture func(frame int) (image.Image, error), opt PhaseOptions) (*image.RGBA, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	opt.Width, opt.Pictures = cmp.Or(opt.Width, phasesWidth), cmp.Or(opt.Pictures, 7)
	row, kind := opt.row(seq)
	if row != nil {
		opt.Measure, opt.Pictures = nil, len(row)
	}
	for _, c := range []struct {
		name                   string
		value, least, greatest int
	}{{"Number", opt.Number, 1, len(opt.List)}, {"Pictures", opt.Pictures, 3, 15}, {"Width", opt.Width, phasesWidth / 2, 4 * phasesWidth}} {
		if c.value < c.least || c.value > c.greatest {
			return nil, fmt.Errorf("%w phases: %s is %d, want %d to %d", keypoint.ErrInvalid, c.name, c.value, c.least, c.greatest)
		}
	}
	one := opt.List[opt.Number-1]
	if row != nil {
		frames := func(a, b moments.Moment) int { return cmp.Compare(a.Frame, b.Frame) }
		one.Start.Frame, one.End.Frame = slices.MinFunc(row, frames).Frame, slices.MaxFunc(row, frames).Frame
	}
	if last := len(seq.Times) - 1; one.Start.Frame < 0 || one.End.Frame > last || one.End.Frame <= one.Start.Frame {
		return nil, fmt.Errorf("%w phases: a repetition of frames %d to %d, of %d with times", keypoint.ErrInvalid, one.Start.Frame, one.End.Frame, last+1)
	}
	p := &phases{sheet: sheet{seq: seq, opt: Options{Rules: draw.Sides()}}, o: opt, row: row, kind: kind, one: one, unit: float64(opt.Width) / phasesWidth,
		from: seq.Times[one.Start.Frame]}
	for i := range p.opt.Rules {
		p.opt.Rules[i].Size *= 2 // the pictures are small, and have no room for a legend
		p.opt.Rules[i].Legend = false
	}
	if c, missing := p.font(false).Lacks(opt.Title); missing {
		return nil, fmt.Errorf("%w phases: the title has %q, which no font has: the host has to give one (fonts.Parse, Config.Fonts, --font)",
			keypoint.ErrInvalid, c)
	}
	return p.draw(picture)
}

// Layout in units, of which the picture is phasesWidth wide.
const (
	phasesWidth             = 1300
	gutter, margin          = 66, 24 // left of the pictures, and around
	headHeight, footHeight  = 78, 40
	tempoHeight, plotHeight = 28, 220
)

// phases is a picture of phases being drawn. Its sheet draws the skeletons.
type phases struct {
	sheet
	o    PhaseOptions
	row  []moments.Moment // of a stride or a jump
	kind string           // "repetition", "stride" or "jump"
	one  analyze.Repetition
	unit float64 // pixels
	dc   *gg.Context

	regular, bold text.Setter[draw.Path, draw.Font]

	frames []int
	from   float64 // time of the first picture
	cell   image.Point
}

func (p *phases) px(units float64) float64 { return math.Round(units * p.unit) }

// column returns the left end of a picture in pixels.
func (p *phases) column(k int) int {
	return int(p.px(gutter)) + k*(p.o.Width-int(p.px(gutter+margin)))/p.o.Pictures
}

// at returns the place of a time on the axis in pixels: the middle of the first picture is its time, as of the last one.
func (p *phases) at(seconds float64) float64 {
	n := float64(p.o.Pictures)
	return float64(p.column(0)) + float64(p.column(p.o.Pictures)-p.column(0))*(0.5+(seconds-p.from)/p.step())/n
}

// step is the time between pictures in seconds.
func (p *phases) step() float64 {
	return (p.seq.Times[p.one.End.Frame] - p.from) / float64(p.o.Pictures-1)
}

func (p *phases) draw(picture func(frame int) (image.Image, error)) (*image.RGBA, error) {
	for k := range p.o.Pictures {
		if p.row == nil {
			p.frames = append(p.frames, rank.Nearest(p.seq.Times, p.from+float64(k)*p.step()))
		} else {
			p.frames = append(p.frames, p.row[k].Frame)
		}
	}
	views, err := p.windows()
	if err != nil {
		return nil, err
	}
	v := views[0]
	p.cell = image.Pt(p.column(1)-p.column(0), int(math.Round(float64(p.column(1)-p.column(0))*v.size[1]/v.size[0])))
	tempo := int(p.px(headHeight)) + p.cell.Y
	height, m := tempo+int(p.px(tempoHeight+footHeight)), p.o.Measure
	charted := m != nil && len(m.Values) == p.seq.Len() &&
		slices.ContainsFunc(m.Values[p.one.Start.Frame:p.one.End.Frame+1], func(v analyze.Value) bool { return v.Present })
	if charted {
		height += int(p.px(plotHeight))
	}
	p.dst = image.NewRGBA(image.Rect(0, 0, p.o.Width, height))
	p.dc = gg.NewContextForRGBA(p.dst)
	fill(p.dst, p.dst.Rect, color.White)
	p.head()
	for k, frame := range p.frames {
		var m image.Image
		if picture != nil {
			if m, err = p.fetch(picture, frame); err != nil {
				return nil, err
			}
		}
		if err := p.still(k, frame, m, views[k]); err != nil {
			return nil, err
		}
	}
	if p.row == nil {
		p.tempo(float64(tempo))
	}
	for k, m := range p.row {
		p.write(p.in(m.Name.Title()), 12, true, ink, float64(p.column(k)+p.cell.X/2), float64(tempo)+p.px(tempoHeight/2+4), 0.5)
	}
	if charted {
		of := chart.Series{Result: analyze.Result{Side: p.o.Measure.Side, Unit: p.o.Measure.Unit, Values: p.o.Measure.Values,
			Uncertainty: p.o.Measure.Uncertainty}, Times: p.seq.Times}
		strip := chart.Strip{Width: p.column(p.o.Pictures), Height: int(p.px(plotHeight)), Left: p.column(0), Scale: 1.25 * p.unit,
			From: p.from - p.step()/2, To: p.from + (float64(p.o.Pictures)-0.5)*p.step(), Marks: p.frames}
		m, err := strip.Image(of)
		if err != nil {
			return nil, err
		}
		xdraw.Copy(p.dst, image.Pt(0, tempo+int(p.px(tempoHeight))), m, m.Bounds(), xdraw.Src, nil)
	}
	p.foot(float64(height), charted)
	return p.dst, nil
}

// windows returns what the columns show: the person in all of the pictures and a margin, at least as high as wide and at
// most twice that, and no more of the recording than there is where that can be. Those of a row follow the person.
func (p *phases) windows() (list []view, err error) {
	all, err := around(p.seq, p.frames, "phases: nobody is seen in the repetition")
	if err != nil {
		return nil, err
	}
	size := all.size
	for k, frame := range p.frames {
		one, err := around(p.seq, []int{frame}, "")
		if err != nil || p.row == nil {
			one = all
		}
		if list = append(list, one); k == 0 {
			size[0] = 0
		}
		size[0] = max(size[0], one.size[0])
	}
	if size[1] = max(size[1], size[0]); p.row == nil {
		size[1] = min(size[1], 2.2*size[0])
	}
	size[0] = max(size[0], size[1]/2)
	for k, one := range list {
		middle := keypoint.Point{one.origin[0] + one.size[0]/2, all.origin[1] + all.size[1]/2}
		v := view{middle.Sub(size.Mul(0.5)), size}
		for axis, whole := range []int{p.seq.Size.X, p.seq.Size.Y} {
			if room := float64(whole) - v.size[axis]; whole > 0 && room >= 0 {
				v.origin[axis] = min(max(v.origin[axis], 0), room)
			}
		}
		list[k] = v
	}
	return list, nil
}

// still draws a column: the picture, the skeleton and the time. The one of the turn is framed.
func (p *phases) still(k, frame int, m image.Image, v view) error {
	box := image.Rectangle{Max: image.Pt(p.column(k+1)-p.column(k), p.cell.Y)}.Add(image.Pt(p.column(k), int(p.px(headHeight))))
	box.Max.X -= int(p.px(2))
	fill(p.dst, box, plain)
	part := p.dst.SubImage(box).(*image.RGBA)
	if m != nil {
		whole := cmp.Or(p.seq.Size, m.Bounds().Size())
		x, y := float64(box.Dx())/v.size[0], float64(box.Dy())/v.size[1]
		at := func(px, py float64) image.Point {
			return box.Min.Add(image.Pt(int(math.Round((px-v.origin[0])*x)), int(math.Round((py-v.origin[1])*y))))
		}
		xdraw.ApproxBiLinear.Scale(part, image.Rectangle{Min: at(0, 0), Max: at(float64(whole.X), float64(whole.Y))}, m, m.Bounds(), xdraw.Src, nil)
	}
	if !p.o.Bare {
		if err := p.skeleton(part, v, frame); err != nil {
			return err
		}
	}
	if p.row == nil && k == int(math.Round((p.one.Turn.Time-p.from)/p.step())) {
		p.dc.SetColor(color.White)
		p.dc.SetLineWidth(p.px(3))
		p.dc.DrawRectangle(float64(box.Min.X)+p.px(1.5), float64(box.Min.Y)+p.px(1.5), float64(box.Dx())-p.px(3), float64(box.Dy())-p.px(3))
		p.dc.Stroke()
	}
	label, em := text.Fixed(p.seq.Times[frame], 2)+" s", 12.0
	width := p.width(label, em, true) + p.px(18)
	middle, base := float64(box.Min.X+box.Max.X)/2, float64(box.Max.Y)-p.px(12)
	p.dc.SetColor(color.NRGBA{0x12, 0x16, 0x1C, 225})
	p.dc.DrawRoundedRectangle(middle-width/2, base-p.px(16), width, p.px(22), p.px(11))
	p.dc.Fill()
	p.write(label, em, true, color.White, middle, base, 0.5)
	return nil
}
