package strictjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

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
