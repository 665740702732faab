package httpapi

import (
	"context"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

func extractionState(e motion.Extraction) motion.State { return e.State }
func comparisonState(x motion.Comparison) motion.State { return x.State }
func analysisState(a motion.Analysis) motion.State     { return a.State }
func drawingState(d motion.Drawing) motion.State       { return d.State }

// unfinished returns how many records of a client are not finished.
func unfinished(ctx context.Context, s *motion.Service, client string) (sum int, err error) {
	for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
		for _, count := range []counter{total(s.Extractions), total(s.Comparisons), total(s.Analyses), total(s.Drawings)} {
			n, err := count(ctx, client, motion.Page{Status: status, Limit: 1})
			if err != nil {
				return 0, err
			}
			sum += n
		}
	}
	return sum, nil
}

type counter func(context.Context, string, motion.Page) (int, error)

// total returns a function that returns the total of a list.
func total[T any](list func(context.Context, string, motion.Page) ([]T, int, error)) counter {
	return func(ctx context.Context, client string, p motion.Page) (int, error) {
		_, n, err := list(ctx, client, p)
		return n, err
	}
}
