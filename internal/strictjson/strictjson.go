// Package strictjson reads untrusted JSON documents member by member and collects every mistake with its place, a JSON Pointer (RFC 6901).
//
// A member whose value is null counts as absent.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/keypoint"
)

// escape writes a member's name as JSON Pointers have it.
var escape = strings.NewReplacer("~", "~0", "/", "~1").Replace

// Document is a parsed document and the mistakes found in it so far.
type Document struct {
	root   Value
	errs   keypoint.FieldErrors
	values int                  // read so far
	err    *keypoint.FieldError // that ended reading
}

const (
	maxErrors = 20      // mistakes kept per document
	maxDepth  = 100     // levels of nesting
	maxValues = 100_000 // values, each of which takes much more memory than its text
)

// Parse reads one JSON document. Syntax errors, duplicate members, text that is not valid UTF-8, lone surrogates,
// more than 100 levels of nesting or 100,000 values and data after the document are keypoint.FieldErrors. Of members of the
// root with one of the names only Raw, the kind and a string are kept: what is in an array or object is left to others to read.
func Parse(data []byte, opaque ...string) (*Document, error) {
	var text json.RawMessage
	if err := json.Unmarshal(data, &text); err != nil {
		detail := "not a JSON document: " + err.Error()
		switch {
		case strings.HasSuffix(detail, "after top-level value"):
			detail = "there is more after the JSON document"
		case strings.HasSuffix(detail, "unexpected end of JSON input"):
			detail = "not a JSON document: the document ends too early"
		}
		return nil, keypoint.FieldErrors{{Detail: detail}}
	}
	if _, err := jsontext.NewDecoder(bytes.NewBuffer(text)).ReadValue(); err != nil {
		return nil, keypoint.FieldErrors{mistake(err)}
	}
	d := &Document{}
	if d.root = d.value(text, "", 0, opaque); d.err != nil {
		return nil, keypoint.FieldErrors{d.err}
	}
	return d, nil
}

// Read parses a document and returns what read makes of its root, or the zero T with the mistakes as keypoint.FieldErrors.
func Read[T any](data []byte, read func(root Value) T) (none T, err error) {
	doc, err := Parse(data)
	if err != nil {
		return none, err
	}
	if v := read(doc.Root()); doc.Err() == nil {
		return v, nil
	}
	return none, doc.Err()
}

// mistake says what makes a valid document ambiguous.
func mistake(err error) *keypoint.FieldError {
	var at *jsontext.SyntacticError
	if !errors.As(err, &at) {
		return &keypoint.FieldError{Detail: err.Error()}
	}
	detail := "is not Unicode: it has invalid UTF-8 or a lone surrogate"
	if at.Err == jsontext.ErrDuplicateName {
		detail = "the property is given twice"
	}
	return &keypoint.FieldError{Pointer: string(at.JSONPointer), Detail: detail}
}

// Repeated returns the place of the first member that an object in a JSON text has twice, "" if there is none. It needs
// no memory for the values, and stops at what is no JSON. The text may be of several documents.
func Repeated(text []byte) string {
	in := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowInvalidUTF8(true))
	for {
		if err := in.SkipValue(); errors.Is(err, jsontext.ErrDuplicateName) {
			return mistake(err).Pointer
		} else if err != nil {
			return ""
		}
	}
}

// value returns the value of a text that is valid, some levels below the root.
func (d *Document) value(text []byte, ptr string, depth int, opaque []string) Value {
	switch d.values++; {
	case depth > maxDepth:
		d.err = &keypoint.FieldError{Detail: fmt.Sprintf("the document is nested more than %d levels deep", maxDepth)}
	case d.values > maxValues:
		d.err = &keypoint.FieldError{Detail: fmt.Sprintf("the document has more than %d values", maxValues)}
	}
	if d.err != nil {
		return Value{}
	}
	v := Value{doc: d, ptr: ptr, raw: text, present: true}
	switch text[0] {
	case '[':
		list := []Value{}
		for i, e := range Elements(text) {
			list = append(list, d.value(e, v.At(i).ptr, depth+1, nil))
		}
		v.val = list
	case '{':
		o := object{values: map[string]Value{}}
		for m := range members(text) {
			content := m.Raw
			if c := content[0]; (c == '[' || c == '{') && slices.Contains(opaque, m.Name) {
				content = []byte{c, c + 2} // without what is in it
			}
			one := d.value(content, ptr+"/"+escape(m.Name), depth+1, nil)
			one.raw = m.Raw
			o.names = append(o.names, m.Name)
			o.values[m.Name] = one
		}
		v.val = o
	case '"':
		v.val = unquoted(text)
	case 't', 'f':
		v.val = text[0] == 't'
	case 'n':
		v.present = false
	default:
		v.val = json.Number(text)
	}
	return v
}

func (d *Document) Root() Value { return d.root }

// Err returns the mistakes found so far as keypoint.FieldErrors, or nil.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	return d.errs
}

type object struct {
	names  []string
	values map[string]Value
}

// Value is one value of a document. If the value has another type, its methods record a mistake in the document and
// return ok == false. If the value is absent (missing or null), they return ok == false without a mistake.
type Value struct {
	doc     *Document
	ptr     string
	val     any // nil, bool, json.Number, string, []Value or object
	raw     []byte
	present bool
}

// Raw returns the JSON of the value as it stands in the document, nil if it is missing.
func (v Value) Raw() []byte { return v.raw }

// Present reports whether the value exists and is not null.
func (v Value) Present() bool { return v.present }

func (v Value) Pointer() string { return v.ptr }

// At returns the place of an element of an array, as an absent value.
func (v Value) At(i int) Value { return Value{doc: v.doc, ptr: v.ptr + "/" + strconv.Itoa(i)} }

