package correct

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"time"

	"github.com/bodymotion/motion/keypoint"
)

// MaxEdits is the number of corrections that a List may hold.
const MaxEdits = 10_000

// maxCarry is to how many frames each way a correction may be carried.
const maxCarry = 60

// Edit says where a part is in a frame or that it is exchanged with its mirror part, or takes that back.
type Edit struct {
	Person int             `json:"person,omitempty"` // track of the person, if several were followed; 0: the one who was chosen
	Frame  int             `json:"frame"`            // from 0
	Part   keypoint.Part   `json:"part"`
	Point  *keypoint.Point `json:"point"`           // pixels; nil: the part is absent
	Carry  int             `json:"carry,omitempty"` // to how many frames each way it is carried over, 0 to 60; with a Point or Exchange

	Exchange bool `json:"exchange,omitempty"` // from Frame to Last the part and its mirror part are exchanged; then Point is nil
	Last     int  `json:"last,omitempty"`     // the last frame of an exchange; else 0

	Undo bool `json:"-"` // removes the correction of this part in this frame, or this exchange; then Point is nil
}

// Correction is an edit that was made.
type Correction struct {
	Edit
	At     time.Time `json:"at"`
	Client string    `json:"client"` // who made it
}

// List holds the corrections of a recording in the order of person, frame and part, at most one each.
type List []Correction

// Check returns the mistakes in edits of a recording as keypoint.FieldErrors, each with the place in the array:
// frames that the recording does not have, parts that it cannot have, points outside of the picture (of a million
// pixels along each side, if the size is zero), an Undo with a Point, and a part that is edited twice in a frame.
func Check(edits []Edit, frames int, size image.Point, parts keypoint.Parts) error {
	var wrong keypoint.FieldErrors
	seen := map[Edit]bool{}
	for i, e := range edits {
		err := e.check(frames, size, parts)
		if err == nil && seen[e.place()] {
			err = &keypoint.FieldError{Detail: fmt.Sprintf("the part %v of frame %d is given twice", e.Part, e.Frame)}
		}
		if err != nil {
			wrong = append(wrong, &keypoint.FieldError{Pointer: fmt.Sprintf("/%d%s", i, err.Pointer), Detail: err.Detail})
		}
		if seen[e.place()] = true; len(wrong) == maxMistakes {
			break
		}
	}
	if wrong != nil {
		return wrong
	}
	return nil
}

const (
	maxMistakes = 20
	maxPixels   = 1e6 // of a picture of unknown size, along each side
)

// place returns the edit without what it does. An exchange is that of the left part.
func (e Edit) place() Edit {
	at := Edit{Person: e.Person, Frame: e.Frame, Part: e.Part, Exchange: e.Exchange, Last: e.Last}
	if e.Exchange {
		at.Part = min(e.Part, e.Part.Mirror())
	}
	return at
}

// check returns the first mistake in an edit.
func (e Edit) check(frames int, size image.Point, parts keypoint.Parts) *keypoint.FieldError {
	switch {
	case e.Frame < 0 || e.Frame >= frames:
		return &keypoint.FieldError{Pointer: "/frame", Detail: fmt.Sprintf("is %d, want 0 to %d", e.Frame, frames-1)}
	case !parts.Has(e.Part) || e.Part >= keypoint.NumParts:
		return &keypoint.FieldError{Pointer: "/part", Detail: fmt.Sprintf("is %v, which the keypoints do not have", e.Part)}
	case e.Carry < 0 || e.Carry > maxCarry || e.Carry > 0 && (e.Undo || e.Point == nil && !e.Exchange):
		return &keypoint.FieldError{Pointer: "/carry", Detail: fmt.Sprintf("is %d, want 0 to %d frames each way, of a point or an exchange", e.Carry, maxCarry)}
	case e.Exchange && e.Part.Mirror() == e.Part:
		return &keypoint.FieldError{Pointer: "/part", Detail: fmt.Sprintf("is %v, which has no other side", e.Part)}
	case e.Exchange && (e.Last < e.Frame || e.Last >= frames), !e.Exchange && e.Last != 0:
		return &keypoint.FieldError{Pointer: "/last", Detail: fmt.Sprintf("is %d, want the last frame of an exchange, %d to %d", e.Last, e.Frame, frames-1)}
	case e.Exchange && e.Point != nil:
		return &keypoint.FieldError{Pointer: "/point", Detail: "is given together with exchange"}
	case e.Point == nil:
		return nil
	case e.Undo:
		return &keypoint.FieldError{Pointer: "/point", Detail: "is given together with undo"}
	}
	width, height := float64(size.X), float64(size.Y)
	if size.X <= 0 || size.Y <= 0 { // unknown
		width, height = maxPixels, maxPixels
	}
	if p := *e.Point; !(p[0] >= 0 && p[0] <= width && p[1] >= 0 && p[1] <= height) {
		return &keypoint.FieldError{Pointer: "/point", Detail: fmt.Sprintf("is %v, want a point in the picture of %.0f×%.0f pixels", p, width, height)}
	}
	return nil
}

