package places_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// TestMediaRace lets two processes change one record at once: its name, its text and its
// file, and in every second round one of them deletes it. No change undoes another one, and
// of what is deleted nothing stays.
func TestMediaRace(t *testing.T) {
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			rounds := 100
			if testkit.Long() {
				rounds = 1000
			}
			both := p.two(t)
			services := [2]*motion.Service{both[0].service(t, nil), both[1].service(t, nil)}
			data := host.Picture(8, 8)
			for round := range rounds {
				mediaRound(t, services, round, data)
				if t.Failed() {
					return
				}
			}
			left := both[0].everything(t)
			if len(left) != rounds { // a record and its file of every second round
				t.Errorf("%d records and files are left of %d rounds", len(left), rounds)
			}
			if found := findings(t, services[1], motion.VerifyOptions{Grace: -1}); len(found) != 0 {
				t.Errorf("%v", found)
			}
		})
	}
}

func mediaRound(t *testing.T, services [2]*motion.Service, round int, data []byte) {
	t.Helper()
	a, b := services[round/2%2], services[1-round/2%2]
	m, err := a.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(data)})
	if err != nil {
		t.Fatal(err)
	}
	doomed := round%2 == 1
	name, text := fmt.Sprint("name ", round), fmt.Sprint("text ", round)
	var wg sync.WaitGroup
	change := func(do func(context.Context) error) {
		wg.Go(func() {
			if err := do(context.Background()); err != nil && !(doomed && errors.Is(err, motion.ErrNotFound)) {
				t.Errorf("round %d: %v", round, err)
			}
		})
	}
	change(func(ctx context.Context) error {
		_, err := b.UpdateMedia(ctx, host.Owner, storage.Images, m.ID, motion.MediaUpdate{Name: &name})
		return err
	})
	change(func(ctx context.Context) error {
		_, err := a.UpdateMedia(ctx, host.Owner, storage.Images, m.ID, motion.MediaUpdate{Text: &text})
		return err
	})
	change(func(ctx context.Context) error {
		_, err := b.UploadMedia(ctx, host.Owner, storage.Images, m.ID, bytes.NewReader(data))
		return err
	})
	if doomed {
		change(func(ctx context.Context) error { return a.DeleteRecord(ctx, host.Owner, storage.Images, m.ID) })
	}
	wg.Wait()
	got, err := a.GetMedia(t.Context(), host.Owner, storage.Images, m.ID)
	switch {
	case doomed && !errors.Is(err, motion.ErrNotFound):
		t.Errorf("round %d: deleted, and there is %+v (%v)", round, got, err)
	case !doomed && (err != nil || *got.Name != name || *got.Text != text || !got.Uploaded || got.Size.X != 8):
		t.Errorf("round %d: %+v (%v)", round, got, err)
	}
}

// TestChangeBesideUpload holds that a change while the file is coming is not undone by it.
func TestChangeBesideUpload(t *testing.T) {
	p := host.New()
	var s *motion.Service
	name := "new name"
	s = p.Service(t, func(c *motion.Config) {
		c.Blobs = late{p.Blobs, "media/", func() {
			if _, err := s.UpdateMedia(context.Background(), host.Owner, storage.Images, 1, motion.MediaUpdate{Name: &name}); err != nil {
				t.Error(err)
			}
		}}
	})
	host.Upload(t, s, host.Picture(20, 30))
	m, err := s.GetMedia(t.Context(), host.Owner, storage.Images, 1)
	if err != nil || *m.Name != name || !m.Uploaded {
		t.Errorf("%+v (%v)", m, err)
	}
}
