package strictjson

import (
	"encoding/json"
	"hash/maphash"
	"strconv"
	"strings"
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
	var open []level
	seed := maphash.MakeSeed()
	for i := 0; i < len(text); i++ {
		last := len(open) - 1
		switch text[i] {
		case '{', '[':
			if len(open) > maxDepth {
				return ""
			}
			object := text[i] == '{'
			open = append(open, level{object: object, name: object, names: map[uint64]bool{}})
		case '}', ']':
			open = open[:max(last, 0)]
		case ',':
			if last >= 0 {
				open[last].index++
				open[last].name = open[last].object
			}
		case '"':
			end := closing(text, i+1)
			if last >= 0 && open[last].name && open[last].add(text[i+1:end], seed) {
				return pointer(open)
			}
			i = end
		}
	}
	return ""
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
	if l.last = string(raw); strings.Contains(l.last, `\`) {
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
