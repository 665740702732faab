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
		for _, count := range []func(*call) (int, error){
			unfinished(s.Extractions), unfinished(s.Comparisons), unfinished(s.Analyses), unfinished(s.Drawings),
		} {
			n, err := count(c)
			if err != nil {
				return err
			}
			total += n
		}
		if total < c.opt.MaxUnfinished {
			return do(c)
		}
		return wire.Later(http.StatusServiceUnavailable, "%d records of the client are not finished yet, at most %d are allowed; try again later.",
			total, c.opt.MaxUnfinished)
	}
}

// unfinished counts the unfinished records of the client in a list.
func unfinished[R any](list func(context.Context, string, motion.Page) ([]R, int, error)) func(*call) (int, error) {
	return func(c *call) (total int, err error) {
		for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
			_, n, err := list(c.r.Context(), c.client, motion.Page{Status: status, Limit: 1})
			if err != nil {
				return 0, err
			}
			total += n
		}
		return total, nil
	}
}
