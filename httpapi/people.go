package httpapi

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// choice is who was to be analysed.
type choice struct {
	Policy  inference.Policy `json:"policy"`
	Point   *keypoint.Point  `json:"point,omitempty"`
	Track   int              `json:"track,omitempty"`
	Seconds float64          `json:"seconds,omitempty"`
	Stay    bool             `json:"stay,omitempty"`
}

// people are the members of a keypoint record about choosing and following people.
type people struct {
	Choose    *choice `json:"choose,omitempty"`
	Everybody bool    `json:"everybody,omitempty"`
}

func peopleOf(e motion.Extraction) people {
	p := people{Everybody: e.Everybody}
	if c := e.Choose; c != nil {
		p.Choose = &choice{Policy: c.Policy, Track: c.Track, Seconds: c.Seconds, Stay: c.Stay}
		if c.Policy == inference.PolicyNearest {
			point := keypoint.Point(c.Point)
			p.Choose.Point = &point
		}
	}
	return p
}

// found returns a list of who was found, nil if it was not asked for or is not known yet.
func found[T any](e motion.Extraction, asked bool, list []T) *[]T {
	if !asked || e.Status != storage.Success {
		return nil
	}
	return &list
}

// count returns a number from 0 to most, 0 for an absent one.
func count(v strictjson.Value, most int64) int {
	n, ok := v.Int()
	if ok && (n < 0 || n > most) {
		v.Errorf("is %d, want 0 to %d", n, most)
	}
	return int(n)
}

// wantedPerson returns the track of the person that the query asks for, 0 for the chosen one. It has
// answered when ok is false.
func (c *call) wantedPerson() (track int, ok bool) {
	q := c.r.URL.Query()
	if !q.Has("person") {
		return 0, true
	}
	n, err := strconv.ParseUint(q.Get("person"), 10, 31)
	if err != nil || n == 0 {
		c.invalid(inQuery("person", q.Get("person"), "the track of one of the record's people, from 1"))
		return 0, false
	}
	return int(n), true
}

// keypoints reads the keypoint record that was asked for, as that of a person. Unfinished, it is that of
// nobody. It has answered when ok is false.
func (c *call) keypoints(id int64) (e motion.Extraction, ok bool) {
	track, ok := c.wantedPerson()
	if !ok {
		return e, false
	}
	if e, ok = awaited(c, id, c.service.Extraction); !ok {
		return e, false
	}
	var bad *motion.RequestError
	switch p, err := e.Person(track); {
	case errors.As(err, &bad):
		c.invalid(mistake{Parameter: "person", Detail: fmt.Sprintf("The query parameter person is %d: %v.", track, bad.Err)})
		return e, false
	case errors.Is(err, motion.ErrNotReady):
		e.Track = track
		return e, true
	case err != nil:
		c.fail(err)
		return e, false
	default:
		return p, true
	}
}
