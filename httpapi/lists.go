package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/storage"
)

// listing is the JSON form of a page of a list.
type listing struct {
	Next     *string `json:"next"`
	Previous *string `json:"previous"`
	MaxPage  int     `json:"maxPage"`
	Data     any     `json:"data"`
	Own      any     `json:"own,omitempty"` // of exercises: the records, beside which Data has those that are shipped
}

const (
	defaultSize = 20
	maxSize     = 1000
	maxWords    = 200           // bytes of a text to be found
	lastPage    = 1_000_000_000 // keeps offsets in range
)

func (c *call) page() (p motion.Page, err error) {
	var bad []mistake
	number := func(name string, def, least int, want string) int {
		s := c.query.Get(name)
		if !c.query.Has(name) {
			return def
		}
		v, err := jsonappend.Int(s)
		if errors.Is(err, strconv.ErrRange) {
			err = nil // v is the nearest
		}
		switch {
		case err != nil || int(v) < least:
			bad = append(bad, inQuery(name, s, want))
		case v > lastPage && name == "page":
			v = lastPage // as far past the end
		case v > maxSize && name == "size":
			bad = append(bad, inQuery(name, s, want))
		}
		return int(v)
	}
	page := number("page", 1, 1, "an integer of at least 1")
	p.Limit = number("size", defaultSize, 1, fmt.Sprintf("an integer from 1 to %d", maxSize))
	p.Offset = (page - 1) * p.Limit
	p.KeypointID = int64(number("keypointId", 0, 1, "the id of a keypoint record"))
	if c.query.Has("execStatus") {
		p.Status = storage.Status(c.query.Get("execStatus"))
		if !slices.Contains([]storage.Status{storage.Unprocessed, storage.Processing, storage.Success, storage.Failure}, p.Status) {
			bad = append(bad, inQuery("execStatus", string(p.Status), "UNPROCESSED, PROCESSING, SUCCESS or FAILURE"))
		}
	}
	if p.SubjectID = int64(number("subjectId", 0, 0, "the id of a subject, or 0 for nobody")); c.query.Has("subjectId") && p.SubjectID == 0 {
		p.SubjectID = -1
	}
	for name, at := range map[string]*time.Time{"recordedFrom": &p.RecordedFrom, "recordedTo": &p.RecordedTo} {
		if s := c.query.Get(name); c.query.Has(name) {
			// A + that is not escaped is a space.
			if *at, err = time.Parse(time.RFC3339, strings.Replace(s, " ", "+", 1)); err != nil {
				bad = append(bad, inQuery(name, s, wire.Moment))
			}
		}
	}
	for name, words := range map[string]*string{"tag": &p.Tag, "text": &p.Text} {
		if *words = c.query.Get(name); c.query.Has(name) && (*words == "" || len(*words) > maxWords) {
			bad = append(bad, inQuery(name, *words, fmt.Sprintf("a text of 1 to %d bytes", maxWords)))
		}
	}
	if bad != nil {
		return p, invalid(bad...)
	}
	return p, c.included("recordedAt")
}

// listed answers with the requested page of the records that find returns.
func listed[R, I any](c *call, find func(context.Context, string, motion.Page) ([]R, int, error), itemOf func(R) I) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	if err := c.enter(c.lists, "lists are being read"); err != nil {
		return err
	}
	records, total, err := find(c.r.Context(), c.client, p)
	if err != nil {
		return err
	}
	items := make([]I, len(records))
	for i, r := range records {
		items[i] = itemOf(r)
	}
	page := p.Offset/p.Limit + 1
	l := listing{MaxPage: max((total+p.Limit-1)/p.Limit, 1), Data: items}
	if c.kind == storage.Exercises {
		l.Data, l.Own = shippedExercises(), items
	}
	address := func(page int) *string {
		u := c.public(c.path)
		q := maps.Clone(c.query)
		q.Set("page", strconv.Itoa(page))
		u.RawQuery = q.Encode()
		return orNull(u.String())
	}
	if page < l.MaxPage {
		l.Next = address(page + 1)
	}
	if page > 1 {
		l.Previous = address(min(page-1, l.MaxPage))
	}
	return c.answer(http.StatusOK, l)
}
