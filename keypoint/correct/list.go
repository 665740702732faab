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

// Edit says where a part is in a frame, or takes that back.
type Edit struct {
	Person int             `json:"person,omitempty"` // track of the person, if several were followed; 0: the one who was chosen
	Frame  int             `json:"frame"`            // from 0
	Part   keypoint.Part   `json:"part"`
	Point  *keypoint.Point `json:"point"` // pixels; nil: the part is absent
	Undo   bool            `json:"-"`     // removes the correction of this part in this frame; then Point is nil
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

// place returns the edit without what it does.
func (e Edit) place() Edit { return Edit{Person: e.Person, Frame: e.Frame, Part: e.Part} }

// check returns the first mistake in an edit.
func (e Edit) check(frames int, size image.Point, parts keypoint.Parts) *keypoint.FieldError {
	switch {
	case e.Frame < 0 || e.Frame >= frames:
		return &keypoint.FieldError{Pointer: "/frame", Detail: fmt.Sprintf("is %d, want 0 to %d", e.Frame, frames-1)}
	case !parts.Has(e.Part) || e.Part >= keypoint.NumParts:
		return &keypoint.FieldError{Pointer: "/part", Detail: fmt.Sprintf("is %v, which the keypoints do not have", e.Part)}
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
// removes it. An edit that changes nothing leaves the correction with its time and client. An Undo without a
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
		case e.Undo && len(wrong) < maxMistakes:
			wrong = append(wrong, &keypoint.FieldError{Pointer: fmt.Sprintf("/%d/undo", i), Detail: fmt.Sprintf("there is no correction of %v in frame %d", e.Part, e.Frame)})
		case !e.Undo && !(ok && old.same(e)):
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

// same reports whether another edit of the same part in the same frame says the same.
func (e Edit) same(other Edit) bool {
	if e.Point == nil || other.Point == nil {
		return e.Point == other.Point
	}
	return *e.Point == *other.Point
}

// sorted returns the corrections in their order.
func (l List) sorted() List {
	return slices.SortedFunc(slices.Values(l), func(a, b Correction) int {
		return cmp.Or(cmp.Compare(a.Person, b.Person), cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Part, b.Part))
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
