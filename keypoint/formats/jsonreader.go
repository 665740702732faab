package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// jsonReader reads a JSON document token by token, so that documents of any size need little
// memory. Places are JSON Pointers.
type jsonReader struct {
	*json.Decoder
	format, file string
}

func (l Limits) json(format string, r io.Reader) *jsonReader {
	return &jsonReader{json.NewDecoder(l.bound(format, r)), format, ""}
}

func (j *jsonReader) wrong(pointer, detail string, args ...any) error {
	return &Error{Format: j.format, File: j.file, Member: pointer, Detail: fmt.Sprintf(detail, args...)}
}

// fault turns an error of the decoder into one that names the place.
func (j *jsonReader) fault(pointer string, err error) error {
	var mine *Error
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mine) && mine.Format == "":
		return j.wrong(pointer, "%s", mine.Detail)
	case errors.As(err, &kind):
		if kind.Field != "" {
			pointer += "/" + strings.ReplaceAll(kind.Field, ".", "/")
		}
		return j.wrong(pointer, "is %s, want %s", found(kind.Value), wanted(kind.Type.Kind()))
	case errors.As(err, &syntax):
		return j.wrong(pointer, "is not JSON: %v before byte %d", err, j.InputOffset()+1)
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return j.wrong(pointer, "the document ends too early")
	}
	return err
}

// found puts an article before the name that encoding/json has for what it found.
func found(name string) string {
	switch name {
	case "array", "object":
		return "an " + name
	case "bool":
		return "true or false"
	case "string", "number":
		return "a " + name
	}
	return "the " + name // such as number 1e999
}

// wanted names the JSON form of a Go type.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct:
		return "an object"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "a number"
}

// decode reads a value.
func (j *jsonReader) decode(pointer string, into any) error {
	if err := j.Decode(into); err != nil {
		return j.fault(pointer, err)
	}
	return nil
}

// open reads the bracket that begins an object or array.
func (j *jsonReader) open(pointer string, bracket json.Delim, what string) error {
	token, err := j.Token()
	if err != nil {
		return j.fault(pointer, err)
	}
	if token != bracket {
		return j.wrong(pointer, "is %s, want %s", kindOf(token), what)
	}
	return nil
}

func kindOf(token json.Token) string {
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "an array"
	case string:
		return "a string"
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	}
	return "a number"
}

// object reads an object. Unknown members are skipped.
func (j *jsonReader) object(pointer string, known map[string]func(pointer string) error) error {
	if err := j.open(pointer, '{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for j.More() {
		token, err := j.Token()
		if err != nil {
			return j.fault(pointer, err)
		}
		name, _ := token.(string)
		at := pointer + "/" + name
		read, ok := known[name]
		if !ok {
			read = func(at string) error { return j.decode(at, new(skipped)) }
			at = pointer
		} else if seen[name] {
			return j.wrong(at, "appears twice")
		}
		seen[name] = ok
		if err := read(at); err != nil {
			return err
		}
	}
	return j.close(pointer)
}

// array reads an array element by element.
func (j *jsonReader) array(pointer string, element func(i int, pointer string) error) error {
	if err := j.open(pointer, '[', "an array"); err != nil {
		return err
	}
	for i := 0; j.More(); i++ {
		if err := element(i, pointer+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return j.close(pointer)
}

func (j *jsonReader) close(pointer string) error {
	if _, err := j.Token(); err != nil {
		return j.fault(pointer, err)
	}
	return nil
}

// end checks that nothing is left.
func (j *jsonReader) end() error {
	switch _, err := j.Token(); {
	case err == io.EOF:
		return nil
	case err == nil:
		return j.wrong("", "there is more after the document")
	default:
		return j.fault("", err)
	}
}

// skipped ignores a value.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// numbers is an array of numbers and nulls, which are nil. It has at most maxNumbers.
type numbers []*float64

const maxNumbers = 3 * 1000

// UnmarshalJSON implements json.Unmarshaler.
func (n *numbers) UnmarshalJSON(text []byte) error {
	if bytes.Count(text, []byte{','}) >= maxNumbers {
		return &Error{Detail: fmt.Sprintf("has more than %d numbers, want at most as many", maxNumbers)}
	}
	return json.Unmarshal(text, (*[]*float64)(n))
}
