package postgres_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/postgres"
)

// workerPlace makes a test binary a process that works: the place of its store and the
// folder of its blobs.
const workerPlace = "MOTION_POSTGRES_WORKER"

// slowly finds nobody, and takes its time.
type slowly struct{}

func (slowly) Estimate(ctx context.Context, _ image.Image, _ inference.Hint) (keypoint.Frame, error) {
	select {
	case <-ctx.Done():
	case <-time.After(40 * time.Millisecond):
	}
	return keypoint.Frame{}, ctx.Err()
}

func service(ctx context.Context, place string) (*motion.Service, *postgres.Store, error) {
	place, dir, _ := strings.Cut(place, "|")
	s, err := openPlace(place)
	if err != nil {
		return nil, nil, err
	}
	q, err := postgres.NewQueue(ctx, s, postgres.QueueOptions{Lease: 2 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, err
	}
	blobs, err := file.Open(dir, file.Options{})
	if err != nil {
		return nil, nil, err
	}
	m, err := motion.New(motion.Config{
		Store: s, Queue: q, Blobs: blobs, Estimator: slowly{}, Workers: 2, MaxAttempts: 8,
		Logger: slog.New(slog.DiscardHandler),
	})
	return m, s, err
}

// workUntilEOF is the process that works.
func workUntilEOF(place string) error {
	ctx, cancel := context.WithCancel(background)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	m, _, err := service(ctx, place)
	if err != nil {
		return err
	}
	return m.Run(ctx)
}

// process starts one that works until stdin is closed, or it is killed.
func process(t *testing.T, place string) (cmd *exec.Cmd, stdin io.Closer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(program)
	cmd.Env = append(os.Environ(), workerPlace+"="+place)
	cmd.Stderr = os.Stderr
	if stdin, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, stdin
}

// TestCrashes: with two processes at work, of which one is killed, and a server that crashes
// and comes back, nothing is lost and everything finishes.
func TestCrashes(t *testing.T) {
	t.Run("direct", func(t *testing.T) { crashes(t, newPlace(t)+"|"+t.TempDir()) })
	t.Run("pooled", func(t *testing.T) { crashes(t, small.place(t)+"|"+t.TempDir()) })
}

func crashes(t *testing.T, place string) {
	m, s, err := service(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum(picture.Bytes())
	media, err := m.RegisterMedia(t.Context(), "alice", storage.Images, motion.NewMedia{Name: new("a picture"), ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		_, err = m.UploadMedia(t.Context(), "alice", storage.Images, media.ID, &picture)
	}
	if err != nil {
		t.Fatal(err)
	}
	const records = 100
	for range records / 2 {
		e, err := m.ExtractKeypoints(t.Context(), "alice", motion.ExtractRequest{Source: motion.Image(media.ID)})
		if err == nil { // waits for the former
			_, err = m.ExtractKeypoints(t.Context(), "alice", motion.ExtractRequest{Source: motion.Again(e.ID)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	reach := func(n int) {
		t.Helper()
		for end := time.Now().Add(90 * time.Second); ; {
			_, total, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Status: storage.Success, Limit: 1})
			if err != nil && !errors.Is(err, storage.ErrUnavailable) {
				t.Fatal(err)
			}
			if total >= n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d of %d records are done", total, n)
			}
			time.Sleep(10 * time.Millisecond) // between two looks
		}
	}
	first, _ := process(t, place)
	second, secondIn := process(t, place)
	reach(15)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	third, thirdIn := process(t, place)
	reach(30)
	for _, crash := range []bool{true, false} {
		if err := shared.Stop(crash); err != nil {
			t.Fatal(err)
		}
		if err := shared.Start(); err != nil {
			t.Fatal(err)
		}
		reach(50)
	}
	reach(records)
	for _, p := range []struct {
		cmd *exec.Cmd
		in  io.Closer
	}{{second, secondIn}, {third, thirdIn}} {
		if err := p.in.Close(); err != nil {
			t.Error(err)
		}
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("a process ended with %v", err)
		}
	}
	left, err := s.Jobs(t, "completed")
	if err != nil || left != "" {
		t.Errorf("jobs are left over: %s (%v)", left, err)
	}
	err = s.Unfinished(t.Context(), func(r storage.Record) error { return fmt.Errorf("%+v is %s", r.Key, r.Status) })
	if err != nil {
		t.Error(err)
	}
}

// TestCommitLost: a call that fails while the server crashes has changed nothing, even where
// its connection broke during the commit.
func TestCommitLost(t *testing.T) {
	t.Run("direct", func(t *testing.T) { commitLost(t, open(t, newPlace(t))) })
	t.Run("pooled", func(t *testing.T) { commitLost(t, open(t, small.place(t))) })
}

func commitLost(t *testing.T, s *postgres.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	var made, failed atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				switch _, err := s.Create(background, movie); {
				case err == nil:
					made.Add(1)
				case errors.Is(err, storage.ErrUnavailable) && !strings.Contains(err.Error(), "unknown"):
					failed.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	for i := range 4 {
		before := made.Load()
		testkit.Wait(t, "much is under way", func() bool { return made.Load() >= before+50 })
		err := shared.Stop(i%2 == 1)
		if err == nil {
			err = shared.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	wg.Wait()
	if _, total, err := s.List(t.Context(), "a", storage.Movies, storage.Filter{Limit: 1}); err != nil || total != int(made.Load()) || failed.Load() == 0 {
		t.Errorf("%d records (%v), and %d calls of Create have returned one, %d have failed", total, err, made.Load(), failed.Load())
	}
}
