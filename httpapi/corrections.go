package httpapi

import (
	"encoding/json"

	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
)

// correction is a correction by hand.
type correction struct {
	correct.Edit
	At     string `json:"at"`
	Client string `json:"client"`
}

func editsOf(v strictjson.Value) []correct.Edit {
	v.Require("an array of edits")
	if list, ok := v.Array(); ok && (len(list) == 0 || len(list) > correct.MaxEdits) {
		v.Errorf("has %d edits, want 1 to %d", len(list), correct.MaxEdits)
		return nil
	}
	return orZero(eachOf(v, "an edit", edit, "person", "frame", "part", "point", "carry", "exchange", "last", "undo"))
}

func edit(v strictjson.Value) (e correct.Edit) {
	e.Person = wire.Track(v.Get("person"))
	v.Get("frame").Require("the number of a frame, from 0")
	n, _ := v.Get("frame").Int()
	e.Frame = int(n)
	part := v.Get("part")
	part.Require("the name of a body part")
	if name, ok := part.Text(); ok {
		var err error
		if e.Part, err = keypoint.ParsePart(name); err != nil {
			part.Errorf("%v", err)
		}
	}
	e.Undo, _ = v.Get("undo").Bool()
	e.Exchange, _ = v.Get("exchange").Bool()
	carry, _ := v.Get("carry").Int()
	last, ok := v.Get("last").Int()
	if e.Carry, e.Last = int(carry), int(last); e.Exchange && !ok {
		e.Last = e.Frame
	}
	switch p := v.Get("point"); {
	case e.Undo && v.Has("point"):
		p.Errorf("is given together with undo")
	case e.Exchange && v.Has("point"):
		p.Errorf("is given together with exchange")
	case !e.Undo && !e.Exchange && !v.Has("point"):
		p.Errorf("is required: want [x, y] in pixels, or null for a part that is absent")
	default:
		e.Point = wire.Pixel(p)
	}
	return e
}

// frameChanges are what cleaning and corrections changed in each frame: the names of the changes by part,
// null for raw keypoints of every frame without corrections.
type frameChanges struct {
	cleaned [][keypoint.NumParts]clean.Change
	marks   [][keypoint.NumParts]correct.Mark
}

func (f frameChanges) MarshalJSON() ([]byte, error) {
	if f.cleaned == nil && f.marks == nil {
		return []byte("null"), nil
	}
	frames := make([]map[keypoint.Part][]string, max(len(f.cleaned), len(f.marks)))
	for i := range frames {
		frames[i] = map[keypoint.Part][]string{}
		for p := range keypoint.Part(keypoint.NumParts) {
			var names []string
			if f.cleaned != nil {
				names = f.cleaned[i][p].Names()
			}
			if f.marks != nil && f.marks[i][p] != correct.None {
				names = append(names, f.marks[i][p].String())
			}
			if names != nil {
				frames[i][p] = names
			}
		}
	}
	return json.Marshal(frames)
}
