package places_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// updates is a Store that counts the updates of single records.
type updates struct {
	storage.Store
	n int
}

func (s *updates) Unwrap() storage.Store { return s.Store }

func (s *updates) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	s.n++
	return s.Store.Update(ctx, r, from)
}

// TestRename: the recordings of a person who gets another name are found by it at once, and are not written one by one where a
// store does better.
func TestRename(t *testing.T) {
	const n = 600
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			k := p.two(t)[0]
			counted := &updates{Store: k.store}
			s := k.service(t, func(c *motion.Config) {
				if _, ok := storage.As[storage.JobCreator](c.Queue); !ok {
					c.Store = counted
				}
			})
			who, err := s.CreateSubject(t.Context(), host.Owner, motion.NewSubject{Name: "Kenji"})
			for range n {
				if err != nil {
					t.Fatal(err)
				}
				var r storage.Record
				r, err = catalog.Labelled(storage.Record{
					Key:    storage.Key{Owner: host.Owner, Kind: storage.Keypoints},
					Status: storage.Success, Data: fmt.Appendf(nil, `{"about":{"subjectId":%d}}`, who.ID), Result: bytes.Repeat([]byte("1.234,"), 20_000),
				}, "Kenji")
				if err == nil {
					_, err = k.store.Create(t.Context(), r)
				}
			}
			began := time.Now()
			if _, err := s.UpdateSubject(t.Context(), host.Owner, who.ID, motion.SubjectUpdate{Name: new("Mika")}); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d recordings after %v", n, time.Since(began))
			for text, want := range map[string]int{"mika": n, "kenji": 0} {
				list, total, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{Text: text, SubjectID: who.ID})
				if err != nil || total != want || want > 0 && list[0].Status != storage.Success {
					t.Errorf("%d are found by %s, want %d (%v)", total, text, want, err)
				}
			}
			if _, ok := storage.As[storage.Relabeler](k.store); ok && counted.n > 1 {
				t.Errorf("%d records were written one by one", counted.n)
			}
		})
	}
}
