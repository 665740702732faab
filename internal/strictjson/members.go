package strictjson

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Member is a member of an object as it stands in its document.
type Member struct {
	Name       string
	Raw        []byte
	begin, end int // of Raw in the document
}

// Members returns the members of a document that is an object, in its memory. For anything else, ok is false.
func Members(data []byte) (members []Member, ok bool) {
	at := space(data, 0)
	if at == len(data) || data[at] != '{' || !json.Valid(data) {
		return nil, false
	}
	for at = space(data, at+1); data[at] != '}'; {
		m, end := Member{}, skip(data, at)
		_ = json.Unmarshal(data[at:end], &m.Name) // it is valid
		m.begin = space(data, space(data, end)+1)
		m.end = skip(data, m.begin)
		m.Raw = data[m.begin:m.end]
		members = append(members, m)
		if at = space(data, m.end); data[at] == ',' {
			at = space(data, at+1)
		}
	}
	return members, true
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

// split returns the document with an empty value of the same type in the place of each member with one of the names, and their JSON.
func split(data []byte, names []string) (rest []byte, whole map[string][]byte) {
	members, ok := Members(data)
	if !ok || len(names) == 0 {
		return data, nil
	}
	whole = map[string][]byte{}
	last := 0
	for _, m := range members {
		empty := map[byte]string{'[': "[]", '{': "{}", '"': `""`}[m.Raw[0]]
		if empty == "" || !slices.Contains(names, m.Name) {
			continue
		}
		rest = append(append(rest, data[last:m.begin]...), empty...)
		whole[m.Name], last = m.Raw, m.end
	}
	return append(rest, data[last:]...), whole
}

// fill puts the JSON that split has taken out of the root into its members.
func (d *Document) fill(whole map[string][]byte) error {
	o, _ := d.root.val.(object)
	for name, raw := range whole {
		v := o.values[name]
		if v.raw = raw; v.IsString() {
			if detail := notUnicode(raw); detail != "" {
				return &keypoint.FieldError{Pointer: v.ptr, Detail: detail}
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return err
			}
			v.val = text
		}
		o.values[name] = v
	}
	return nil
}