// Errorf records a mistake at the value.
func (v Value) Errorf(format string, args ...any) {
	if len(v.doc.errs) < maxErrors {
		v.doc.errs = append(v.doc.errs, &keypoint.FieldError{Pointer: v.ptr, Detail: fmt.Sprintf(format, args...)})
	}
}

// Require records a mistake if the value is absent, and reports whether it is present.
func (v Value) Require(what string) bool {
	if !v.present {
		v.Errorf("is required: want %s", what)
	}
	return v.present
}

// Kind names the value's JSON type with an article, such as "a string".
func (v Value) Kind() string {
	switch x := v.val.(type) {
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return strconv.FormatBool(x)
	case []Value:
		return "an array"
	case object:
		return "an object"
	}
	return "null"
}

func (v Value) IsObject() bool { _, ok := v.val.(object); return ok }

func (v Value) IsArray() bool { _, ok := v.val.([]Value); return ok }

func (v Value) IsString() bool { _, ok := v.val.(string); return ok }

// Known records a mistake for every member of the object that is not listed, and for a
// value that is not an object. It reports whether the value is an object.
func (v Value) Known(names ...string) bool {
	o, ok := as[object](v, "an object")
	for _, name := range o.names {
		if !slices.Contains(names, name) {
			o.values[name].Errorf("is not a known property%s: known are %s", spelling.Hint(name, names...), strings.Join(names, ", "))
		}
	}
	return ok
}

// Has reports whether the object has a member of that name, be it null.
func (v Value) Has(name string) bool {
	o, _ := v.val.(object)
	_, ok := o.values[name]
	return ok
}

// Get returns the member of that name, which may be absent.
func (v Value) Get(name string) Value {
	o, _ := v.val.(object)
	if m, ok := o.values[name]; ok {
		return m
	}
	return Value{doc: v.doc, ptr: v.ptr + "/" + escape(name)}
}

// as returns the value as a T. A present value of another type is a mistake.
func as[T any](v Value, want string) (x T, ok bool) {
	if x, ok = v.val.(T); !ok && v.present {
		v.Errorf("is %s, want %s", v.Kind(), want)
	}
	return x, ok
}

func (v Value) Array() ([]Value, bool) { return as[[]Value](v, "an array") }

func (v Value) Text() (string, bool) { return as[string](v, "a string") }

func (v Value) Bool() (value, ok bool) { return as[bool](v, "true or false") }

// Number returns a number. A number that overflows float64 is a mistake.
func (v Value) Number() (f float64, ok bool) {
	if n, ok := as[json.Number](v, "a number"); ok {
		if f, err := n.Float64(); err == nil {
			return f, true
		}
		v.Errorf("is out of range")
	}
	return 0, false
}

// Positive returns a number above 0, and 0 for an absent one. Another number is a mistake.
func (v Value) Positive() float64 {
	f, ok := v.Number()
	if ok && f <= 0 {
		v.Errorf("is %v, want a number above 0", f)
	}
	return f
}

// Int returns an integer; 4e3 and 4.0 are integers too, as JSON Schema has it.
func (v Value) Int() (i int64, ok bool) {
	n, ok := as[json.Number](v, "an integer")
	if !ok {
		return 0, false
	}
	i, err := jsonappend.Int(string(n))
	switch {
	case errors.Is(err, strconv.ErrRange):
		v.Errorf("is %s, which is out of range", n)
		return 0, false
	case err != nil:
		v.Errorf("is %s, want an integer", n)
		return 0, false
	}
	return i, true
}

// Equal reports whether two values are the same, however they are written.
func Equal(v, w Value) bool {
	switch x := v.val.(type) {
	case json.Number:
		y, ok := w.val.(json.Number)
		return ok && jsonappend.SameNumber(string(x), string(y))
	case []Value:
		y, ok := w.val.([]Value)
		return ok && slices.EqualFunc(x, y, Equal)
	case object:
		y, ok := w.val.(object)
		return ok && maps.EqualFunc(x.values, y.values, Equal)
	}
	return v.present == w.present && (!v.present || v.val == w.val)
}

// OneOf returns a string that is one of the names; any other value is a mistake.
func (v Value) OneOf(names ...string) (string, bool) {
	want := map[bool]string{true: "one of "}[len(names) > 1] + strings.Join(names, ", ")
	s, ok := as[string](v, want)
	if ok && !slices.Contains(names, s) {
		v.Errorf("is %q%s, want %s", s, spelling.Hint(s, names...), want)
		return "", false
	}
	return s, ok
}

// Member is a member of an object as it stands in its document.
type Member struct {
	Name string
	Raw  []byte
}

// Members returns the members of a document that is an object, in its memory; of anything else none.
func Members(data []byte) []Member {
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); !bytes.HasPrefix(trimmed, []byte("{")) || !json.Valid(data) {
		return nil
	}
	return slices.Collect(members(data))
}

// members returns the members of the JSON of an object, which must be valid.
func members(object []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		var name string
		for i, part := range Elements(object) {
			if i%2 == 0 {
				name = unquoted(part)
			} else if !yield(Member{name, part}) {
				return
			}
		}
	}
}

// unquoted returns the string of a valid text.
func unquoted(text []byte) (s string) {
	_ = json.Unmarshal(text, &s)
	return s
}

// Elements returns the elements of the JSON of an array, which must be valid, in its memory; of an object names and values in turn.
func Elements(array []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		in := jsontext.NewDecoder(bytes.NewBuffer(array), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		_, err := in.ReadToken()
		for i := 0; err == nil && in.PeekKind() != ']' && in.PeekKind() != '}'; i++ {
			var raw jsontext.Value
			if raw, err = in.ReadValue(); err == nil && !yield(i, raw) {
				return
			}
		}
	}
}
