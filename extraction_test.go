package motion_test

import (
	"context"
	"errors"
	"image"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

// decoder is an inference.Decoder whose movies are 60 empty pictures, 30 a second.
type decoder struct{ opened *atomic.Int32 }

const decoded = 60

func (d decoder) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: image.Pt(100, 100), Frames: decoded, FrameRate: 30, Duration: 2}, nil
}

func (d decoder) Open(context.Context, io.ReadSeeker) (inference.Frames, error) {
	d.opened.Add(1)
	return &frames{}, nil
}

type frames struct{ n int }

func (f *frames) Info() inference.Info {
	return inference.Info{Size: image.Pt(100, 100), Frames: decoded, FrameRate: 30}
}

func (f *frames) Close() error { return nil }

func (f *frames) Next() (inference.Picture, error) {
	if f.n == decoded {
		return inference.Picture{}, io.EOF
	}
	f.n++
	img := image.NewGray(image.Rect(0, 0, 100, 100))
	img.Pix[0] = uint8(f.n) // for jittery
	return inference.Picture{Image: img, Time: float64(f.n-1) / 30}, nil
}

// walker finds a body whose limbs swing and whose ankles are exchanged in a frame, with feet or without.
type walker struct{ feet bool }

func (w walker) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	n := int(img.(*image.Gray).Pix[0])
	parts := keypoint.Body
	if w.feet {
		parts = keypoint.All
	}
	var f keypoint.Frame
	for _, p := range parts.List() {
		q := p
		if n == 30 && p >= keypoint.LeftAnkle {
			q = p.Mirror()
		}
		swing := math.Sin(float64(n)/5 + math.Pi*float64(p%2))
		f.Set(q, keypoint.Point{50 + float64(p)*swing, 5 + 4*float64(p)}, 0.9)
	}
	return f, nil
}

// TestFeet: feet are in a record that asked for them, and cost nothing else: without them the stored
// record has the very bytes that it has with an estimator that knows none.
func TestFeet(t *testing.T) {
	var opened atomic.Int32
	extracted := func(est inference.Estimator, feet bool) (storage.Record, motion.Extraction, *motion.Service) {
		p := host.New()
		s := p.Service(t, func(c *motion.Config) { c.Decoder, c.Estimator, c.Clean = decoder{&opened}, est, clean.Default() })
		host.Run(t, s)
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(host.UploadMovie(t, s, []byte("movie")).ID), FindOptions: motion.FindOptions{Feet: feet}})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		r, err := p.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: e.ID})
		if err == nil {
			e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r, e, s
	}
	want, _, _ := extracted(walker{}, false)
	got, e, _ := extracted(walker{feet: true}, false)
	if string(got.Result) != string(want.Result) || string(got.Data) != string(want.Data) || e.Feet {
		t.Errorf("an estimator that gives feet changes the record:\n%s\n%s\n%.300s\n%.300s", got.Data, want.Data, got.Result, want.Result)
	}
	_, unable, _ := extracted(walker{}, true)
	if seq, err := unable.Sequence(); err != nil || !unable.Feet || seq.Frames[0].Present() != keypoint.Body {
		t.Errorf("an estimator that knows no feet: %v (%v)", seq.Frames[0].Present().List(), err)
	}

	_, e, s := extracted(walker{feet: true}, true)
	seq, err := e.Sequence()
	if err != nil || !e.Feet || seq.Frames[30].Present() != keypoint.All {
		t.Fatalf("asked for feet: %+v, %v (%v)", e, seq.Frames[30].Present().List(), err)
	}
	changes, err := e.CleaningMarks()
	if err != nil || changes[29][keypoint.RightBigToe] != clean.Swapped|clean.Smoothed || changes[29][keypoint.RightHip]&clean.Swapped != 0 {
		t.Errorf("changes of the exchanged frame: %v (%v)", changes[29], err)
	}
	again, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Uncleaned: true}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, again.ID, storage.Success)
	if again, err = s.GetExtraction(t.Context(), host.Owner, again.ID); err != nil || !again.Feet {
		t.Errorf("cleaned again, the record does not say that it has feet (%v)", err)
	}
	var bad *motion.RequestError
	if _, err = s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Feet: true}}); !errors.As(err, &bad) || bad.Field != "keypointId" {
		t.Errorf("feet of a record: %v", err)
	}
}

// TestCorrectAtOnce: of corrections made at the same time none is lost, and no change is reported, since
// the status stays.
func TestCorrectAtOnce(t *testing.T) {
	var opened atomic.Int32
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
	if err != nil {
		t.Fatal(err)
	}
	var mistakes keypoint.FieldErrors
	put := correct.Edit{Part: keypoint.Nose, Point: &keypoint.Point{20, 30}}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	changes, err := s.Watch(t.Context(), host.Owner)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for frame := range 20 {
		all.Go(func() {
			mine := put
			mine.Frame = frame
			if _, err := s.CorrectKeypoints(t.Context(), host.Owner, e.ID, []correct.Edit{mine}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
		t.Fatal(err)
	}
	list, err := e.Corrections()
	marks, errMarks := e.Marks()
	if errMarks != nil {
		t.Fatal(errMarks)
	}
	if err != nil || len(list) != 20 || list[19].Frame != 19 || list[0].Client != host.Owner || marks[7][keypoint.Nose] != correct.Corrected || marks[20][keypoint.Nose] != correct.None {
		t.Errorf("%d corrections (%v): %+v", len(list), err, list)
	}
	seq, err := e.Sequence()
	if nose, ok := seq.Frames[5].At(keypoint.Nose); err != nil || !ok || nose != *put.Point {
		t.Errorf("the nose is at %v (%v)", nose, err)
	}
	a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: []analyze.Rule{{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)}}})
	if err != nil {
		t.Fatal(err)
	}
	if c := <-changes; len(c.Records) == 0 || c.Records[0].Kind != storage.Analyses || c.Records[0].ID != a.ID {
		t.Errorf("the first change is %+v", c)
	}

	put.Part = keypoint.LeftHeel
	if _, err := s.CorrectKeypoints(t.Context(), host.Owner, e.ID, []correct.Edit{put}); !errors.Is(err, motion.ErrInvalid) || !errors.As(err, &mistakes) || mistakes[0].Pointer != "/0/part" {
		t.Errorf("a heel of a record without feet: %v", err)
	}
	if _, err := s.CorrectKeypoints(t.Context(), "another", e.ID, []correct.Edit{put}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else: %v", err)
	}
}

// TestAnalysesDoNotWait: an analysis is made while a movie keeps the only worker busy.
func TestAnalysesDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		var busy atomic.Bool
		s := host.New().Service(t, func(c *motion.Config) {
			c.Decoder = decoder{&opened}
			c.Estimator = host.Estimator{Before: func(ctx context.Context) error {
				if busy.Load() {
					<-ctx.Done()
				}
				return ctx.Err()
			}}
		})
		host.Run(t, s)
		m := host.UploadMovie(t, s, []byte("movie"))
		extract := func() motion.Extraction {
			e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		done := extract()
		host.Wait(t, s, storage.Keypoints, done.ID, storage.Success)
		busy.Store(true)
		extract()
		waits := extract()
		time.Sleep(time.Minute)
		a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: done.ID, Rules: []analyze.Rule{{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)}}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		host.Wait(t, s, storage.Analyses, a.ID, storage.Success)
		if e, err := s.GetExtraction(t.Context(), host.Owner, waits.ID); time.Since(began) > time.Second || e.Status != storage.Unprocessed || err != nil {
			t.Errorf("the analysis takes %v; the second movie is %s (%v)", time.Since(began), e.Status, err)
		}
	})
}
