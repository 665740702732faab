package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strconv"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// listing is the JSON form of a page of a list.
type listing struct {
	Next     *string `json:"next"`
	Previous *string `json:"previous"`
	MaxPage  int     `json:"maxPage"`
	Data     any     `json:"data"`
}

// pageQuery is the parsed query of a list.
type pageQuery struct {
	page, size int
	motion.Page
}

const (
	defaultSize = 20
	maxSize     = 1000
	lastPage    = 1_000_000_000 // keeps offsets in range
)

// page parses the query of a list.
func (c *call) page() (p pageQuery, err error) {
	var bad []mistake
	number := func(name string, def int, want string) int {
		s := c.query.Get(name)
		if !c.query.Has(name) {
			return def
		}
		v, err := strconv.ParseUint(s, 10, 63) // accepts no sign
		if errors.Is(err, strconv.ErrRange) {
			v, err = math.MaxInt64, nil
		}
		switch {
		case err != nil || v < 1:
			bad = append(bad, inQuery(name, s, want))
		case v > lastPage && name == "page":
			v = lastPage // as far past the end
		case v > maxSize && name == "size":
			bad = append(bad, inQuery(name, s, want))
		}
		return int(v)
	}
	p.page = number("page", 1, "an integer of at least 1")
	p.size = number("size", defaultSize, fmt.Sprintf("an integer from 1 to %d", maxSize))
	p.KeypointID = int64(number("keypointId", 0, "the id of a keypoint record"))
	if c.query.Has("execStatus") {
		switch s := storage.Status(c.query.Get("execStatus")); s {
		case storage.Unprocessed, storage.Processing, storage.Success, storage.Failure:
			p.Status = s
		default:
			bad = append(bad, inQuery("execStatus", string(s), "UNPROCESSED, PROCESSING, SUCCESS or FAILURE"))
		}
	}
	if bad != nil {
		return p, invalid(bad...)
	}
	p.Offset, p.Limit = (p.page-1)*p.size, p.size
	return p, nil
}

// listed answers with the requested page of the records that find returns.
func listed[R, I any](c *call, find func(context.Context, string, motion.Page) ([]R, int, error), itemOf func(R) I) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	records, total, err := find(c.r.Context(), c.client, p.Page)
	if err != nil {
		return err
	}
	items := make([]I, len(records))
	for i, r := range records {
		items[i] = itemOf(r)
	}
	l := listing{MaxPage: max((total+p.size-1)/p.size, 1), Data: items}
	address := func(page int) *string {
		u := c.public(c.path)
		q := maps.Clone(c.query)
		q.Set("page", strconv.Itoa(page))
		u.RawQuery = q.Encode()
		return text(u.String())
	}
	if p.page < l.MaxPage {
		l.Next = address(p.page + 1)
	}
	if p.page > 1 {
		l.Previous = address(min(p.page-1, l.MaxPage))
	}
	return c.answer(http.StatusOK, l)
}
