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

// states reads the states of a client's records of one kind.
type states struct {
	kind storage.Kind
	list func(context.Context, motion.Page) ([]motion.State, error) // newest first
	get  func(context.Context, int64) (motion.State, error)
	// count returns the number of records with a status.
	count func(context.Context, storage.Status) (int, error)
}

// statesOf returns the states of all kinds that have states.
func statesOf(s *motion.Service, client string) []states {
	return []states{
		newStates(storage.Keypoints, client, s.Extractions, s.Extraction, extractionState),
		newStates(storage.Comparisons, client, s.Comparisons, s.Comparison, comparisonState),
		newStates(storage.Analyses, client, s.Analyses, s.Analysis, analysisState),
		newStates(storage.Drawings, client, s.Drawings, s.Drawing, drawingState),
	}
}

func newStates[T any](
	kind storage.Kind, client string,
	list func(context.Context, string, motion.Page) ([]T, int, error),
	get func(context.Context, string, int64) (T, error),
	state func(T) motion.State,
) states {
	return states{
		kind,
		func(ctx context.Context, p motion.Page) ([]motion.State, error) {
			records, _, err := list(ctx, client, p)
			all := make([]motion.State, len(records))
			for i, r := range records {
				all[i] = state(r)
			}
			return all, err
		},
		func(ctx context.Context, id int64) (motion.State, error) {
			r, err := get(ctx, client, id)
			return state(r), err
		},
		func(ctx context.Context, status storage.Status) (int, error) {
			_, total, err := list(ctx, client, motion.Page{Status: status, Limit: 1})
			return total, err
		},
	}
}
