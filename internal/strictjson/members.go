package strictjson

import (
	"encoding/json"
	"iter"
	"slices"
)

// Member is a member of an object as it stands in its document.
type Member struct {
	Name string
	Raw  []byte
}

// Members returns the members of a document that is an object, in its memory; of anything else none.
func Members(data []byte) []Member {
	if at := space(data, 0); at == len(data) || data[at] != '{' || !json.Valid(data) {
		return nil
	}
	return slices.Collect(members(data))
}

// members returns the members of the JSON of an object, which must be valid.
func members(object []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		for at := space(object, space(object, 0)+1); object[at] != '}'; {
			end := skip(object, at)
			begin := space(object, space(object, end)+1)
			name := unquoted(object[at:end])
			end = skip(object, begin)
			if !yield(Member{name, object[begin:end]}) {
				return
			}
			if at = space(object, end); object[at] == ',' {
				at = space(object, at+1)
			}
		}
	}
}

// unquoted returns the string of a valid text.
func unquoted(text []byte) (s string) {
	_ = json.Unmarshal(text, &s)
	return s
}

// Elements returns the elements of the JSON of an array, which must be valid, in its memory.
func Elements(array []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		at := space(array, space(array, 0)+1)
		for i := 0; array[at] != ']'; i++ {
			end := skip(array, at)
			if !yield(i, array[at:end]) {
				return
			}
			if at = space(array, end); array[at] == ',' {
				at = space(array, at+1)
			}
		}
	}
}

// space returns where the first byte from at on is that is no white space.
func space(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t' || data[at] == '\r' || data[at] == '\n') {
		at++
	}
	return at
}

// skip returns the end of the value at a place of a valid document.
func skip(data []byte, at int) int {
	for depth := 0; at < len(data); {
		switch data[at] {
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case '"':
			for at++; data[at] != '"'; at++ {
				if data[at] == '\\' {
					at++
				}
			}
			at++
		case ',', ':', ' ', '\t', '\r', '\n':
			at++
			continue
		default: // a number, true, false or null
			for at < len(data) && !ends(data[at]) {
				at++
			}
		}
		if depth == 0 {
			break
		}
	}
	return at
}

// ends reports whether a byte ends a number, true, false or null.
func ends(c byte) bool {
	switch c {
	case ',', ']', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}
