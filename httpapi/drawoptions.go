package httpapi

import (
	"encoding/json"
	"errors"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// drawOptions returns the members that a drawing can have besides rules.
func (b *body) drawOptions() (o motion.DrawOptions) {
	o.Preset, _ = b.get("preset").OneOf(draw.Presets()...)
	o.Layout = rulejson.OneOf(b.get("layout"), []draw.Layout{draw.LayoutGhost, draw.LayoutSideBySide})
	o.BlurFaces, _ = b.get("blurFaces").Bool()
	o.Values = parsed(b, "values", analyze.ParseRules)
	o.From, o.To = b.part()
	o.Repetition = parsed(b, "repetition", drawRepetition)
	return o
}

// part returns the members from and to, the part of a movie in seconds.
func (b *body) part() (from, to float64) {
	from, _ = b.get("from").Number()
	if v := b.get("to"); v.Present() {
		to = wire.Positive(v)
	}
	return from, to
}

// drawRepetition reads {"of": an analysis rule, "number": from 1}.
func drawRepetition(data []byte) (*motion.DrawRepetition, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	var r motion.DrawRepetition
	root := doc.Root()
	if of := root.Get("of"); root.Known("of", "number") && of.Require("an analysis rule") && root.Get("number").Require("the number of the repetition, from 1") {
		if !of.IsObject() {
			of.Errorf("is %s, want an analysis rule", of.Kind())
		}
		if n, ok := root.Get("number").Int(); ok {
			r.Number = int(min(max(n, -1), 1<<30)) // so many nobody does
		}
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	var raw struct{ Of json.RawMessage }
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	r.Of, err = rulejson.One(analyze.ParseRules(raw.Of))
	var wrong keypoint.FieldErrors
	if errors.As(err, &wrong) {
		for _, e := range wrong {
			e.Pointer = "/of" + e.Pointer
		}
	}
	return &r, err
}
