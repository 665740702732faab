package hostile_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// mistakes are the panics that the documentation promises, by function: a programmer's mistakes.
var mistakes = map[string]string{
	"keypoint.Frame.Exchange":           "index out of range",
	"keypoint.Frame.Set":                "index out of range",
	"keypoint.Frame.SetVisibility":      "index out of range",
	"keypoint.Frame.Unset":              "index out of range",
	"keypoint.Positions.Set":            "index out of range",
	"keypoint.Sequence.Slice":           "slice bounds out of range",
	"keypoint.Point.ApproxFuncEqual":    "nil pointer", // of mathgl
	"keypoint.Position.ApproxFuncEqual": "nil pointer",
	"say.Book.Count":                    "there is no text",
	"say.Book.Say":                      "there is no text",
	"say.Open":                          "panics", // by any error of a text
}

// stack returns where a panic was, without this package.
func stack() string {
	var lines []string
	for line := range strings.Lines(string(debug.Stack())) {
		if strings.HasPrefix(line, "\t") && strings.Contains(line, "motion/") && !strings.Contains(line, "house/hostile") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[:min(len(lines), 4)], "")
}

// pool has values by type that functions returned, or that are given here: what can be made in no other way.
type pool map[reflect.Type][]reflect.Value

// perType is how many values of a type are kept.
const perType = 4

func (p pool) keep(out []reflect.Value) {
	for _, v := range out {
		if t := v.Type(); t.Kind() != reflect.Interface && len(p[t]) < perType && !v.IsZero() {
			p[t] = append(p[t], v)
		}
	}
}

// newPool returns what a recording of somebody who walks gives.
func newPool(t *testing.T) pool {
	seq := sample.Film(sample.Camera(mgl64.Vec3{4, 1.2, 0}, mgl64.Vec3{0, 1, 0}, 900), 60)
	other := sample.Film(sample.Camera(mgl64.Vec3{0, 1.2, 4}, mgl64.Vec3{0, 1, 0}, 900), 50)
	results, err := analyze.Run(seq, gait.LegAngles())
	judged, err2 := quality.Assess(quality.Input{Sequence: seq})
	studied, err3 := study.Run(seq, judged)
	diff, err4 := compare.Diff(seq, other, compare.Options{})
	style, err5 := draw.Compile(nil, draw.Background{}, false)
	squat, _ := exercise.Shipped("squat")
	judgement, err6 := exercise.Judge(squat, seq, studied)
	if err := errors.Join(err, err2, err3, err4, err5, err6); err != nil {
		t.Fatal(err)
	}
	p := pool{}
	for _, v := range []any{
		seq, other, seq.Frames[0], &seq.Frames[3], seq.Times, gait.LegAngles(), results, results[0], results[0].Values, judged, studied, diff, diff.Angles,
		style, draw.Defaults(false), draw.NewRenderer(style), squat, judgement, quality.NewUncertainty(seq), keypoint.Span{Last: 59},
	} {
		p.keep([]reflect.Value{reflect.ValueOf(v)})
	}
	return p
}

// maker makes arguments.
type maker struct {
	*rand.Rand
	pool pool
}

// arguments returns the arguments of the n-th call: all zero, then others. A receiver, a frame and a writer that are nil are
// a programmer's mistake.
func (m *maker) arguments(f function, n int) (in []reflect.Value) {
	for i := range f.of.Type().NumIn() {
		t := f.of.Type().In(i)
		v := m.zero(t)
		if n > 0 {
			v = m.make(t, 3)
		}
		needed := t == reflect.TypeFor[*keypoint.Frame]() || t == reflect.TypeFor[io.Writer]() || t.Kind() == reflect.Pointer && f.method && i == 0
		if needed && v.IsNil() {
			v = m.zero(t)
		}
		in = append(in, v)
	}
	return in
}

// zero returns the zero value, or a pointer to one, or a writer.
func (m *maker) zero(t reflect.Type) reflect.Value {
	switch {
	case t == reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard).Convert(t)
	case t.Kind() == reflect.Pointer:
		return reflect.New(t.Elem())
	}
	return reflect.Zero(t)
}

var (
	ints     = [...]int64{0, 1, -1, 2, 7, 59, 60, 640, math.MinInt32, math.MaxInt32, 1 << 31, 1 << 40, math.MinInt64, math.MaxInt64}
	floats   = [...]float64{0, math.Copysign(0, -1), 1, -1, 0.5, 30, 180, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e18}
	texts    = [...]string{"", "a", "\xff", "left_knee", "squat", "sides", "kneeFlexion", "left", "peak", "en", "ja", "trc", "#ff0000", "deg", "right", "\x00\u202e", strings.Repeat("é", 3000)}
	document = [...]string{"", "null", "{}", "[]", "[{}]", "[null]", "1e999", "\"\"", "{", "\xff", "{\"frames\":[{}]}", "[{\"type\":\"\"}]"}
)

