package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bodymotion/motion/keypoint"
)

// The members of a result of MediaPipe that have the landmarks and the time in milliseconds, as its programs name them.
var (
	landmarkNames = []string{"pose_landmarks", "poseLandmarks", "landmarks", "landmark", "keypoints"}
	stampNames    = []string{"timestamp_ms", "timestampMs", "timestampInMilliseconds"}
)

// maxNesting is the number of arrays and objects around the landmarks of a person in a frame.
const maxNesting = 3

// readLandmarks reads frames of landmarks in their unit, with the times that they have, else those of the member fps around them.
func readLandmarks(r io.Reader, limits Limits) (s keypoint.Sequence, err error) {
	var rate float64
	head := bufio.NewReaderSize(r, 64<<10)
	in := limits.json("MediaPipe", head)
	var around map[string]func(string) error
	if text, _ := head.Peek(head.Size()); firstMember(string(text), func(name string) bool {
		return name == "frames" || slices.Contains(landmarkNames, name)
	}) == "frames" {
		around = map[string]func(string) error{"fps": func(pointer string) error { return in.decode(pointer, &rate) }}
	}
	err = in.frames(limits, around, func(i int, pointer string) error {
		var text json.RawMessage
		if err := in.decode(pointer, &text); err != nil {
			return err
		}
		var who chosen
		if err := in.people(pointer, text, 0, &who); err != nil {
			return err
		}
		s.Frames = append(s.Frames, who.frame)
		return in.stamp(pointer, text, i, &s.Times)
	})
	for i := len(s.Times) - 1; i >= 0; i-- {
		s.Times[i] = (s.Times[i] - s.Times[0]) / 1000
	}
	if err == nil && s.Times == nil {
		s.Times, err = atRate(s.Len(), rate), checkRate(in.format, "/fps", rate)
	}
	return s, err
}

// members decodes an object; another value has none.
func members(text json.RawMessage) (m map[string]json.RawMessage) {
	if len(text) > 0 && text[0] == '{' {
		_ = json.Unmarshal(text, &m) // the decoder has read it
	}
	return m
}

// memberOf returns the first of the names that an object has; "" for none.
func memberOf(m map[string]json.RawMessage, names []string) string {
	i := slices.IndexFunc(names, func(name string) bool { return m[name] != nil })
	if i < 0 {
		return ""
	}
	return names[i]
}

// people reads the people of a value: an object with landmarks, an array of people, or the 33 landmarks of one.
func (j *jsonReader) people(pointer string, text json.RawMessage, depth int, who *chosen) error {
	switch {
	case text[0] == 'n': // null
		return nil
	case depth > maxNesting:
		return j.wrong(pointer, "is nested too deeply, want an array of 33 landmarks")
	case text[0] == '{':
		m := members(text)
		name := memberOf(m, landmarkNames)
		if name == "" {
			return j.wrong(pointer, "has no landmarks, want one of %s", strings.Join(landmarkNames, ", "))
		}
		return j.people(pointer+"/"+name, m[name], depth+1, who)
	case text[0] != '[':
		return j.wrong(pointer, "is %s, want an array of 33 landmarks, or null", kindOf(jsontext.Value(text).Kind()))
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil || len(list) == 0 {
		return j.fault(pointer, err)
	}
	if !group(list) {
		f, err := j.landmarks(pointer, list)
		who.add(&f)
		return err
	}
	for i, one := range list {
		if err := j.people(fmt.Sprintf("%s/%d", pointer, i), one, depth+1, who); err != nil {
			return err
		}
	}
	return nil
}

// group reports whether the elements of an array are people rather than landmarks: the first that is not null is an
// object with landmarks, or an array that is empty or has arrays or objects.
func group(list []json.RawMessage) bool {
	for _, one := range list {
		switch one[0] {
		case '{':
			return memberOf(members(one), landmarkNames) != ""
		case '[':
			inner := bytes.TrimLeft(bytes.ReplaceAll(one[1:min(len(one), 4096)], []byte("null"), nil), " \t\r\n,")
			return len(inner) > 0 && (inner[0] == '[' || inner[0] == '{' || inner[0] == ']' && !bytes.Contains(one, []byte("null")))
		case 'n':
			continue
		}
		break
	}
	return false
}

// landmarks returns the parts among the 33 landmarks, in their unit.
func (j *jsonReader) landmarks(pointer string, list []json.RawMessage) (f keypoint.Frame, err error) {
	if n := len(list); n != numLandmarks {
		return f, j.wrong(pointer, "has %d landmarks, want 33, or none for a frame without a person", n)
	}
	for p, n := range landmarks {
		if n < 0 {
			continue
		}
		at, visibility, err := j.landmark(fmt.Sprintf("%s/%d", pointer, n), list[n])
		if err != nil {
			return f, err
		}
		if x, y := at[0], at[1]; x != nil && y != nil && (*x != 0 || *y != 0 || visibility != 0) {
			f.Set(keypoint.Part(p), keypoint.Point{*x, *y}, visibility)
		}
	}
	return f, nil
}

// landmark reads one landmark; x or y is nil where it is absent.
func (j *jsonReader) landmark(pointer string, text json.RawMessage) (at [2]*float64, visibility float64, err error) {
	switch text[0] {
	case 'n': // null
		return at, 0, nil
	case '[':
		var list []*float64
		if err := json.Unmarshal(text, &list); err != nil {
			return at, 0, j.fault(pointer, err)
		}
		if n := len(list); n < 2 || n > 4 {
			return at, 0, j.wrong(pointer, "has %d numbers, want x, y, and perhaps z and visibility", n)
		}
		if visibility = 1; len(list) == 4 && list[3] != nil {
			visibility = *list[3]
		}
		return [2]*float64{list[0], list[1]}, visibility, nil
	}
	var object struct {
		X, Y     json.RawMessage // nil where missing
		Position *struct{ X, Y json.RawMessage }

		Visibility, Score, InFrameLikelihood *float64
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return at, 0, j.fault(pointer, err)
	}
	if p := object.Position; p != nil {
		object.X, object.Y = p.X, p.Y
	}
	if object.X == nil || object.Y == nil {
		return at, 0, j.wrong(pointer, "lacks x or y, want an object with both")
	}
	for i, text := range []json.RawMessage{object.X, object.Y} {
		if err := json.Unmarshal(text, &at[i]); err != nil {
			return at, 0, j.fault(pointer+"/"+"xy"[i:i+1], err)
		}
	}
	for _, v := range []*float64{object.Visibility, object.Score, object.InFrameLikelihood} {
		if v != nil {
			return at, *v, nil
		}
	}
	return at, 1, nil
}

// stamp adds the time of frame i in milliseconds, which all frames have or none.
func (j *jsonReader) stamp(pointer string, text json.RawMessage, i int, times *[]float64) error {
	m := members(text)
	name := memberOf(m, stampNames)
	switch {
	case (name != "") != (*times != nil) && i > 0:
		return j.wrong(pointer, "has a time and others have none, or the reverse: want %s in all frames or in none", stampNames[0])
	case name == "":
		return nil
	}
	var ms float64
	if err := json.Unmarshal(m[name], &ms); err != nil {
		return j.fault(pointer+"/"+name, err)
	}
	if i > 0 && ms <= (*times)[i-1] {
		return j.wrong(pointer+"/"+name, "is %v ms, want more than the %v ms of the frame before", ms, (*times)[i-1])
	}
	*times = append(*times, ms)
	return nil
}
