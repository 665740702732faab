package exercise

import (
	"embed"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/internal/strictjson"
)

//go:embed shipped/*.json
var shipped embed.FS

// order is that of Names.
var order = []string{
	"squat", "lunge", "hinge", "pushUp", "curl", "shoulderRaise", "singleLegStance", "countermovementJump", "fiveTimesSitToStand", "chairStand30",
}

// Names returns the names of the shipped exercises.
func Names() []string { return slices.Clone(order) }

// Shipped returns the shipped exercise of a name; ok is false if there is none.
func Shipped(name string) (d Definition, ok bool) {
	if !slices.Contains(order, name) {
		return d, false
	}
	data, err := shipped.ReadFile(path.Join("shipped", name+".json"))
	if err == nil {
		d, err = Parse(data)
	}
	if err != nil {
		panic(fmt.Sprintf("shipped exercise %s: %v", name, err)) // a test reads all of them
	}
	return d, true
}

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of definitions.
func Schema() []byte { return slices.Clone(schema) }

// The names that a definition may use.
var (
	movements = []study.Movement{
		study.Squat, study.SitToStand, study.Lunge, study.Hinge, study.PushUp, study.Curl, study.Raise, study.Jump, study.Walking, study.Running, study.Still,
	}
	phases  = []Phase{Down, Up, Out, Back, Hold}
	counts  = []Counts{CountsAll, CountsFull}
	views   = []View{FromSide, FromFront}
	moments = []At{AtTurn, AtStart, Throughout}
	tempos  = []analyze.Type{OutTime, HoldTime, BackTime, Duration}
	sides   = []analyze.Side{analyze.LeftSide, analyze.RightSide}
	sexes   = []string{"female", "male"}
)

// named returns the named angles and lengths, which a lead may be.
func named() (list []analyze.Type) {
	for _, t := range analyze.Types() {
		if t.Points() == 0 {
			list = append(list, t)
		}
	}
	return list
}

// measures returns what a target may limit.
func measures() []analyze.Type { return append(named(), tempos...) }

const (
	mostTargets = 20
	mostText    = 200 // characters of a name
)

// Parse reads a definition, or the name of a shipped one, as JSON. Mistakes are keypoint.FieldErrors.
func Parse(data []byte) (Definition, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return Definition{}, err
	}
	d := parse(doc.Root())
	if err := doc.Err(); err != nil {
		return Definition{}, err
	}
	return d, d.Check()
}

// UnmarshalJSON reads what Parse does.
func (d *Definition) UnmarshalJSON(data []byte) (err error) {
	*d, err = Parse(data)
	return err
}

func parse(v strictjson.Value) (d Definition) {
	if v.IsString() {
		name, _ := v.OneOf(order...)
		d, _ = Shipped(name)
		return d
	}
	if !v.Known("name", "title", "movement", "lead", "phases", "counts", "view", "targets", "test", "norms", "sources") {
		return d
	}
	if n := v.Get("name"); n.Require("a name") {
		d.Name, _ = n.Text()
	}
	d.Title = parseText(v.Get("title"))
	d.Movement, d.Counts = rulejson.OneOf(v.Get("movement"), movements), rulejson.OneOf(v.Get("counts"), counts)
	d.View, d.Test = rulejson.OneOf(v.Get("view"), views), rulejson.OneOf(v.Get("test"), tests)
	if l := v.Get("lead"); l.Present() && l.Known("analysisType", "side") {
		l.Get("analysisType").Require("the measure whose repetitions count")
		d.Lead = &study.Lead{Type: rulejson.OneOf(l.Get("analysisType"), named()), Side: rulejson.OneOf(l.Get("side"), sides)}
	}
	for _, p := range elements(v.Get("phases")) {
		d.Phases = append(d.Phases, rulejson.OneOf(p, phases))
	}
	for _, t := range elements(v.Get("targets")) {
		d.Targets = append(d.Targets, parseTarget(t))
	}
	for _, n := range elements(v.Get("norms")) {
		if n.Known("sex", "ageFrom", "ageTo", "min", "max", "source") {
			norm := Norm{Sex: rulejson.OneOf(n.Get("sex"), sexes)}
			from, _ := n.Get("ageFrom").Int()
			to, _ := n.Get("ageTo").Int()
			norm.From, norm.To = int(from), int(to)
			norm.Min, _ = n.Get("min").Number()
			norm.Max, _ = n.Get("max").Number()
			norm.Source, _ = n.Get("source").Text()
			d.Norms = append(d.Norms, norm)
		}
	}
	for _, s := range elements(v.Get("sources")) {
		text, _ := s.Text()
		d.Sources = append(d.Sources, text)
	}
	return d
}

func elements(v strictjson.Value) []strictjson.Value {
	list, _ := v.Array()
	return list
}

func parseText(v strictjson.Value) (t Text) {
	if v.Present() && v.Known("en", "ja") {
		t.English, _ = v.Get("en").Text()
		t.Japanese, _ = v.Get("ja").Text()
	}
	return t
}

