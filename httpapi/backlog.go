package httpapi

import (
	"context"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/storage"
)

// notCrowded serves requests for results of clients without too many unfinished records. Concurrent
// requests may exceed the limit slightly.
func notCrowded(do handler) handler {
	return func(c *call) error {
		if c.opt.MaxUnfinished <= 0 || isMedia(c.kind) {
			return do(c)
		}
		total, s := 0, c.service
		for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
			for _, count := range []counter{counterOf(s.Extractions), counterOf(s.Comparisons), counterOf(s.Analyses), counterOf(s.Drawings)} {
				n, err := count(c.r.Context(), c.client, motion.Page{Status: status, Limit: 1})
				if err != nil {
					return err
				}
				total += n
			}
		}
		if total < c.opt.MaxUnfinished {
			return do(c)
		}
		return wire.Later(http.StatusServiceUnavailable, "%d records of the client are not finished yet, at most %d are allowed; try again later.", total, c.opt.MaxUnfinished)
	}
}

// counter returns the total of a list.
type counter func(context.Context, string, motion.Page) (int, error)

func counterOf[R any](list func(context.Context, string, motion.Page) ([]R, int, error)) counter {
	return func(ctx context.Context, client string, p motion.Page) (int, error) {
		_, n, err := list(ctx, client, p)
		return n, err
	}
}
