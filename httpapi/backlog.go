package httpapi

import (
	"errors"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// notCrowded serves requests for results of clients without too many unfinished records. Concurrent requests may exceed the limit slightly.
func notCrowded(do handler) handler {
	return func(c *call) error {
		if c.opt.Limits.MaxUnfinished <= 0 || !catalog.Of(c.kind).Worked() {
			return do(c)
		}
		total, s, ctx := 0, c.service, c.r.Context()
		for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
			page := motion.Page{Status: status, Limit: 1}
			_, extractions, err1 := s.ListExtractions(ctx, c.client, page)
			_, comparisons, err2 := s.ListComparisons(ctx, c.client, page)
			_, analyses, err3 := s.ListAnalyses(ctx, c.client, page)
			_, drawings, err4 := s.ListDrawings(ctx, c.client, page)
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				return err
			}
			total += extractions + comparisons + analyses + drawings
		}
		if total < c.opt.Limits.MaxUnfinished {
			return do(c)
		}
		return wire.Later(http.StatusServiceUnavailable, "%d records of the client are not finished yet, at most %d are allowed; try again later.",
			total, c.opt.Limits.MaxUnfinished)
	}
}
