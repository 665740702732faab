package motion_test

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

const owner = "somebody"

// estimator is an inference.Estimator for tests of the service: a person who fills the
// picture, unless estimate says otherwise.
type estimator struct {
	estimate func(context.Context) error
}

func (e estimator) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	if e.estimate != nil {
		if err := e.estimate(ctx); err != nil {
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

type parts struct {
	store storage.Store
	blobs storage.Blobs
	queue storage.Counter
}

func newParts() parts {
	return parts{memory.NewStore(memory.StoreOptions{}), memory.NewBlobs(memory.BlobsOptions{}), memory.NewQueue(memory.QueueOptions{})}
}

func (p parts) service(t testing.TB, change func(*motion.Config)) *motion.Service {
	t.Helper()
	cfg := motion.Config{
		Store: p.store, Blobs: p.blobs, Queue: p.queue, Estimator: estimator{}, WorkDir: t.TempDir(),
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

// run works on the service's jobs until stop is called.
func run(t testing.TB, s *motion.Service) (stop func()) {
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

// uploadMovie registers a movie and uploads it.
func uploadMovie(t testing.TB, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.Register(t.Context(), owner, storage.Movies, motion.NewMedia{ContentMD5: hexMD5(data)})
	if err == nil {
		m, err = s.Upload(t.Context(), owner, storage.Movies, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func picture(w, h int) []byte {
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

func hexMD5(b []byte) string {
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

func upload(t *testing.T, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.Register(t.Context(), owner, storage.Images, motion.NewMedia{Name: "a picture", ContentMD5: hexMD5(data)})
	if err == nil {
		m, err = s.Upload(t.Context(), owner, storage.Images, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func extract(t *testing.T, s *motion.Service, image int64) motion.Extraction {
	t.Helper()
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: image})
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != storage.Unprocessed {
		t.Errorf("a new record is %s", e.Status)
	}
	return e
}

// rules parses analysis rules.
func rules(t testing.TB, text string) []analyze.Rule {
	t.Helper()
	rules, err := analyze.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func wait(t testing.TB, s *motion.Service, kind storage.Kind, id int64, want storage.Status) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if got, err := s.Wait(ctx, owner, kind, id); err != nil || got != want {
		t.Fatalf("%s %d is %s (%v), want %s", kind, id, got, err, want)
	}
}