// With returns the list after edits made by a client: each replaces the correction of its part in its frame, or
// removes it. An exchange, and the Undo of one, takes the corrections of its stretch to the other side. An edit that changes nothing leaves the correction with its time and client. An Undo without a
// correction is a keypoint.FieldErrors with its place, and more than MaxEdits corrections are a keypoint.ErrInvalid.
func (l List) With(edits []Edit, at time.Time, client string) (List, error) {
	made := make(map[Edit]Correction, len(l)+len(edits))
	for _, c := range l {
		made[c.place()] = c
	}
	var wrong keypoint.FieldErrors
	for i, e := range edits {
		old, ok := made[e.place()]
		switch {
		case e.Undo && ok:
			delete(made, e.place())
			e.mirror(made)
		case e.Undo && len(wrong) < maxMistakes:
			wrong = append(wrong, &keypoint.FieldError{Pointer: fmt.Sprintf("/%d/undo", i), Detail: fmt.Sprintf("there is no correction of %v in frame %d", e.Part, e.Frame)})
		case !e.Undo && !(ok && old.same(e)):
			if !ok {
				e.mirror(made)
			}
			e.Part = e.place().Part
			made[e.place()] = Correction{Edit: e, At: at, Client: client}
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	if len(made) > MaxEdits {
		return nil, fmt.Errorf("%w: the record would have %d corrections, want at most %d", keypoint.ErrInvalid, len(made), MaxEdits)
	}
	return List(slices.Collect(maps.Values(made))).sorted(), nil
}

// mirror takes what an exchange finds in its stretch to the other side.
func (e Edit) mirror(made map[Edit]Correction) {
	if !e.Exchange || e.Last < e.Frame {
		return
	}
	frames := map[int]bool{} // of the stretch, those that can have a correction
	if last := uint(e.Last) - uint(e.Frame); last < uint(len(made)) {
		for n := range last + 1 {
			frames[e.Frame+int(n)] = true
		}
	} else { // a longer stretch, even one without end
		for at := range made {
			if at.Frame >= e.Frame && at.Frame <= e.Last {
				frames[at.Frame] = true
			}
		}
	}
	for frame := range frames {
		at := Edit{Person: e.Person, Frame: frame, Part: e.Part}
		other := at
		other.Part = e.Part.Mirror()
		a, isA := made[at]
		b, isB := made[other]
		delete(made, at)
		delete(made, other)
		if a.Part = other.Part; isA {
			made[other] = a
		}
		if b.Part = at.Part; isB {
			made[at] = b
		}
	}
}

// same reports whether another edit of the same part in the same frame says the same.
func (e Edit) same(other Edit) bool {
	if e.Point == nil || other.Point == nil {
		return e.Point == other.Point && e.Carry == other.Carry
	}
	return *e.Point == *other.Point && e.Carry == other.Carry
}

func (l List) sorted() List {
	return slices.SortedFunc(slices.Values(l), func(a, b Correction) int {
		return cmp.Or(cmp.Compare(a.Person, b.Person), cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Last, b.Last))
	})
}

// Of returns the corrections of one person.
func (l List) Of(person int) (list List) {
	for _, c := range l {
		if c.Person == person {
			list = append(list, c)
		}
	}
	return list
}