var made = map[reflect.Type]func(m *maker) any{
	reflect.TypeFor[io.Reader](): func(m *maker) any {
		if m.IntN(3) == 0 {
			return iotest.ErrReader(errors.New("broken"))
		}
		return strings.NewReader(document[m.IntN(len(document))])
	},
	reflect.TypeFor[io.Writer](): func(m *maker) any {
		if m.IntN(3) == 0 {
			return iotest.TruncateWriter(io.Discard, 3)
		}
		return &bytes.Buffer{}
	},
	reflect.TypeFor[fs.FS]():           func(*maker) any { return fstest.MapFS{"a_keypoints.json": {Data: []byte("{}")}} },
	reflect.TypeFor[context.Context](): func(*maker) any { return context.Background() },
	reflect.TypeFor[error]():           func(*maker) any { return errors.New("an error") },
	reflect.TypeFor[image.Image]():     func(m *maker) any { return image.NewRGBA(image.Rect(0, 0, m.IntN(3), m.IntN(3))) },
	reflect.TypeFor[[]byte]():          func(m *maker) any { return []byte(document[m.IntN(len(document))]) },
	reflect.TypeFor[time.Time](): func(m *maker) any {
		return time.Unix(ints[m.IntN(len(ints))], 0)
	},
	reflect.TypeFor[*image.RGBA](): func(m *maker) any { return image.NewRGBA(image.Rect(0, 0, m.IntN(64), m.IntN(64))) },
}

// make returns some value of a type, of no more than so many levels.
func (m *maker) make(t reflect.Type, depth int) reflect.Value {
	if f := made[t]; f != nil && m.IntN(5) > 0 {
		return reflect.ValueOf(f(m)).Convert(t)
	}
	if have := m.pool[t]; len(have) > 0 && m.IntN(2) == 0 {
		return m.spoil(have[m.IntN(len(have))], depth)
	}
	v := reflect.New(t).Elem()
	if depth == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(ints[m.IntN(len(ints))])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(ints[m.IntN(len(ints))]))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(floats[m.IntN(len(floats))])
	case reflect.String:
		v.SetString(texts[m.IntN(len(texts))])
	default:
		m.fill(v, depth)
	}
	return v
}

// spoil returns a value, or a copy that differs in one field or element.
func (m *maker) spoil(v reflect.Value, depth int) reflect.Value {
	if depth == 0 || m.IntN(3) == 0 {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch t := v.Type(); t.Kind() {
	case reflect.Struct:
		if k := m.IntN(max(t.NumField(), 1)); k < t.NumField() && t.Field(k).IsExported() {
			c.Field(k).Set(m.make(t.Field(k).Type, depth-1))
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 {
			c.Set(reflect.AppendSlice(reflect.MakeSlice(t, 0, n), v.Slice(m.IntN(2)*m.IntN(n), n)))
			c.Index(m.IntN(c.Len())).Set(m.make(t.Elem(), depth-1))
		}
	}
	return c
}

// fill fills what has elements.
func (m *maker) fill(v reflect.Value, depth int) {
	t := v.Type()
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(m.make(t.Elem(), depth))
		}
	case reflect.Slice:
		if n := m.IntN(5); n > 0 { // else nil
			v.Set(reflect.MakeSlice(t, n-1, n-1))
			for i := range n - 1 {
				v.Index(i).Set(m.make(t.Elem(), depth))
			}
		}
	case reflect.Map:
		if m.IntN(3) > 0 {
			v.Set(reflect.MakeMap(t))
			v.SetMapIndex(m.make(t.Key(), depth), m.make(t.Elem(), depth-1))
		}
	case reflect.Pointer:
		if m.IntN(4) > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(m.make(t.Elem(), depth))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && m.IntN(3) > 0 {
				v.Field(i).Set(m.make(t.Field(i).Type, depth-1))
			}
		}
	case reflect.Func:
		if m.IntN(2) == 0 {
			v.Set(reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
				for i := range t.NumOut() {
					out = append(out, reflect.Zero(t.Out(i)))
				}
				return out
			}))
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf(math.NaN()), reflect.ValueOf("a")}[m.IntN(3)])
		}
	}
}
