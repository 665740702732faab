package onnx

import (
	"github.com/bodymotion/motion/internal/strictjson"
)

// ParseDescriptor reads a Descriptor in JSON. Unknown members, values of the wrong type, and
// mistakes that Validate finds are keypoint.FieldErrors, which name the member.
func ParseDescriptor(data []byte) (Descriptor, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return Descriptor{}, err
	}
	var d Descriptor
	root := doc.Root()
	if root.Known("input", "decode", "outputs", "parts") {
		d.Input.parse(root.Get("input"))
		d.Decode.parse(root.Get("decode"))
		d.Outputs = list(root.Get("outputs"), strictjson.Value.Text)
		d.Parts.parse(root.Get("parts"))
	} else if !root.Present() {
		root.Errorf("is null, want an object")
	}
	if err := doc.Err(); err != nil {
		return Descriptor{}, err
	}
	if err := d.Validate(); err != nil {
		return Descriptor{}, err
	}
	return d, nil
}

// UnmarshalJSON is ParseDescriptor.
func (d *Descriptor) UnmarshalJSON(data []byte) (err error) {
	*d, err = ParseDescriptor(data)
	return err
}

func (in *Input) parse(v strictjson.Value) {
	if !v.Require("an object with width and height") {
		return
	}
	if !v.Known("name", "width", "height", "layout", "channels", "mean", "scale") {
		return
	}
	in.Name, _ = v.Get("name").Text()
	in.Width = integer(v.Get("width"))
	in.Height = integer(v.Get("height"))
	in.Layout, _ = v.Get("layout").Text()
	in.Channels, _ = v.Get("channels").Text()
	for _, m := range []struct {
		name string
		into *[3]float64
	}{{"mean", &in.Mean}, {"scale", &in.Scale}} {
		member := v.Get(m.name)
		numbers := list(member, strictjson.Value.Number)
		if member.IsArray() && len(numbers) != 3 {
			member.Errorf("has %d numbers, want 3, one for each channel", len(numbers))
			continue
		}
		copy(m.into[:], numbers)
		if m.name == "scale" && member.Present() && in.Scale == [3]float64{} {
			member.Errorf("is 0, want what samples are divided by, such as 255 or the standard deviation")
		}
	}
}

func (c *Decode) parse(v strictjson.Value) {
	if !v.Require("an object with kind") {
		return
	}
	if !v.Known("kind", "splitRatio", "refine", "blurKernel", "udp", "points", "overlap", "class", "strides") {
		return
	}
	kind, _ := v.Get("kind").Text()
	c.Kind = Kind(kind)
	c.SplitRatio, _ = v.Get("splitRatio").Number()
	c.Refine, _ = v.Get("refine").Text()
	c.BlurKernel = integer(v.Get("blurKernel"))
	c.UDP, _ = v.Get("udp").Bool()
	c.Points = integer(v.Get("points"))
	c.Overlap, _ = v.Get("overlap").Number()
	c.Class = integer(v.Get("class"))
	c.Strides = list(v.Get("strides"), smallInt)
}

func (p *Parts) parse(v strictjson.Value) {
	switch {
	case !v.Present():
	case v.IsArray():
		p.List = list(v, smallInt)
	case v.IsString():
		p.Set, _ = v.Text()
	default:
		v.Errorf("is %s, want the name of a set or an array of 17 or 23 integers", v.Kind())
	}
}

// list returns the elements of an array, nil for an absent one.
func list[T any](v strictjson.Value, one func(strictjson.Value) (T, bool)) []T {
	if !v.Present() {
		return nil
	}
	values, ok := v.Array()
	if !ok {
		return nil
	}
	out := make([]T, 0, min(len(values), 64))
	for _, e := range values {
		if !e.Present() {
			e.Errorf("is null")
			continue
		}
		if x, ok := one(e); ok {
			out = append(out, x)
		}
	}
	return out
}

// integer returns an integer, 0 for an absent or wrong one.
func integer(v strictjson.Value) int {
	n, _ := smallInt(v)
	return n
}

// smallInt returns an integer of at most 9 digits.
func smallInt(v strictjson.Value) (int, bool) {
	n, ok := v.Int()
	if ok && (n > 999_999_999 || n < -999_999_999) {
		v.Errorf("is %d, far out of range", n)
		return 0, false
	}
	return int(n), ok
}
