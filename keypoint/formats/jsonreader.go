package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// jsonReader reads a JSON document token by token, so that documents of any size need little memory. Places are JSON Pointers.
type jsonReader struct {
	*json.Decoder
	format, file string
	first        byte // of the document, such as '['
}

func (l Limits) json(format string, r io.Reader) *jsonReader {
	in := bufio.NewReader(l.bound(format, r))
	head, _ := in.Peek(64) // an error comes again
	j := &jsonReader{Decoder: json.NewDecoder(in), format: format}
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) > 0 {
		j.first = head[0]
	}
	return j
}

func (j *jsonReader) wrong(pointer, detail string, args ...any) error {
	return &Error{Format: j.format, File: j.file, Member: pointer, Detail: fmt.Sprintf(detail, args...)}
}

// fault turns an error of the decoder into one that names the place; nil stays nil.
func (j *jsonReader) fault(pointer string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
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
	var text json.RawMessage
	err := j.Decode(&text)
	if err == nil && len(text) > maxLine {
		return j.wrong(pointer, "is longer than %d bytes, want at most as many", maxLine)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return j.fault(pointer, err)
}

// skip reads a value of any length.
func (j *jsonReader) skip(pointer string) error { return j.fault(pointer, j.Decode(new(skipped))) }

// open reads the bracket that begins an object or array.
func (j *jsonReader) open(pointer string, bracket json.Delim) error {
	token, err := j.Token()
	if err == nil && token != bracket {
		return j.wrong(pointer, "is %s, want %s", kindOf(token), kindOf(bracket))
	}
	return j.fault(pointer, err)
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
	if err := j.open(pointer, '{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for j.More() {
		token, err := j.Token()
		if err != nil {
			return j.fault(pointer, err)
		}
		name, _ := token.(string)
		if read, ok := known[name]; !ok {
			err = j.skip(pointer)
		} else if seen[name] {
			err = j.wrong(pointer+"/"+name, "appears twice")
		} else {
			err = read(pointer + "/" + name)
		}
		if err != nil {
			return err
		}
		seen[name] = true
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

// frames reads a document with an element a frame, in an array or one after another.
func (j *jsonReader) frames(limits Limits, read func(i int, pointer string) error) (err error) {
	frame := func(i int, pointer string) error {
		if detail := limits.tooMany(i + 1); detail != "" {
			return j.wrong(pointer, "%s", detail)
		}
		return read(i, pointer)
	}
	if j.first == '{' {
		err = j.sequence("", frame)
	} else {
		err = j.array("", frame)
	}
	if err == nil {
		err = j.end()
	}
	return err
}

// sequence reads the elements of an array, or of JSON Lines.
func (j *jsonReader) sequence(pointer string, element func(i int, pointer string) error) error {
	for i := 0; j.More(); i++ {
		if err := element(i, pointer+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonReader) close(pointer string) error {
	_, err := j.Token()
	return j.fault(pointer, err)
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

func (*skipped) UnmarshalJSON([]byte) error { return nil }
