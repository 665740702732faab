package exercise

import (
	"embed"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/say"
)

//go:embed shipped/*.json
var shipped embed.FS

// order is that of Names.
var order = []string{
	"squat", "lunge", "hinge", "pushUp", "curl", "shoulderRaise", "singleLegStance", "countermovementJump", "fiveTimesSitToStand", "chairStand30",
}

// Names returns the names of the shipped exercises.
func Names() []string { return slices.Clone(order) }

// Shipped returns the definition that comes with the package under a name, such as "squat". It reports whether there is one.
func Shipped(name string) (d Definition, ok bool) {
	if !slices.Contains(order, name) {
		return d, false
	}
	data, err := shipped.ReadFile("shipped/" + name + ".json")
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
	movements = study.Movements()
	phases    = []string{"down", "up", "out", "back", "hold"}
	counts    = []Counts{countsAll, countsFull, countsNear, countsMet}
	views     = []View{fromSide, fromFront}
	moments   = []At{atTurn, atStart, throughout}
	tempos    = []analyze.Type{outTime, holdTime, backTime, duration}
	sides     = []analyze.Side{analyze.LeftSide, analyze.RightSide}
	sexes     = []string{"female", "male"}
)

// named returns the named angles and lengths, which a lead may be, and a target besides tempo.
func named() (list []analyze.Type) {
	for _, t := range analyze.Types() {
		if t.Points() == 0 {
			list = append(list, t)
		}
	}
	return list
}

const (
	mostTargets = 20
	mostNorms   = 100
	mostText    = 200 // characters of a name
)

// Parse reads a definition, or the name of a shipped one, as JSON. Mistakes are keypoint.FieldErrors.
func Parse(data []byte) (Definition, error) {
	d, err := strictjson.Read(data, func(root strictjson.Value) (d Definition) {
		if root.IsString() {
			name, _ := root.OneOf(order...)
			d, _ = Shipped(name)
		} else if root.Require("the name of an exercise, or its definition") {
			read(root, reflect.ValueOf(&d).Elem())
		}
		return d
	})
	if err != nil {
		return d, err
	}
	return d, d.Check()
}

// UnmarshalJSON reads what Parse does.
func (d *Definition) UnmarshalJSON(data []byte) (err error) {
	*d, err = Parse(data)
	return err
}

// read reads a value into a field, by the names that JSON has for the members of a struct.
func read(v strictjson.Value, to reflect.Value) {
	if number, ok := to.Addr().Interface().(*analyze.Value); ok {
		number.X, number.Present = v.Number()
		return
	}
	if !v.Present() {
		return
	}
	switch to.Kind() {
	case reflect.String:
		text, _ := v.Text()
		to.SetString(text)
	case reflect.Int:
		n, _ := v.Int()
		to.SetInt(n)
	case reflect.Float64:
		x, _ := v.Number()
		to.SetFloat(x)
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		read(v, to.Elem())
	case reflect.Slice:
		list, _ := v.Array()
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i := range list {
			read(list[i], to.Index(i))
		}
	case reflect.Map: // the languages of a text
		if to.Set(reflect.ValueOf(say.Text{})); v.Known(string(say.English), string(say.Japanese)) {
			for _, l := range say.Languages() {
				text, _ := v.Get(string(l)).Text()
				to.SetMapIndex(reflect.ValueOf(l), reflect.ValueOf(text))
			}
		}
	case reflect.Struct:
		var names []string
		for i := range to.NumField() {
			name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
		if v.Known(names...) {
			for i, name := range names {
				read(v.Get(name), to.Field(i))
			}
		}
	}
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
	for place, text := range map[string]string{"/name": d.Name, "/title/en": d.Title[say.English], "/title/ja": d.Title[say.Japanese]} {
		note(len([]rune(text)) > mostText, place, "has %d characters, want at most %d", len([]rune(text)), mostText)
	}
	note(d.Title != nil && (d.Title[say.English] == "" || d.Title[say.Japanese] == ""), "/title", "lacks a language: want en and ja")
	oneOf(note, "/movement", d.Movement, append(movements, ""))
	oneOf(note, "/counts", d.Counts, append(counts, ""))
	oneOf(note, "/view", d.View, append(views, ""))
	oneOf(note, "/test", d.Test, append(tests, ""))
	if l := d.Lead; l != nil {
		oneOf(note, "/lead/analysisType", l.Type, named())
		side(note, "/lead/side", l.Side, l.Type)
	}
	note(len(d.Phases) != 0 && len(d.Phases) != 3, "/phases", "has %d phases, want three: the way out, the hold, the way back", len(d.Phases))
	for k, p := range d.Phases {
		oneOf(note, fmt.Sprintf("/phases/%d", k), p, phases)
	}
	note(len(d.Targets) == 0 && d.Test == "", "/targets", "is empty: want at least one target")
	note(len(d.Norms) > 0 && d.Test == "", "/norms", "are those of a test, and there is none")
	for place, n := range map[string][2]int{"/targets": {len(d.Targets), mostTargets}, "/norms": {len(d.Norms), mostNorms}, "/sources": {len(d.Sources), mostTargets}} {
		note(n[0] > n[1], place, "has %d, want at most %d", n[0], n[1])
	}
	for k := range d.Targets {
		d.Targets[k].check(func(wrong bool, member, format string, args ...any) {
			note(wrong, fmt.Sprintf("/targets/%d%s", k, member), format, args...)
		})
	}
	for k, n := range d.Norms {
		place := fmt.Sprintf("/norms/%d", k)
		oneOf(note, place+"/sex", n.Sex, sexes)
		note(!(n.From >= 0 && n.To >= n.From), place+"/ageTo", "is %d, want ageFrom or more, which is %d", n.To, n.From)
		note(!(n.Max >= n.Min), place+"/max", "is %v, want min or more, which is %v", n.Max, n.Min)
		note(n.Source == "", place+"/source", "is empty: want who measured it, and where it is published")
	}
}

func (t *Target) check(note rulejson.Note) {
	tempo := slices.Contains(tempos, t.Measure)
	oneOf(note, "/measure", t.Measure, append(named(), tempos...))
	side(note, "/side", t.Side, t.Measure)
	oneOf(note, "/at", t.At, append(moments, ""))
	note(tempo && t.At != "", "/at", "is %q, and %s is of the whole repetition", t.At, t.Measure)
	note(!t.Min.Present && !t.Max.Present, "/min", "and max are missing: want at least one limit")
	for place, v := range map[string]analyze.Value{"/min": t.Min, "/max": t.Max} {
		note(v.Present && !(math.Abs(v.X) <= 1e6), place, "is %v, want -1000000 to 1000000", v.X)
	}
	note(t.Min.Present && t.Max.Present && t.Max.X < t.Min.X, "/max", "is %v, want min or more, which is %v", t.Max.X, t.Min.X)
	note(!(t.Tolerance >= 0 && t.Tolerance <= 1e6), "/tolerance", "is %v, want 0 to 1000000", t.Tolerance)
}

// oneOf notes a name that is not known.
func oneOf[T ~string](note rulejson.Note, place string, name T, known []T) {
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(known), " ", ", "), "[], ")
	note(!slices.Contains(known, name), place, "is %q%s, want one of %s", name, spelling.Hint(string(name), known...), list)
}

// side notes a side that a measure does not have.
func side(note rulejson.Note, place string, side analyze.Side, of analyze.Type) {
	if of.Sided() {
		oneOf(note, place, side, append(sides, ""))
	} else {
		note(side != "", place, "is %q, but %s has no side", side, of)
	}
}
