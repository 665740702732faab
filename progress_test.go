package motion_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/storage"
)

// slowEncoder takes as long as each tells for a frame, and keeps nothing.
type slowEncoder struct{ each time.Duration }

func (e slowEncoder) Create(_ context.Context, path string, _ draw.Movie) (draw.MovieWriter, error) {
	return slowWriter(e), os.WriteFile(path, nil, 0o600)
}

type slowWriter struct{ each time.Duration }

func (w slowWriter) Write(image.Image, float64) error { time.Sleep(w.each); return nil }
func (slowWriter) Close() error                       { return nil }
func (slowWriter) Abort()                             {}

// writes counts what the service stores, and fails where broken says so.
type writes struct {
	storage.Store
	updates atomic.Int32
	broken  atomic.Bool
}

func (w *writes) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	w.updates.Add(1)
	if w.broken.Load() {
		return storage.Record{}, storage.ErrUnavailable
	}
	return w.Store.Update(ctx, r, from)
}

// TestProgress holds that records tell how far the work on them is, at most once a second,
// to whoever reads the store.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 100 * time.Millisecond // 60 frames take 6 s of the bubble's time
		p := newParts()
		kept := &writes{Store: p.store}
		var opened atomic.Int32
		turn := make(chan struct{}, 1)
		var told atomic.Int32
		s := p.service(t, func(c *motion.Config) {
			c.Store, c.Decoder, c.Encoder = kept, decoder{&opened}, slowEncoder{each}
			c.Estimator = estimator{func(context.Context) error {
				turn <- struct{}{} // one after the other, however many cores there are
				time.Sleep(each)
				<-turn
				return nil
			}}
			c.Progress = func(motion.Progress) { told.Add(1) }
		})
		other := p.service(t, nil) // another process
		stop := run(t, s)
		m := uploadMovie(t, s, []byte("movie"))
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID})
		if err != nil {
			t.Fatal(err)
		}
		follow := func(kind storage.Kind, id int64, state func() (motion.State, error)) {
			t.Helper()
			kept.updates.Store(0)
			told.Store(0)
			last := -1.0
			for {
				time.Sleep(500 * time.Millisecond)
				synctest.Wait()
				now, err := state()
				if err != nil {
					t.Fatal(err)
				}
				part, ok := now.Progress()
				if now.Status.Final() {
					if now.Status != storage.Success || part != 1 || !ok {
						t.Fatalf("%s at the end: %+v, progress %v %v", kind, now, part, ok)
					}
					break
				}
				if ok && part < last || part >= 1 {
					t.Errorf("%s: progress %v after %v", kind, part, last)
				}
				last = part
			}
			if last < 0.5 || told.Load() != decoded {
				t.Errorf("%s: the last progress was %v, told %d times", kind, last, told.Load())
			}
			if n := kept.updates.Load(); n < 5 || n > 9 {
				t.Errorf("%s: stored %d times in 6 s", kind, n)
			}
			r, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: kind, ID: id})
			if err != nil || strings.Contains(string(r.Data), "progress") {
				t.Errorf("%s: progress is left in the data: %s (%v)", kind, r.Data, err)
			}
		}
		if part, ok := e.Progress(); part != 0 || !ok {
			t.Errorf("before the work: %v %v", part, ok)
		}
		follow(storage.Keypoints, e.ID, func() (motion.State, error) {
			e, err := other.Extraction(t.Context(), owner, e.ID)
			return e.State, err
		})
		d, err := s.Draw(t.Context(), owner, motion.DrawRequest{KeypointID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		follow(storage.Drawings, d.ID, func() (motion.State, error) {
			list, _, err := other.Drawings(t.Context(), owner, motion.Page{})
			if err != nil || len(list) != 1 {
				return motion.State{}, errors.Join(err, errors.New("no list"))
			}
			return list[0].State, nil
		})
		stop()
	})
}

// TestProgressIsNoNeed holds that a store that takes no progress costs no work, and that an
// attempt after a crash begins at nothing.
func TestProgressIsNoNeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newParts()
		kept := &writes{Store: p.store}
		var said strings.Builder
		var opened atomic.Int32
		turn, step, stopped := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
		var n atomic.Int32
		s := p.service(t, func(c *motion.Config) {
			c.Store, c.Decoder, c.Logger = kept, decoder{&opened}, textLog(&said)
			c.Estimator = estimator{func(context.Context) error {
				turn <- struct{}{}
				if n.Add(1) == 30 {
					stopped <- struct{}{}
					<-step
				}
				time.Sleep(100 * time.Millisecond)
				<-turn
				return nil
			}}
		})
		m := uploadMovie(t, s, []byte("movie"))
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID})
		if err != nil {
			t.Fatal(err)
		}
		key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID}
		r, err := p.store.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		r.Data = []byte(strings.Replace(string(r.Data), "{", `{"progress":0.75,`, 1)) // a crash
		if _, err := p.store.Update(t.Context(), r, storage.Unprocessed); err != nil {
			t.Fatal(err)
		}
		stop := run(t, s)
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
			t.Fatal(err)
		}
		if part, ok := e.Progress(); e.Status != storage.Processing || ok {
			t.Errorf("the second attempt begins as %s at %v %v", e.Status, part, ok)
		}
		kept.broken.Store(true)
		<-stopped
		kept.broken.Store(false)
		close(step)
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		stop()
		if want := fmt.Sprintf(`"progress not stored" kind=keypoints id=%d `, e.ID); !strings.Contains(said.String(), want) {
			t.Errorf("nobody is told %s: %s", want, said.String())
		}
	})
}
