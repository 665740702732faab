// Package host is a host of a motion.Service, of parts in memory, with what most tests of it begin with.
package host

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"image"
	"image/png"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// Owner is who the records of tests belong to.
const Owner = "somebody"

// Estimator finds a person who fills the picture.
type Estimator struct {
	Before func(context.Context) error // if not nil: called first; its error is that of Estimate
}

// Estimate implements inference.Estimator.
func (e Estimator) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	if e.Before != nil {
		if err := e.Before(ctx); err != nil {
			return keypoint.Frame{}, err
		}
	}
	var f keypoint.Frame
	size := img.Bounds().Size()
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose:         {0.5, 0.1},
		keypoint.LeftShoulder: {0.6, 0.3}, keypoint.RightShoulder: {0.4, 0.3},
		keypoint.LeftHip: {0.55, 0.6}, keypoint.RightHip: {0.45, 0.6},
	} {
		f.Set(p, keypoint.Point{at[0] * float64(size.X), at[1] * float64(size.Y)}, 0.9)
	}
	return f, nil
}

// Parts are what a Service is made of.
type Parts struct {
	Store storage.Store
	Blobs storage.Blobs
	Queue storage.Counter
}

// New returns empty parts in memory.
func New() Parts {
	return Parts{memory.NewStore(memory.StoreOptions{}), memory.NewBlobs(memory.BlobsOptions{}), memory.NewQueue(memory.QueueOptions{})}
}

// Service makes a Service of the parts, after change, if it is not nil, has changed its Config.
func (p Parts) Service(t testing.TB, change func(*motion.Config)) *motion.Service {
	t.Helper()
	cfg := motion.Config{
		Store: p.Store, Blobs: p.Blobs, Queue: p.Queue, Estimator: Estimator{}, WorkDir: t.TempDir(),
		Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&cfg)
	}
	s, err := motion.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Run works on the service's jobs until stop is called.
func Run(t testing.TB, s *motion.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// UploadMovie registers a movie and uploads it.
func UploadMovie(t testing.TB, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.RegisterMedia(t.Context(), Owner, storage.Movies, motion.NewMedia{ContentMD5: MD5(data)})
	if err == nil {
		m, err = s.UploadMedia(t.Context(), Owner, storage.Movies, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Picture returns a grey PNG.
func Picture(w, h int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 200
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// MD5 returns the MD5 as clients write it.
func MD5(b []byte) string {
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

// Upload registers a picture and uploads it.
func Upload(t testing.TB, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.RegisterMedia(t.Context(), Owner, storage.Images, motion.NewMedia{Name: new("a picture"), ContentMD5: MD5(data)})
	if err == nil {
		m, err = s.UploadMedia(t.Context(), Owner, storage.Images, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Extract asks for the keypoints of a picture.
func Extract(t testing.TB, s *motion.Service, image int64) motion.Extraction {
	t.Helper()
	e, err := s.ExtractKeypoints(t.Context(), Owner, motion.ExtractRequest{Source: motion.Image(image)})
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != storage.Unprocessed {
		t.Errorf("a new record is %s", e.Status)
	}
	return e
}

// Rules parses analysis rules.
func Rules(t testing.TB, text string) []analyze.Rule {
	t.Helper()
	rules, err := analyze.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// Wait waits until a record has a final status, which must be that wanted.
func Wait(t testing.TB, s *motion.Service, kind storage.Kind, id int64, want storage.Status) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if got, err := s.Wait(ctx, Owner, kind, id); err != nil || got != want {
		t.Fatalf("%s %d is %s (%v), want %s", kind, id, got, err, want)
	}
}
