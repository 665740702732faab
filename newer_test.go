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
	change := motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{RecordedAt: &filmed}}
	if _, err := s.UpdateMedia(t.Context(), host.Owner, storage.Images, img.ID, change); err != nil {
		t.Fatal(err)
	}
	var seq keypoint.Sequence
	seq.Size, seq.Frames = image.Pt(100, 100), make([]keypoint.Frame, 1)
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{50, 50}, 1)
	left := inference.Choice{Policy: inference.PolicyNearest, Point: [2]float64{10, 50}}
	again := func(id int64) motion.ExtractRequest { return motion.ExtractRequest{Source: motion.Again(id)} }
	var ids []int64
	for _, req := range []motion.ExtractRequest{
		{Source: motion.Image(img.ID)}, // 1
		{Source: motion.Image(img.ID), FindOptions: motion.FindOptions{Choose: left}}, // 2, somebody else
		again(1), again(2), // 3, 4
		{Source: motion.Image(img.ID), FindOptions: motion.FindOptions{Feet: true}}, // 5
		{Source: motion.Given(seq)}, // 6
		again(6), again(7),          // 7, 8
		{Source: motion.Given(seq)}, // 9
	} {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		ids = append(ids, e.ID)
		if e.Given == nil && !e.Filmed().Equal(filmed) {
			t.Errorf("record %d was filmed %v, want %v", e.ID, e.Filmed(), filmed)
		}
	}
	for i, want := range []int64{5, 4, 5, 0, 0, 8, 8, 0, 0} {
		e, err := s.GetExtraction(t.Context(), host.Owner, ids[i])
		if err != nil {
			t.Fatal(err)
		}
		if newer, err := s.GetNewer(t.Context(), host.Owner, e); err != nil || newer.ID != want {
			t.Errorf("record %d leads to %d (%v), want %d", e.ID, newer.ID, err, want)
		}
		if newer, err := s.GetNewer(t.Context(), "nobody", e); err != nil || newer.ID != 0 {
			t.Errorf("somebody else's %d leads to %d (%v)", e.ID, newer.ID, err)
		}
	}
}
