package motion_test

import (
	"image"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// TestNewer: a record leads to the newest one that was made anew of the same person, and to no other.
func TestNewer(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	filmed := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	img := host.Upload(t, s, host.Picture(100, 100))
	change := motion.MediaChange{RecordingChange: motion.RecordingChange{RecordedAt: &filmed}}
	if _, err := s.ChangeMedia(t.Context(), host.Owner, storage.Images, img.ID, change); err != nil {
		t.Fatal(err)
	}
	var seq keypoint.Sequence
	seq.Size, seq.Frames = image.Pt(100, 100), make([]keypoint.Frame, 1)
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{50, 50}, 1)
	left := &inference.Choice{Policy: inference.PolicyNearest, Point: [2]float64{10, 50}}
	again := func(id int64) motion.ExtractRequest { return motion.ExtractRequest{KeypointID: id} }
	var ids []int64
	for _, req := range []motion.ExtractRequest{
		{ImageID: img.ID},               // 1
		{ImageID: img.ID, Choose: left}, // 2, somebody else
		again(1), again(2),              // 3, 4
		{ImageID: img.ID, Feet: true}, // 5
		{Keypoints: &seq},             // 6
		again(6), again(7),            // 7, 8
		{Keypoints: &seq}, // 9
	} {
		e, err := s.Extract(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		ids = append(ids, e.ID)
		if req.Keypoints == nil && e.ImageID != 0 && !e.Filmed().Equal(filmed) {
			t.Errorf("record %d was filmed %v, want %v", e.ID, e.Filmed(), filmed)
		}
	}
	for i, want := range []int64{5, 4, 5, 0, 0, 8, 8, 0, 0} {
		e, err := s.Extraction(t.Context(), host.Owner, ids[i])
		if err != nil {
			t.Fatal(err)
		}
		if newer, err := s.Newer(t.Context(), host.Owner, e); err != nil || newer.ID != want {
			t.Errorf("record %d leads to %d (%v), want %d", e.ID, newer.ID, err, want)
		}
		if newer, err := s.Newer(t.Context(), "nobody", e); err != nil || newer.ID != 0 {
			t.Errorf("somebody else's %d leads to %d (%v)", e.ID, newer.ID, err)
		}
	}
}
