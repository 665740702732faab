package motion

import (
	"context"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// GetNewer returns the latest successful measurement of the same person in the same movie, image or given keypoints: a later record
// made Again, or with the same Choose. Its ID is 0 if e is the latest. Joined records are left out.
func (s *Service) GetNewer(ctx context.Context, owner string, e Extraction) (newer Extraction, err error) {
	if e.KeypointIDs != nil {
		return newer, nil
	}
	key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID}
	if e.pictured() {
		key = e.media(owner)
	}
	known := map[int64]Extraction{e.ID: e}
	for queue := []storage.Key{key}; len(queue) > 0; queue = queue[1:] {
		made, _, err := s.cfg.Store.List(ctx, owner, storage.Keypoints, storage.Filter{Labels: []string{catalog.FromLabel(queue[0])}, Limit: 1000})
		if err != nil {
			return newer, err
		}
		for _, r := range made {
			if known[r.ID], err = extractionOf(r); err != nil {
				return newer, err
			}
			if !e.pictured() { // those of a movie or image all name it
				queue = append(queue, r.Key)
			}
		}
	}
	chosen := func(e Extraction) inference.Choice {
		for e.KeypointID != 0 && known[e.KeypointID].ID != 0 {
			e = known[e.KeypointID]
		}
		return e.Choose
	}
	for id, other := range known {
		if id > max(e.ID, newer.ID) && other.Status == storage.Success && other.KeypointIDs == nil && chosen(other) == chosen(e) {
			newer = other
		}
	}
	return newer, nil
}
