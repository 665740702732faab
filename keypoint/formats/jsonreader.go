package formats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// firstMember returns the first name of a member in a beginning of JSON, those of inner objects too, that is wanted; "" without.
func firstMember(text string, wanted func(name string) bool) string {
	for ok := true; ok; {
		_, text, ok = strings.Cut(text, `"`)
		name, after, _ := strings.Cut(text, `"`)
		if strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":") && wanted(name) {
			return name
		}
	}
	return ""
}

// jsonReader reads a JSON document token by token, so that documents of any size need little memory. Places are JSON Pointers.
type jsonReader struct {
	*jsontext.Decoder
	format, file string
}

func (l Limits) json(format string, r io.Reader) *jsonReader {
	return tokens(format, "", l.bound(format, r))
}

func tokens(format, file string, r io.Reader) *jsonReader {
	return &jsonReader{jsontext.NewDecoder(r, jsontext.AllowInvalidUTF8(true)), format, file}
}

func (j *jsonReader) wrong(pointer, detail string, args ...any) error {
	return &Error{Format: j.format, File: j.file, Member: pointer, Detail: fmt.Sprintf(detail, args...)}
}

// fault turns an error of the decoder into one that names the place; nil stays nil.
func (j *jsonReader) fault(pointer string, err error) error {
	var syntax *jsontext.SyntacticError
	var kind *json.UnmarshalTypeError
	var own *Error
	switch {
	case errors.As(err, &own): // of the reader
		return own
	case errors.As(err, &kind):
		if kind.Field != "" {
			pointer += "/" + strings.ReplaceAll(kind.Field, ".", "/")
		}
		return j.wrong(pointer, "is %s, want %s", found(kind.Value), wanted(kind.Type.Kind()))
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return j.wrong(pointer, "the document ends too early")
	case errors.As(err, &syntax) && syntax.Err == jsontext.ErrDuplicateName:
		return j.wrong(string(syntax.JSONPointer), "appears twice")
	case errors.As(err, &syntax):
		return j.wrong(pointer, "is not JSON: %v before byte %d", syntax.Err, syntax.ByteOffset+1)
	}
	return err
}

// found puts an article before the name that encoding/json has for what it found.
func found(name string) string {
	if article, ok := map[string]string{
		"array": "an array", "object": "an object", "bool": "true or false", "string": "a string", "number": "a number",
	}[name]; ok {
		return article
	}
	return "the " + name // such as number 1e999
}

// wanted names the JSON form of a Go type.
func wanted(kind reflect.Kind) string {
	return cmp.Or(map[reflect.Kind]string{
		reflect.String: "a string", reflect.Slice: "an array", reflect.Struct: "an object",
		reflect.Int: "a whole number", reflect.Int64: "a whole number",
	}[kind], "a number")
}

// decode reads a value that is not longer than a line may be.
func (j *jsonReader) decode(pointer string, into any) error {
	text, err := j.ReadValue()
	if err == nil && len(text) > maxLine {
		return j.wrong(pointer, "is longer than %d bytes, want at most as many", maxLine)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return j.fault(pointer, err)
}

// skip reads a value of any length.
func (j *jsonReader) skip(pointer string) error { return j.fault(pointer, j.SkipValue()) }

// open reads the bracket that begins an object or array.
func (j *jsonReader) open(pointer string, bracket jsontext.Kind) error {
	token, err := j.ReadToken()
	if err == nil && token.Kind() != bracket {
		return j.wrong(pointer, "is %s, want %s", kindOf(token.Kind()), kindOf(bracket))
	}
	return j.fault(pointer, err)
}

func kindOf(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return kind.String()
}

// more reports whether the array or object goes on.
func (j *jsonReader) more() bool {
	kind := j.PeekKind()
	return kind > 0 && kind != ']' && kind != '}'
}

// object reads an object. Unknown members are skipped.
func (j *jsonReader) object(pointer string, known map[string]func(pointer string) error) error {
	if err := j.open(pointer, '{'); err != nil {
		return err
	}
	for j.more() {
		token, err := j.ReadToken()
		if err != nil {
			return j.fault(pointer, err)
		}
		read, at := known[token.String()], pointer+"/"+token.String()
		if read == nil {
			read, at = j.skip, pointer
		}
		if err := read(at); err != nil {
			return err
		}
	}
	return j.close(pointer)
}

// array reads an array element by element.
func (j *jsonReader) array(pointer string, element func(i int, pointer string) error) error {
	if err := j.open(pointer, '['); err != nil {
		return err
	}
	if err := j.sequence(pointer, element); err != nil {
		return err
	}
	return j.close(pointer)
}

// frames reads a document with an element a frame, in an array or one after another, or with around, other members of an
// object, in its member "frames".
func (j *jsonReader) frames(limits Limits, around map[string]func(string) error, read func(i int, pointer string) error) (err error) {
	frame := func(i int, pointer string) error {
		if detail := limits.tooMany(i + 1); detail != "" {
			return j.wrong(pointer, "%s", detail)
		}
		return read(i, pointer)
	}
	switch {
	case around != nil:
		around["frames"] = func(pointer string) error { return j.array(pointer, frame) }
		err = j.object("", around)
	case j.PeekKind() == '{':
		err = j.sequence("", frame)
	default:
		err = j.array("", frame)
	}
	if err == nil {
		err = j.end()
	}
	return err
}

// sequence reads the elements of an array, or of JSON Lines.
func (j *jsonReader) sequence(pointer string, element func(i int, pointer string) error) error {
	for i := 0; j.more(); i++ {
		if err := element(i, pointer+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonReader) close(pointer string) error {
	_, err := j.ReadToken()
	return j.fault(pointer, err)
}

// end checks that nothing is left.
func (j *jsonReader) end() error {
	switch _, err := j.ReadToken(); {
	case err == io.EOF:
		return nil
	case err == nil:
		return j.wrong("", "there is more after the document")
	default:
		return j.fault("", err)
	}
}
