package report

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/internal/moments"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// shot is a frame that the report shows, with its caption.
type shot struct {
	frame      int
	name, note string
}

// picture is a shot as the page shows it: a part of the picture and the skeleton upon it, in pixels of the recording.
type picture struct {
	ViewBox             string
	Data                string // "" without a picture
	X, Y, Width, Height float64
	Stroke              float64
	Bones               []bone
	Joints              []tag  // without a text
	Sketches            []bone // of a colour
	Tags                []tag
	Name, Note          string
}

// bone is the lines of a class of the skeleton.
type bone struct{ Class, Path string }

// tag is a joint, or a value beside it.
type tag struct {
	Class, Text       string
	X, Y, Width, Size float64
}

const (
	mostShots   = 3
	mostDrawn   = 6   // frames with sketches
	pictureSide = 520 // pixels of the JPEG
	sure        = 0.5 // points of less confidence are drawn faintly
)

// Frames returns the frames that the report shows as pictures, in order of time: at most three, or those of a stride or a jump, and those of Sketches. It is nil if Write would return an error.
func (r *Report) Frames() []int {
	if r.check() != nil {
		return nil
	}
	frames := r.sketched()
	for _, s := range newPage(r).shots() {
		frames = append(frames, s.frame)
	}
	slices.Sort(frames)
	return slices.Compact(frames)
}

// shots chooses what the pictures show: where the comparison differs most, the highest jump, the middle stride, the
// turning points of repetitions, or moments at equal distances.
func (p *page) shots() []shot {
	r := p.r
	n := r.Sequence.Len()
	var list []shot
	add := func(frame int, name string) { list = append(list, shot{frame, name, p.timeOf(frame)}) }
	switch {
	case n == 1:
		return []shot{{frame: 0}}
	case r.Comparison != nil:
		for _, d := range p.told() {
			list = append(list, shot{d.Frame, p.timeOf(d.Frame), p.angleOf(d) + " " + signed(d.Difference)})
		}
	case len(r.Jumps) > 0:
		for _, m := range moments.Jump(r.Sequence, jump.Highest(r.Jumps)) {
			add(m.Frame, p.in(m.Name.Title()))
		}
	case r.Gait != nil && len(r.Gait.Cycles) > 0:
		for _, m := range moments.Stride(r.Gait, r.Gait.Cycles[len(r.Gait.Cycles)/2]) {
			add(m.Frame, p.in(m.Name.Title()))
		}
	case p.main != nil:
		if of := p.main.Result.Repetitions.List; len(of) < mostShots {
			add(of[0].Start.Frame, p.in(texts.Say("before")))
		}
		for _, k := range chosen(p.main.Result.Repetitions.List) {
			one := p.main.Result.Repetitions.List[k]
			list = append(list, shot{one.Turn.Frame, p.in(texts.Say("repetition", k+1)), p.in(texts.Say("turnsAt", p.timeOf(one.Turn.Frame)))})
		}
	}
	if list == nil {
		part := r.Part
		if part == (keypoint.Span{}) {
			part.Last = n - 1
		}
		for k := range mostShots {
			i := part.First + (2*k+1)*(part.Last+1-part.First)/(2*mostShots)
			list = append(list, shot{frame: i, name: p.timeOf(i)})
		}
		list = slices.CompactFunc(list, func(a, b shot) bool { return a.frame == b.frame }) // of fewer frames
	}
	slices.SortStableFunc(list, func(a, b shot) int { return a.frame - b.frame })
	return slices.DeleteFunc(list, func(s shot) bool { return s.frame < 0 || s.frame >= n })
}

// chosen returns the repetitions that pictures show: all of at most three, else the first, the deepest between them, and the last.
func chosen(list []analyze.Repetition) []int {
	if len(list) <= mostShots {
		return []int{0, 1, 2}[:len(list)]
	}
	best := 1
	for k := 1; k < len(list)-1; k++ {
		if list[k].Depth > list[best].Depth {
			best = k
		}
	}
	return []int{0, best, len(list) - 1}
}

// pictures draws the shots, all at one scale, each around the person.
func (p *page) pictures() (list []picture, err error) {
	r := p.r
	shots := p.shots()
	var overlay []keypoint.Frame
	if c := r.Comparison; c != nil {
		if overlay, err = compare.Overlay(r.Sequence, c.Target, c.Options); err != nil {
			return nil, err
		}
	}
	side := 0.0
	for _, s := range shots {
		if low, high, ok := boundsOf(r.Sequence.Frames[s.frame], overlay, s.frame); ok {
			side = max(side, 1.3*(high[0]-low[0]), 1.3*(high[1]-low[1]))
		}
	}
	known := quality.NewUncertainty(r.Sequence)
	for _, s := range shots {
		if one := p.picture(s, side, overlay, known.Hidden(s.frame)); one.Width > 0 {
			list = append(list, one)
		}
	}
	return list, nil
}

// boundsOf returns the smallest and the largest coordinates of the person and of the overlay.
func boundsOf(f keypoint.Frame, overlay []keypoint.Frame, i int) (low, high keypoint.Point, ok bool) {
	low, high, ok = f.Bounds()
	if i >= len(overlay) {
		return low, high, ok
	}
	a, b, other := overlay[i].Bounds()
	switch {
	case !ok:
		return a, b, other
	case other:
		low, high = keypoint.Point{min(low[0], a[0]), min(low[1], a[1])}, keypoint.Point{max(high[0], b[0]), max(high[1], b[1])}
	}
	return low, high, ok
}

