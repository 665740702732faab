package onnx

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// sets are the named sets: their numbers of points, and which of them are the parts of the feet, in the order of keypoint.Part. The
// first 17 points of each are those of COCO. Sources: Halpe-FullBody, Fang et al. 2022; COCO-WholeBody, Jin et al. 2020.
var sets = map[string]struct {
	points int
	feet   []int
}{
	"coco17":            {points: keypoint.NumBody},
	"halpe26":           {26, []int{20, 21, 22, 23, 24, 25}},
	"coco-wholebody133": {133, []int{17, 20, 18, 21, 19, 22}},
}

const (
	maxSide   = 4096 // pixels
	maxPoints = 1000
)

// mistakes collects FieldErrors.
type mistakes struct{ list keypoint.FieldErrors }

func (m *mistakes) add(pointer, format string, args ...any) {
	m.list = append(m.list, &keypoint.FieldError{Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

// Validate returns the mistakes in a descriptor as keypoint.FieldErrors, nil if there are none.
func (d *Descriptor) Validate() error {
	var m mistakes
	d.Input.validate(&m)
	d.Decode.validate(&m, d)
	d.Parts.validate(&m, d.Decode.Kind, cmp.Or(d.Decode.Points, keypoint.NumBody))
	most := 1
	if d.Decode.Kind == SimCC || d.Decode.Kind == Boxes {
		most = 2
	}
	switch n := len(d.Outputs); {
	case n > most:
		m.add("/outputs", "has %d names, want %d at most for %s", n, most, d.Decode.Kind)
	case d.Decode.Kind == SimCC && n == 1:
		m.add("/outputs", "has 1 name, want 2: the output across and the one down")
	}
	for i, name := range d.Outputs {
		if name == "" || slices.Contains(d.Outputs[:i], name) {
			m.add(fmt.Sprintf("/outputs/%d", i), "is %q, want names that are not empty and differ", name)
		}
	}
	if len(m.list) == 0 {
		return nil
	}
	return m.list
}

func (in *Input) validate(m *mistakes) {
	for i, size := range []int{in.Width, in.Height} {
		if name := []string{"width", "height"}[i]; size < 1 || size > maxSide {
			m.add("/input/"+name, "is %d, want the %s of the network's input in pixels, 1 to %d", size, name, maxSide)
		}
	}
	if !slices.Contains([]string{"", "nchw", "nhwc"}, in.Layout) {
		m.add("/input/layout", "is %q, want nchw or nhwc", in.Layout)
	}
	if !slices.Contains([]string{"", "rgb", "bgr"}, in.Channels) {
		m.add("/input/channels", "is %q, want rgb or bgr", in.Channels)
	}
	for k := range 3 {
		if v := in.Mean[k]; !(math.Abs(v) <= 1e6) {
			m.add(fmt.Sprintf("/input/mean/%d", k), "is %g, want what is subtracted from samples of 0 to 255", v)
		}
		if v := in.Scale[k]; in.Scale != [3]float64{} && !(v >= 1 && v <= 1e6) {
			m.add(fmt.Sprintf("/input/scale/%d", k), "is %g, want what samples of 0 to 255 are divided by, 1 to 1e6: a standard deviation such as 58.395, or 255", v)
		}
	}
}

func (c *Decode) validate(m *mistakes, d *Descriptor) {
	kinds := []Kind{SimCC, Heatmap, YOLOPose, YOLO, YOLOX, Boxes}
	if !slices.Contains(kinds, c.Kind) {
		m.add("/decode/kind", "is %q, want one of %v", c.Kind, kinds)
		return
	}
	for _, p := range []struct {
		name  string
		given bool
		good  bool
		want  string
		kinds []Kind
	}{
		{"splitRatio", c.SplitRatio != 0, c.SplitRatio >= 0.1 && c.SplitRatio <= 16, "bins to a pixel, 0.1 to 16", []Kind{SimCC}},
		{"refine", c.Refine != "", slices.Contains([]string{"quarter", "dark", "none"}, c.Refine), "quarter, dark or none", []Kind{Heatmap}},
		{"blurKernel", c.BlurKernel != 0, c.BlurKernel%2 == 1 && c.BlurKernel > 0 && c.BlurKernel <= 31 && c.Refine == "dark",
			"an odd number of 1 to 31, together with refine dark", []Kind{Heatmap}},
		{"udp", c.UDP, true, "", []Kind{Heatmap}},
		{"points", c.Points != 0, c.Points > 0 && c.Points <= maxPoints && (sets[d.Parts.Set].points == 0 || sets[d.Parts.Set].points == c.Points),
			fmt.Sprintf("1 to %d, and those of the named set of parts", maxPoints), []Kind{YOLOPose}},
		{"overlap", c.Overlap != 0, c.Overlap > 0 && c.Overlap <= 1, "above 0 to 1", []Kind{YOLOPose, YOLO, YOLOX}},
		{"class", c.Class != 0, c.Class > 0 && c.Class < 10000, "0 to 9999", []Kind{YOLO, YOLOX, Boxes}},
		{"strides", c.Strides != nil, good(c.Strides), "1 to 8 numbers of pixels, 1 to 1024", []Kind{YOLO, YOLOX}},
	} {
		switch {
		case p.given && !slices.Contains(p.kinds, c.Kind):
			m.add("/decode/"+p.name, "does not apply to %s: leave it out (only for %v)", c.Kind, p.kinds)
		case p.given && !p.good:
			m.add("/decode/"+p.name, "is out of range, want %s", p.want)
		}
	}
}

// good reports whether strides can be used.
func good(strides []int) bool {
	return len(strides) >= 1 && len(strides) <= 8 &&
		!slices.ContainsFunc(strides, func(s int) bool { return s < 1 || s > 1024 })
}

func (p *Parts) validate(m *mistakes, kind Kind, points int) {
	switch {
	case kind.detector() && !p.IsZero():
		m.add("/parts", "a detector has no parts, leave them out")
	case !kind.pose() || p.Set != "" && p.List == nil && sets[p.Set].points > 0:
	case p.Set != "" && p.List != nil:
		m.add("/parts", "has a set and a list, want one of both")
	case p.Set != "":
		m.add("/parts", "is %q, want coco17, halpe26, coco-wholebody133 or an array of 17 or 23 integers", p.Set)
	case p.List == nil:
		m.add("/parts", "is missing: want coco17, halpe26, coco-wholebody133 or an array of 17 or 23 integers")
	case len(p.List) != keypoint.NumBody && len(p.List) != keypoint.NumParts:
		m.add("/parts", "has %d numbers, want 17, one for each part from the nose to the right ankle, or 23 with the feet", len(p.List))
	default:
		for i, n := range p.List {
			if n < -1 || n >= maxPoints {
				m.add(fmt.Sprintf("/parts/%d", i), "is %d, want a point's number of 0 to %d, or -1 for a part that the network does not know", n, maxPoints-1)
			} else if kind == YOLOPose && n >= points {
				m.add(fmt.Sprintf("/parts/%d", i), "is %d, but a body has %d points: see decode.points", n, points)
			} else if n >= 0 && slices.Contains(p.List[:i], n) {
				m.add(fmt.Sprintf("/parts/%d", i), "is %d, which is another part already", n)
			}
		}
		if slices.Max(p.List) < 0 {
			m.add("/parts", "names no point at all")
		}
	}
}

// detector reports whether the kind is that of a person detector.
func (k Kind) detector() bool { return k == YOLO || k == YOLOX || k == Boxes }

// pose reports whether the kind is that of a pose network.
func (k Kind) pose() bool { return k == SimCC || k == Heatmap || k == YOLOPose }
