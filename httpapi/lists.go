package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
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

// page parses the query of a list. If ok is false, it has answered.
func (c *call) page() (p pageQuery, ok bool) {
	q := c.r.URL.Query()
	var bad []mistake
	number := func(name string, def int, want string) int {
		s := q.Get(name)
		if s == "" && !q.Has(name) {
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
	if q.Has("execStatus") {
		switch s := storage.Status(q.Get("execStatus")); s {
		case storage.Unprocessed, storage.Processing, storage.Success, storage.Failure:
			p.Status = s
		default:
			bad = append(bad, inQuery("execStatus", string(s), "UNPROCESSED, PROCESSING, SUCCESS or FAILURE"))
		}
	}
	if bad != nil {
		c.invalid(bad...)
		return p, false
	}
	p.Offset, p.Limit = (p.page-1)*p.size, p.size
	return p, true
}

// listed answers with the requested page of the records that find returns.
func listed[R, I any](c *call, find func(context.Context, string, motion.Page) ([]R, int, error), itemOf func(R) I) {
	p, ok := c.page()
	if !ok {
		return
	}
	records, total, err := find(c.r.Context(), c.client, p.Page)
	if err != nil {
		c.fail(err)
		return
	}
	items := make([]I, len(records))
	for i, r := range records {
		items[i] = itemOf(r)
	}
	l := listing{MaxPage: max((total+p.size-1)/p.size, 1), Data: items}
	address := func(page int) *string {
		u := c.public(c.path)
		q, _ := url.ParseQuery(c.r.URL.RawQuery)
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
	c.answer(http.StatusOK, l)
}
