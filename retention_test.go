package motion_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

const past = time.Nanosecond // the age of everything that was there before

// after waits until the clock has passed what a store has given: one in memory gives no time
// twice, and so may be ahead.
func after(at time.Time) {
	for !time.Now().After(at.Add(past)) {
		runtime.Gosched()
	}
}

// TestExpire: what is expired goes with its files, and what something else needs stays.
func TestExpire(t *testing.T) {
	all := motion.Retention{Movies: past, Images: past, Keypoints: past, Comparisons: past, Analyses: past, Drawings: past}
	names := func(f family) (media, keypoints, comparison, analysis, drawings []string) {
		return []string{fmt.Sprint("images/", f.image.ID), fmt.Sprint("blob media/images/", f.image.ID)},
			[]string{fmt.Sprint("keypoints/", f.keypoint), fmt.Sprint("keypoints/", f.cleaned)},
			[]string{fmt.Sprint("comparisons/", f.comparison)},
			[]string{fmt.Sprint("analyses/", f.analysis)},
			[]string{fmt.Sprint("drawings/", f.first), fmt.Sprintf("blob drawings/%d.jpg", f.first), fmt.Sprint("drawings/", f.last), fmt.Sprintf("blob drawings/%d.jpg", f.last)}
	}
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			both := p.two(t)
			k := both[0]
			s := k.service(t, nil)
			stop := run(t, s)
			f, other := newFamily(t, s), newFamily(t, s)
			stop()
			_, _, _, analysis, drawings := names(f)
			_, _, _, otherAnalysis, otherDrawings := names(other)
			want := k.everything(t)
			expire := func(keep motion.Retention, gone ...[]string) {
				t.Helper()
				records := 0
				for _, list := range gone {
					for _, name := range list {
						if !want[name] {
							t.Errorf("%s is gone already", name)
						}
						delete(want, name)
						if name[:4] != "blob" {
							records++
						}
					}
				}
				if n, err := s.Expire(t.Context(), keep); err != nil || n != records {
					t.Errorf("%d records have expired, want %d (%v)", n, records, err)
				}
				if diff := cmp.Diff(want, k.everything(t)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
			expire(motion.Retention{})
			expire(motion.Retention{Images: time.Hour, Keypoints: time.Hour, Drawings: time.Hour})
			// Everything is needed by something that is kept.
			expire(motion.Retention{Images: past, Keypoints: past, Comparisons: past})
			// Drawings go, and the analyses keep keypoints and media, but no comparison.
			_, _, comparison, _, _ := names(f)
			_, _, otherComparison, _, _ := names(other)
			keep := all
			keep.Analyses = time.Hour
			expire(keep, drawings, otherDrawings, comparison, otherComparison)
			// One of the analyses goes, and all that only it has kept with the next Expire.
			if err := s.Delete(t.Context(), owner, storage.Analyses, other.analysis); err != nil {
				t.Fatal(err)
			}
			for _, name := range otherAnalysis {
				delete(want, name)
			}
			media, keypoints, _, _, _ := names(other)
			expire(keep, keypoints, media)
			// What is not finished does not expire, and keeps what it is made of.
			unfinished, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: f.cleaned, Rules: rules(t, `{"analysisType":"coordinate","points":["nose"]}`)})
			if err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprint("analyses/", unfinished.ID)] = true
			expire(all, analysis)
			// Two at once, in two processes.
			stop = run(t, s)
			wait(t, s, storage.Analyses, unfinished.ID, storage.Success)
			for range 10 {
				upload(t, s, picture(20, 20))
			}
			stop()
			var wg sync.WaitGroup
			var mu sync.Mutex
			total := 0
			for _, k := range both {
				s := k.service(t, nil)
				wg.Go(func() {
					n, err := s.Expire(context.Background(), all)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					total += n
				})
			}
			wg.Wait()
			if left := k.everything(t); len(left) != 0 || total < 14 {
				t.Errorf("%d records have expired, and left are %v", total, left)
			}
		})
	}
}

