package places_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// family is a picture and one record of each kind that is made from it.
type family struct {
	image                                                motion.Media
	keypoint, cleaned, comparison, analysis, first, last int64
}

func newFamily(t *testing.T, s *motion.Service) family {
	t.Helper()
	f := family{image: host.Upload(t, s, host.Picture(40, 60))}
	f.keypoint = host.Extract(t, s, f.image.ID).ID
	must := func(id int64, err error) int64 {
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	cleaned, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(f.keypoint), FindOptions: motion.FindOptions{Uncleaned: true}})
	f.cleaned = must(cleaned.ID, err)
	comparison, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: f.keypoint, TargetID: f.cleaned})
	f.comparison = must(comparison.ID, err)
	analysis, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: f.cleaned, Rules: host.Rules(t, `{"analysisType":"coordinate","points":["nose"]}`)})
	f.analysis = must(analysis.ID, err)
	a, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: f.keypoint})
	f.first = must(a.ID, err)
	b, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{ComparisonID: f.comparison})
	f.last = must(b.ID, err)
	for kind, ids := range map[storage.Kind][]int64{
		storage.Keypoints: {f.keypoint, f.cleaned}, storage.Comparisons: {f.comparison},
		storage.Analyses: {f.analysis}, storage.Drawings: {f.first, f.last},
	} {
		for _, id := range ids {
			host.Wait(t, s, kind, id, storage.Success)
		}
	}
	return f
}

