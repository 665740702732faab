package httpapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// crowded answers 503 to a client with too many unfinished records. Concurrent requests may
// exceed the limit slightly.
func (c *call) crowded() bool {
	if c.opt.MaxUnfinished <= 0 || isMedia(c.kind) {
		return false
	}
	total := 0
	s := c.service
	for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
		for _, count := range []counter{counterOf(s.Extractions), counterOf(s.Comparisons), counterOf(s.Analyses), counterOf(s.Drawings)} {
			n, err := count(c.r.Context(), c.client, motion.Page{Status: status, Limit: 1})
			if err != nil {
				c.fail(err)
				return true
			}
			total += n
		}
	}
	if total < c.opt.MaxUnfinished {
		return false
	}
	c.w.Header().Set("Retry-After", "5")
	c.problem(problem{
		Status: http.StatusServiceUnavailable,
		Detail: fmt.Sprintf("%d records of the client are not finished yet, at most %d are allowed; try again later.", total, c.opt.MaxUnfinished),
	})
	return true
}

// counter returns the total of a list.
type counter func(context.Context, string, motion.Page) (int, error)

func counterOf[R any](list func(context.Context, string, motion.Page) ([]R, int, error)) counter {
	return func(ctx context.Context, client string, p motion.Page) (int, error) {
		_, n, err := list(ctx, client, p)
		return n, err
	}
}