// TestExpireMany goes over more records than are read or removed at a time.
func TestExpireMany(t *testing.T) {
	p := newParts()
	s := p.service(t, nil)
	const n = 1300
	for i := range n {
		m, err := p.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: fmt.Sprint("owner ", i%7), Kind: storage.Movies}, Data: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 { // kept
			if _, err := p.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: m.Owner, Kind: storage.Keypoints}, Status: storage.Success, Data: fmt.Appendf(nil, `{"movie":%d}`, m.ID)}); err != nil {
				t.Fatal(err)
			}
		}
		after(m.UpdatedAt)
	}
	got, err := s.Expire(t.Context(), motion.Retention{Movies: past})
	if err != nil || got != n-n/10 {
		t.Errorf("%d of %d movies have expired (%v)", got, n, err)
	}
	left, err := p.store.Scan(t.Context(), storage.Movies, 0, n)
	if err != nil || len(left) != n/10 || left[0].ID != 1 || left[1].ID != 11 {
		t.Errorf("%d movies are left (%v)", len(left), err)
	}
}

// later is a store in which, while something is deleted for the first time, more is made.
type later struct {
	storage.Store
	once *sync.Once
	make func(storage.Key)
}

func (l later) Delete(ctx context.Context, key storage.Key) error {
	l.once.Do(func() { l.make(key) })
	return l.Store.Delete(ctx, key)
}

// TestExpireBesideWork: what is made while others go, keeps what it is made from.
func TestExpireBesideWork(t *testing.T) {
	p := newParts()
	const n = 200
	for range n {
		m, err := p.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Movies}, Data: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
		after(m.UpdatedAt)
	}
	s := p.service(t, func(c *motion.Config) {
		c.Store = later{p.store, &sync.Once{}, func(first storage.Key) {
			// The newest go first: this one's turn comes last.
			if _, err := p.store.Create(context.Background(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Unprocessed, Data: []byte(`{"movie":1}`)}); err != nil || first.ID != n {
				t.Errorf("%+v goes first (%v)", first, err)
			}
		}}
	})
	if got, err := s.Expire(t.Context(), motion.Retention{Movies: past}); err != nil || got != n-1 {
		t.Errorf("%d have expired (%v)", got, err)
	}
	if _, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Movies, ID: 1}); err != nil {
		t.Errorf("what is needed: %v", err)
	}
}

// sweeper are blobs that tell when they are swept.
type sweeper struct {
	*memory.Blobs
	swept chan struct{}
}

func (s sweeper) Sweep(context.Context) error {
	select {
	case s.swept <- struct{}{}:
	default:
	}
	return io.ErrUnexpectedEOF
}

// TestUpkeep: Run does all of it at its beginning, and goes on where some of it fails.
func TestUpkeep(t *testing.T) {
	p := newParts()
	old := storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Analyses}, Status: storage.Success, Data: []byte("{}")}
	if _, err := p.store.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	k := kept{store: p.store, blobs: p.blobs}
	k.put(t, "media/movies/7", "of no record")
	swept := make(chan struct{})
	s := p.service(t, func(c *motion.Config) {
		c.Blobs = sweeper{p.blobs, swept}
		c.Retention.Analyses = past
		c.OrphanAge = past
		c.UpkeepEvery = time.Millisecond
	})
	stop := run(t, s)
	for range 3 { // the second time the first is done
		select {
		case <-swept:
		case <-time.After(20 * time.Second):
			t.Fatal("the blobs are not swept")
		}
	}
	stop()
	if left := k.everything(t); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if err := s.Upkeep(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the fault of the sweep: %v", err)
	}
	for name, c := range map[string]motion.Config{
		"a negative time": {Retention: motion.Retention{Movies: -1}}, "a negative age": {OrphanAge: -1},
	} {
		c.Store, c.Blobs, c.Queue, c.Estimator = p.store, p.blobs, p.queue, estimator{}
		if _, err := motion.New(c); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Expire(t.Context(), motion.Retention{Drawings: -1}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("a negative time: %v", err)
	}
}
