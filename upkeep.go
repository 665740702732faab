package motion

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Upkeep removes what nobody needs any more: what crashes have left in Blobs (where it is a
// storage.Sweeper), records that are older than Config.Retention (see Expire), and files of
// no record that are older than Config.OrphanAge (see DeleteOrphans). Run does so at its
// beginning and every Config.UpkeepEvery. Where one of the three fails the others are done
// all the same.
func (s *Service) Upkeep(ctx context.Context) error {
	var errs []error
	if sweeper, ok := storage.As[storage.Sweeper](s.cfg.Blobs); ok {
		if err := sweeper.Sweep(ctx); err != nil {
			errs = append(errs, fmt.Errorf("sweep the blobs: %w", err))
		}
	}
	n, err := s.Expire(ctx, s.cfg.Retention)
	if n > 0 {
		s.cfg.Logger.Info("expired records removed", "records", n)
	}
	if err != nil {
		errs = append(errs, err)
	}
	if s.cfg.OrphanAge > 0 {
		if _, err := s.DeleteOrphans(ctx, s.cfg.OrphanAge); err != nil {
			errs = append(errs, fmt.Errorf("delete orphans: %w", err))
		}
	}
	return errors.Join(errs...)
}

// upkeep does so again and again until ctx ends.
func (s *Service) upkeep(ctx context.Context) {
	if s.cfg.UpkeepEvery < 0 {
		return
	}
	ticker := time.NewTicker(s.cfg.UpkeepEvery)
	defer ticker.Stop()
	for {
		if err := s.Upkeep(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Logger.Error("upkeep", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