// left lists what is kept: records as kind/id and blobs by their keys.
func left(t *testing.T, p host.Parts) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, kind := range []storage.Kind{storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings} {
		records, _, err := p.Store.List(t.Context(), host.Owner, kind, storage.Filter{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			all[fmt.Sprintf("%s/%d", r.Kind, r.ID)] = true
		}
	}
	if err := p.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { all["blob "+b.Key] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDeleteCascades(t *testing.T) {
	for _, c := range []struct {
		kind storage.Kind
		id   func(family) int64
		gone func(family) []string
	}{
		{storage.Drawings, func(f family) int64 { return f.first }, func(f family) []string {
			return []string{fmt.Sprint("drawings/", f.first), fmt.Sprintf("blob drawings/%d.jpg", f.first)}
		}},
		{storage.Analyses, func(f family) int64 { return f.analysis }, func(f family) []string {
			return []string{fmt.Sprint("analyses/", f.analysis)}
		}},
		{storage.Comparisons, func(f family) int64 { return f.comparison }, func(f family) []string {
			return []string{fmt.Sprint("comparisons/", f.comparison), fmt.Sprint("drawings/", f.last), fmt.Sprintf("blob drawings/%d.jpg", f.last)}
		}},
		{storage.Keypoints, func(f family) int64 { return f.cleaned }, func(f family) []string {
			return []string{
				fmt.Sprint("keypoints/", f.cleaned), fmt.Sprint("comparisons/", f.comparison), fmt.Sprint("analyses/", f.analysis),
				fmt.Sprint("drawings/", f.last), fmt.Sprintf("blob drawings/%d.jpg", f.last),
			}
		}},
		{storage.Images, func(f family) int64 { return f.image.ID }, func(f family) []string {
			return []string{
				fmt.Sprint("images/", f.image.ID), fmt.Sprint("blob media/images/", f.image.ID),
				fmt.Sprint("keypoints/", f.keypoint), fmt.Sprint("keypoints/", f.cleaned), fmt.Sprint("comparisons/", f.comparison),
				fmt.Sprint("analyses/", f.analysis), fmt.Sprint("drawings/", f.first), fmt.Sprint("drawings/", f.last),
				fmt.Sprintf("blob drawings/%d.jpg", f.first), fmt.Sprintf("blob drawings/%d.jpg", f.last),
			}
		}},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			p := host.New()
			s := p.Service(t, nil)
			host.Run(t, s)
			other := newFamily(t, s) // stays as it is
			f := newFamily(t, s)
			want := left(t, p)
			if err := s.DeleteRecord(t.Context(), "nobody", c.kind, c.id(f)); !errors.Is(err, motion.ErrNotFound) {
				t.Errorf("somebody else deletes it: %v", err)
			}
			if err := s.DeleteRecord(t.Context(), host.Owner, c.kind, c.id(f)); err != nil {
				t.Fatal(err)
			}
			for _, name := range c.gone(f) {
				if !want[name] {
					t.Errorf("%s has never been there", name)
				}
				delete(want, name)
			}
			got := left(t, p)
			for name := range want {
				if !got[name] {
					t.Errorf("%s is gone, too", name)
				}
			}
			for name := range got {
				if !want[name] {
					t.Errorf("%s is still there", name)
				}
			}
			if err := s.DeleteRecord(t.Context(), host.Owner, c.kind, c.id(f)); !errors.Is(err, motion.ErrNotFound) {
				t.Errorf("again: %v", err)
			}
			if _, err := s.GetMedia(t.Context(), host.Owner, storage.Images, other.image.ID); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDeleteCancels holds that work on a deleted record is interrupted, and leaves nothing.
func TestDeleteCancels(t *testing.T) {
	p := host.New()
	started, ended := make(chan struct{}), make(chan error, 1)
	s := p.Service(t, func(c *motion.Config) {
		c.Estimator = host.Estimator{Before: func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}}
	})
	stop := host.Run(t, s)
	m := host.Upload(t, s, host.Picture(20, 20))
	host.Extract(t, s, m.ID)
	<-started
	if err := s.DeleteRecord(t.Context(), host.Owner, storage.Images, m.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the work ended with %v", err)
	}
	stop()
	if left := left(t, p); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// late are blobs of which the first is put only after a call of between.
type late struct {
	storage.Blobs
	prefix  string
	between func()
}

func (l late) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	info, err := l.Blobs.Put(ctx, key, r, opt)
	if bytes.HasPrefix([]byte(key), []byte(l.prefix)) {
		l.between()
		info, err = l.Blobs.Put(ctx, key, bytes.NewReader([]byte("late")), storage.PutOptions{})
	}
	return info, err
}

// TestDeleteBesideWork holds that a file that is put while its record is deleted, perhaps by
// another process, goes as well.
func TestDeleteBesideWork(t *testing.T) {
	for _, prefix := range []string{"media/", "drawings/"} {
		t.Run(prefix, func(t *testing.T) {
			p := host.New()
			var other *motion.Service // knows nothing of the jobs of the first
			s := p.Service(t, func(c *motion.Config) {
				c.Blobs = late{p.Blobs, prefix, func() {
					if err := other.DeleteRecord(context.Background(), host.Owner, storage.Images, 1); err != nil {
						t.Error(err)
					}
				}}
			})
			other = p.Service(t, nil)
			stop := host.Run(t, s)
			data := host.Picture(20, 20)
			m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(data)})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.UploadMedia(t.Context(), host.Owner, storage.Images, m.ID, bytes.NewReader(data))
			if prefix == "media/" && !errors.Is(err, motion.ErrNotFound) {
				t.Errorf("upload: %v", err)
			}
			if prefix == "drawings/" {
				d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: host.Extract(t, s, m.ID).ID})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Wait(t.Context(), host.Owner, storage.Drawings, d.ID); !errors.Is(err, motion.ErrNotFound) {
					t.Errorf("waiting for a deleted record: %v", err)
				}
			}
			stop()
			if left := left(t, p); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestFailedDrawingLeavesNoFile: neither that of an attempt that a crash has ended, nor one
// that is found when the record has failed already.
func TestFailedDrawingLeavesNoFile(t *testing.T) {
	for _, status := range []storage.Status{storage.Unprocessed, storage.Failure} {
		p := host.New()
		s := p.Service(t, nil)
		m := host.Upload(t, s, host.Picture(20, 20))
		e := host.Extract(t, s, m.ID)
		stop := host.Run(t, s)
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		stop()
		d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: storage.Drawings, ID: d.ID})
		if err != nil {
			t.Fatal(err)
		}
		r.Attempts, r.Status = 3, status
		if _, err := p.Store.Update(t.Context(), r, storage.Unprocessed); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Blobs.Put(t.Context(), "drawings/1.jpg", strings.NewReader("x"), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		// The queue is done with the job when it has come to one that was pushed later.
		later := host.Extract(t, s, m.ID)
		stop = host.Run(t, s)
		host.Wait(t, s, storage.Keypoints, later.ID, storage.Success)
		stop()
		host.Wait(t, s, storage.Drawings, d.ID, storage.Failure)
		if _, err := p.Blobs.Open(t.Context(), "drawings/1.jpg"); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%s: a file is left (%v)", status, err)
		}
	}
}

const past = time.Nanosecond // the age of everything that was there before

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
			stop := host.Run(t, s)
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
			if err := s.DeleteRecord(t.Context(), host.Owner, storage.Analyses, other.analysis); err != nil {
				t.Fatal(err)
			}
			for _, name := range otherAnalysis {
				delete(want, name)
			}
			media, keypoints, _, _, _ := names(other)
			expire(keep, keypoints, media)
			// What is not finished does not expire, and keeps what it is made of.
			unfinished, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: f.cleaned, Rules: host.Rules(t, `{"analysisType":"coordinate","points":["nose"]}`)})
			if err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprint("analyses/", unfinished.ID)] = true
			expire(all, analysis)
			// Two at once, in two processes.
			stop = host.Run(t, s)
			host.Wait(t, s, storage.Analyses, unfinished.ID, storage.Success)
			for range 10 {
				host.Upload(t, s, host.Picture(20, 20))
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

// sweeper are blobs that tell when they are swept.
type sweeper struct {
	storage.Blobs
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
	p := host.New()
	old := storage.Record{Key: storage.Key{Owner: host.Owner, Kind: storage.Analyses}, Status: storage.Success, Data: []byte("{}")}
	if _, err := p.Store.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	k := kept{store: p.Store, blobs: p.Blobs}
	k.put(t, "media/movies/7", "of no record")
	swept := make(chan struct{})
	s := p.Service(t, func(c *motion.Config) {
		c.Blobs = sweeper{p.Blobs, swept}
		c.Retention.Analyses = past
		c.OrphanAge = past
		c.UpkeepEvery = time.Millisecond
	})
	stop := host.Run(t, s)
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
		c.Store, c.Blobs, c.Queue, c.Estimator = p.Store, p.Blobs, p.Queue, host.Estimator{}
		if _, err := motion.New(c); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Expire(t.Context(), motion.Retention{Drawings: -1}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("a negative time: %v", err)
	}
}
