package strictjson

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bodymotion/motion/keypoint"
)

// level is an array or object that is open.
type level struct {
	object, name bool // name: the next string is the name of a member
	index        int
	names        map[uint64]bool // hashes: many names take little memory
	last         string
}

// Repeated returns the place of the first member that an object in a JSON text has twice, "" if there is none. It needs
// no memory for the values, and stops at what is nested more than 100 levels deep. The text may be of several documents.
func Repeated(text []byte) string {
	if mistake := check(text, false, nil); mistake != nil {
		return mistake.Pointer
	}
	return ""
}

// check returns the first mistake in a JSON text: a member that an object has twice; strictly, which needs a valid text, also
// what is no Unicode, nested too deep or too much. It looks at no array or object that is an opaque member of the root.
func check(text []byte, strict bool, opaque []string) *keypoint.FieldError {
	var open []level
	seed, values := maphash.MakeSeed(), 1
	for i := 0; i < len(text); i++ {
		last := len(open) - 1
		switch text[i] {
		case '{', '[':
			switch {
			case last == 0 && slices.Contains(opaque, open[0].last):
				i = skip(text, i) - 1
				continue
			case len(open) > maxDepth && !strict:
				return nil
			case len(open) > maxDepth:
				return &keypoint.FieldError{Detail: fmt.Sprintf("the document is nested more than %d levels deep", maxDepth)}
			}
			values++
			object := text[i] == '{'
			open = append(open, level{object: object, name: object, names: map[uint64]bool{}})
		case '}', ']':
			open = open[:max(last, 0)]
		case ',':
			values++
			if last >= 0 {
				open[last].index++
				open[last].name = open[last].object
			}
		case '"':
			end := closing(text, i+1)
			name := last >= 0 && open[last].name
			twice := name && open[last].add(text[i+1:end], seed)
			if strict {
				if detail := notUnicode(text[i:end]); detail != "" {
					return &keypoint.FieldError{Pointer: pointer(open), Detail: detail}
				}
			}
			if twice {
				return &keypoint.FieldError{Pointer: pointer(open), Detail: "the property is given twice"}
			}
			i = end
		}
		if strict && values > maxValues {
			return &keypoint.FieldError{Detail: fmt.Sprintf("the document has more than %d values", maxValues)}
		}
	}
	return nil
}

// closing returns where the string ends that begins at a place.
func closing(text []byte, at int) int {
	for at < len(text) && text[at] != '"' {
		if text[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(text))
}

// add notes the name of a member, and reports whether the object has one of that name.
func (l *level) add(raw []byte, seed maphash.Seed) (twice bool) {
	l.name = false
	if l.last = string(raw); strings.Contains(l.last, `\`) || !utf8.Valid(raw) {
		_ = json.Unmarshal([]byte(`"`+l.last+`"`), &l.last) // what is no string stays as it is
	}
	hash := maphash.String(seed, l.last)
	twice = l.names[hash]
	l.names[hash] = true
	return twice
}

// pointer returns the place of the member that was read last.
func pointer(open []level) string {
	at := ""
	for _, l := range open {
		if l.object {
			at += "/" + escape(l.last)
		} else {
			at += "/" + strconv.Itoa(l.index)
		}
	}
	return at
}

// notUnicode says why the JSON of a string is not Unicode, "" if it is.
func notUnicode(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not valid UTF-8"
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		first := escaped(raw[i-1:])
		i += 4
		if !utf16.IsSurrogate(first) {
			continue
		}
		if utf16.DecodeRune(first, escaped(raw[i+1:])) == utf8.RuneError {
			return fmt.Sprintf(`has a lone surrogate, \u%04x`, first)
		}
		i += 6
	}
	return ""
}

// escaped returns the code unit of \uXXXX at the beginning of b, 0 if there is none.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n)
}