func parseTarget(v strictjson.Value) (t Target) {
	if !v.Known("measure", "side", "at", "min", "max", "tolerance") {
		return t
	}
	v.Get("measure").Require("what the target limits")
	t.Measure, t.Side, t.At = rulejson.OneOf(v.Get("measure"), measures()), rulejson.OneOf(v.Get("side"), sides), rulejson.OneOf(v.Get("at"), moments)
	t.Min.X, t.Min.Present = v.Get("min").Number()
	t.Max.X, t.Max.Present = v.Get("max").Number()
	t.Tolerance, _ = v.Get("tolerance").Number()
	return t
}

// Check returns the mistakes in a definition that was made in Go, as keypoint.FieldErrors.
func (d *Definition) Check() error {
	if errs := rulejson.CheckOne(d, (*Definition).check); errs != nil {
		return errs
	}
	return nil
}

func (d *Definition) check(note rulejson.Note) {
	note(strings.TrimSpace(d.Name) == "", "/name", "is empty: want a name")
	for place, text := range map[string]string{"/name": d.Name, "/title/en": d.Title.English, "/title/ja": d.Title.Japanese} {
		note(len([]rune(text)) > mostText, place, "has %d characters, want at most %d", len([]rune(text)), mostText)
	}
	note(d.Title != Text{} && (d.Title.English == "" || d.Title.Japanese == ""), "/title", "lacks a language: want en and ja")
	oneOf(note, "/movement", d.Movement, movements)
	oneOf(note, "/counts", d.Counts, counts)
	oneOf(note, "/view", d.View, views)
	oneOf(note, "/test", d.Test, tests)
	if l := d.Lead; l != nil {
		note(!slices.Contains(named(), l.Type), "/lead/analysisType", "is %q, want a named angle or length", l.Type)
		note(l.Side != "" && (!l.Type.Sided() || !slices.Contains(sides, l.Side)), "/lead/side", "is %q, and %s has sides %v", l.Side, l.Type, sides)
	}
	note(len(d.Phases) != 0 && len(d.Phases) != 3, "/phases", "has %d phases, want three: the way out, the hold, the way back", len(d.Phases))
	for k, p := range d.Phases {
		oneOf(note, fmt.Sprintf("/phases/%d", k), p, phases)
	}
	note(len(d.Targets) == 0 && d.Test == "", "/targets", "is empty: want at least one target")
	note(len(d.Targets) > mostTargets, "/targets", "has %d targets, want at most %d", len(d.Targets), mostTargets)
	note(len(d.Norms) > 0 && d.Test == "", "/norms", "are those of a test, and there is none")
	note(len(d.Norms) > 100, "/norms", "has %d, want at most 100", len(d.Norms))
	note(len(d.Sources) > mostTargets, "/sources", "has %d, want at most %d", len(d.Sources), mostTargets)
	for k := range d.Targets {
		d.Targets[k].check(func(wrong bool, member, format string, args ...any) {
			note(wrong, fmt.Sprintf("/targets/%d%s", k, member), format, args...)
		})
	}
	for k, n := range d.Norms {
		place := fmt.Sprintf("/norms/%d", k)
		note(!slices.Contains(sexes, n.Sex), place+"/sex", "is %q, want one of %v", n.Sex, sexes)
		note(!(n.From >= 0 && n.To >= n.From), place+"/ageTo", "is %d, want ageFrom or more, which is %d", n.To, n.From)
		note(!(n.Max >= n.Min), place+"/max", "is %v, want min or more, which is %v", n.Max, n.Min)
		note(n.Source == "", place+"/source", "is empty: want who measured it, and where it is published")
	}
}

func (t *Target) check(note rulejson.Note) {
	if all := measures(); !slices.Contains(all, t.Measure) {
		note(true, "/measure", "is %q%s, want one of %v", t.Measure, spelling.Hint(string(t.Measure), all...), all)
		return
	}
	tempo := slices.Contains(tempos, t.Measure)
	note(t.Side != "" && (!t.Measure.Sided() || !slices.Contains(sides, t.Side)), "/side", "is %q, and %s has no such side", t.Side, t.Measure)
	oneOf(note, "/at", t.At, moments)
	note(tempo && t.At != "", "/at", "is %q, and %s is of the whole repetition", t.At, t.Measure)
	note(!t.Min.Present && !t.Max.Present, "/min", "and max are missing: want at least one limit")
	for place, v := range map[string]analyze.Value{"/min": t.Min, "/max": t.Max} {
		note(v.Present && !(math.Abs(v.X) <= 1e6), place, "is %v, want -1000000 to 1000000", v.X)
	}
	note(t.Min.Present && t.Max.Present && t.Max.X < t.Min.X, "/max", "is %v, want min or more, which is %v", t.Max.X, t.Min.X)
	note(!(t.Tolerance >= 0 && t.Tolerance <= 1e6), "/tolerance", "is %v, want 0 to 1000000", t.Tolerance)
}

// oneOf notes a name that is neither empty nor known.
func oneOf[T ~string](note rulejson.Note, place string, name T, known []T) {
	note(name != "" && !slices.Contains(known, name), place, "is %q%s, want one of %v", name, spelling.Hint(string(name), known...), known)
}