// picture draws one shot in a square of a side in pixels of the recording, 0 for the whole picture, without what is hidden.
func (p *page) picture(s shot, side float64, overlay []keypoint.Frame, hidden keypoint.Parts) picture {
	f, size := p.r.Sequence.Frames[s.frame], p.r.Sequence.Size
	shown := p.r.Pictures[s.frame]
	if size == (image.Point{}) && shown != nil {
		size = shown.Bounds().Size()
	}
	low, high, ok := boundsOf(f, overlay, s.frame)
	one := picture{Name: s.name, Note: s.note, Width: side, Height: side}
	if ok {
		one.X, one.Y = (low[0]+high[0]-side)/2, (low[1]+high[1]-side)/2
	}
	if w, h := float64(size.X), float64(size.Y); w > 0 && h > 0 {
		if one.Width, one.Height = min(side, w), min(side, h); !ok || side == 0 {
			one.Width, one.Height = w, h
		}
		one.X, one.Y = min(max(one.X, 0), w-one.Width), min(max(one.Y, 0), h-one.Height)
	}
	one.X, one.Y, one.Width, one.Height = math.Round(one.X), math.Round(one.Y), math.Round(one.Width), math.Round(one.Height)
	one.ViewBox = fmt.Sprintf("%g %g %g %g", one.X, one.Y, one.Width, one.Height)
	one.Stroke = tenth(max(one.Width, one.Height) / 90)
	if shown != nil {
		one.Data = dataOf(shown, size, one)
	}
	if s.frame < len(overlay) {
		one.skeleton(overlay[s.frame], "other")
	}
	for _, part := range hidden.List() {
		f.Unset(part)
	}
	one.skeleton(f, "")
	p.tags(&one, f, s.frame)
	return one
}

// skeleton adds the lines and dots of a person; look is a class of its own instead of that of the sides.
func (one *picture) skeleton(f keypoint.Frame, look string) {
	for _, e := range keypoint.Skeleton() {
		a, ok := f.At(e[0])
		b, also := f.At(e[1])
		if !ok || !also || keypoint.Head().Has(e[0]) { // lines would cover the face
			continue
		}
		c := look
		if look == "" {
			c = sideOf(e[0], e[1])
			if min(f.Confidence(e[0]), f.Confidence(e[1])) < sure {
				c += " unsure"
			}
		}
		k := slices.IndexFunc(one.Bones, func(b bone) bool { return b.Class == c })
		if k < 0 {
			k = len(one.Bones)
			one.Bones = append(one.Bones, bone{Class: c})
		}
		one.Bones[k].Path += fmt.Sprintf("M%g %gL%g %g", tenth(a[0]), tenth(a[1]), tenth(b[0]), tenth(b[1]))
	}
	if look != "" {
		return
	}
	for _, part := range (f.Present() &^ keypoint.Head()).List() {
		at, _ := f.At(part)
		c := sideOf(part, part)
		if f.Confidence(part) < sure {
			c += " unsure"
		}
		one.Joints = append(one.Joints, tag{Class: c, X: tenth(at[0]), Y: tenth(at[1])})
	}
}

// sideOf returns the class of a line: that of its side, or "mid" between the sides.
func sideOf(a, b keypoint.Part) string {
	switch {
	case a < a.Mirror() && b < b.Mirror():
		return "left"
	case a > a.Mirror() && b > b.Mirror():
		return "right"
	}
	return "mid"
}

// tags writes values beside joints: of a repetition the angle it was counted in, of a comparison the angle
// that differs most, of an image all angles.
func (p *page) tags(one *picture, f keypoint.Frame, i int) {
	add := func(c *curve, text string) {
		part, ok := c.vertex()
		at, found := f.At(part)
		if !ok || !found {
			return
		}
		if letter := p.letter(string(c.Result.Side)); letter != "" {
			text = letter + " " + text
		}
		other, ok := f.At(part.Mirror())
		one.tag(string(cmp.Or(c.Result.Side, "mid")), text, at, ok && at[0] < other[0]) // outside of both
	}
	switch {
	case p.r.Comparison != nil:
		for _, d := range p.told() {
			if c := p.curveOf(d); c != nil && d.Frame == i {
				add(c, signed(d.Difference))
			}
		}
	case p.r.Sequence.Len() == 1:
		height := func(c *curve) float64 {
			part, _ := c.vertex()
			at, _ := f.At(part)
			return at[1]
		}
		for _, c := range slices.SortedStableFunc(slices.Values(p.curves), func(a, b *curve) int { return cmp.Compare(height(a), height(b)) }) {
			if c.unit == "°" && c.trust(i) != quality.TrustWithheld {
				add(c, p.reading(c, i).String())
			}
		}
	case p.main != nil && len(p.r.Jumps) == 0 && p.r.Gait == nil && p.main.trust(i) != quality.TrustWithheld:
		add(p.main, p.reading(p.main, i).String())
	}
}

// tag writes a text beside a point, below those that are in its way.
func (one *picture) tag(class, text string, at keypoint.Point, left bool) {
	size := one.Stroke * 5
	width := tenth(size * (2.2 + 0.62*float64(utf8.RuneCountInString(text))))
	x, y := at[0]+size*0.8, at[1]-size*1.9
	if left {
		x = at[0] - size*0.8 - width
	}
	x, y = min(max(x, one.X), one.X+one.Width-width), min(max(y, one.Y), one.Y+one.Height-1.7*size)
	for slices.ContainsFunc(one.Tags, func(t tag) bool { return math.Abs(t.Y-y) < 1.9*size && x < t.X+t.Width && t.X < x+width }) {
		y += 1.9 * size
	}
	one.Tags = append(one.Tags, tag{class, text, tenth(x), tenth(y), width, tenth(size)})
}
