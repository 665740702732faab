package motion_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// beforeUpdate is a Store that calls a function once, before the next Update of a kind.
type beforeUpdate struct {
	storage.Store
	kind storage.Kind
	call func()
}

func (s *beforeUpdate) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if call := s.call; call != nil && r.Kind == s.kind {
		s.call = nil
		call()
	}
	return s.Store.Update(ctx, r, from)
}

// TestGivenWhileErased: a recording that is given to a person while that person is erased, after the erasure has looked for
// recordings, stays as it was, and goes if it was of somebody who is erased, too. Without all it is nobody's.
func TestGivenWhileErased(t *testing.T) {
	for _, kind := range []storage.Kind{storage.Images, storage.Keypoints} {
		for _, all := range []bool{true, false} {
			for of, both := range map[string]bool{"nobody": false, "somebody": false, "somebody who goes too": true} {
				t.Run(fmt.Sprint(kind, " of ", of, ", all ", all), func(t *testing.T) {
					parts := host.New()
					store := &beforeUpdate{Store: parts.Store, kind: kind}
					parts.Store = store
					s := parts.Service(t, func(c *motion.Config) { c.UpkeepEvery = -1 })
					host.Run(t, s)
					before, kenji := subject(t, s, motion.NewSubject{Name: "Mika"}), subject(t, s, motion.NewSubject{Name: "Kenji"})
					m := host.Upload(t, s, host.Picture(200, 300))
					if of != "nobody" {
						if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: &before}}); err != nil {
							t.Fatal(err)
						}
					}
					e := host.Extract(t, s, m.ID)
					host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
					was := about(t, parts, kind)
					store.call = func() {
						gone := []int64{kenji}
						if both {
							gone = append(gone, before)
						}
						for _, who := range gone {
							if _, err := s.DeleteSubject(t.Context(), host.Owner, who, all); err != nil {
								t.Error(err)
							}
						}
					}
					change := motion.RecordingUpdate{SubjectID: &kenji, Tags: &[]string{"Kenji"}}
					var err error
					if kind == storage.Images {
						_, err = s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: change, Text: new("Kenji's knee")})
					} else {
						_, err = s.UpdateExtraction(t.Context(), host.Owner, e.ID, motion.ExtractionUpdate{RecordingUpdate: change, Notes: &[]motion.Note{{Text: "Kenji's knee"}}})
					}
					if !errors.Is(err, motion.ErrNotFound) {
						t.Errorf("the change: %v, want ErrNotFound", err)
					}
					switch now := about(t, parts, kind); {
					case both && all:
						if now != nil {
							t.Errorf("left: %+v", now)
						}
					case both && now.SubjectID == 0:
					case !cmp.Equal(was, now):
						t.Errorf("it is %+v, and was %+v", now, was)
					}
					if err := s.Verify(t.Context(), motion.VerifyOptions{Grace: -1}, func(f motion.Finding) error { return fmt.Errorf("%+v", f) }); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// about returns what is known of the recording of the first record of a kind; nil if there is none.
func about(t *testing.T, parts host.Parts, kind storage.Kind) *catalog.About {
	t.Helper()
	list, err := parts.Store.Scan(t.Context(), kind, 0, 1)
	var w catalog.Work
	if err == nil && len(list) > 0 {
		if err = catalog.Decode(list[0], &w); w.About == nil {
			w.About = &catalog.About{}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.About
}

// TestRecordingsOfGonePeople: verify finds recordings of a person whose record is gone, as an older version or a process that died
// may leave them, and upkeep erases them; if the deletion was to leave recordings, they become nobody's.
func TestRecordingsOfGonePeople(t *testing.T) {
	for _, all := range []bool{true, false} {
		parts := host.New()
		s := parts.Service(t, func(c *motion.Config) { c.UpkeepEvery = -1 })
		host.Run(t, s)
		kenji, mika := subject(t, s, motion.NewSubject{Name: "Kenji"}), subject(t, s, motion.NewSubject{Name: "Mika"})
		var given storage.Record
		for _, who := range []int64{mika, kenji} {
			m := host.Upload(t, s, host.Picture(200, 300))
			if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: &who}}); err != nil {
				t.Fatal(err)
			}
			e := host.Extract(t, s, m.ID)
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
			var err error
			if given, err = parts.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: m.Kind, ID: m.ID}); err != nil {
				t.Fatal(err)
			}
			if who == mika {
				continue
			}
			// Nobody's while the person is deleted, and given afterwards by a process that dies before it looks.
			nobodys := motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: new(int64)}}
			if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, nobodys); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.DeleteSubject(t.Context(), host.Owner, kenji, all); err != nil {
			t.Fatal(err)
		}
		now, err := parts.Store.Head(t.Context(), given.Key)
		if err != nil {
			t.Fatal(err)
		}
		given.UpdatedAt = now.UpdatedAt
		if _, err := parts.Store.Update(t.Context(), given, now.Status); err != nil {
			t.Fatal(err)
		}
		var found []motion.Finding
		collect := func(f motion.Finding) error { found = append(found, f); return nil }
		if err := s.Verify(t.Context(), motion.VerifyOptions{Grace: -1}, collect); err != nil || len(found) != 1 || found[0].Problem != motion.GoneSubject || found[0].Record != given.Key {
			t.Errorf("verify finds %+v (%v)", found, err)
		}
		if err := s.Upkeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		m, err := s.GetMedia(t.Context(), host.Owner, given.Kind, given.ID)
		if all && !errors.Is(err, motion.ErrNotFound) || !all && (err != nil || m.SubjectID != 0) {
			t.Errorf("all is %v: %+v (%v)", all, m.Recording, err)
		}
		if _, n, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{}); err != nil || all && n != 1 || !all && n != 2 {
			t.Errorf("all is %v: %d keypoints are left (%v)", all, n, err)
		}
		if err := s.Verify(t.Context(), motion.VerifyOptions{Grace: -1}, func(f motion.Finding) error { return fmt.Errorf("%+v", f) }); err != nil {
			t.Error(err)
		}
	}
}
