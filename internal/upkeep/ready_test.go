package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/internal/upkeep"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// slowStore counts how often it is asked. It answers with an error, after a while, whatever its
// context says.
type slowStore struct {
	storage.Store
	asked int
	after time.Duration
	err   error
}

func (s *slowStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	s.asked++
	time.Sleep(s.after)
	if s.err != nil {
		return storage.Record{}, s.err
	}
	return s.Store.Get(ctx, key)
}

// slowBlobs are blobs that answer with an error.
type slowBlobs struct {
	storage.Blobs
	err error
}

func (b *slowBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if b.err != nil {
		return nil, b.err
	}
	return b.Blobs.Open(ctx, key)
}

// TestReady: readiness is what storage has answered in the last second, and storage that does not
// answer in time is not ready.
func TestReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{Store: memory.NewStore(memory.StoreOptions{})}
		blobs := &slowBlobs{Blobs: memory.NewBlobs(memory.BlobsOptions{})}
		var log strings.Builder
		ready := &upkeep.Readiness{Store: store, Blobs: blobs, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		movies, asked := errors.New("FFmpeg is too old"), 0
		ready.Movies = func(context.Context) error { asked++; return movies }
		want := func(part string, asked int, took time.Duration) {
			t.Helper()
			begin := time.Now()
			err := ready.Check(t.Context())
			synctest.Wait()
			if part == "" && err != nil || part != "" && (!errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "10.1.2.3")) {
				t.Errorf("%v, want %q", err, part)
			}
			if store.asked != asked || time.Since(begin) != took {
				t.Errorf("asked %d times, want %d; answered after %v, want %v", store.asked, asked, time.Since(begin), took)
			}
		}
		want("FFmpeg is too old", 1, 0)
		movies = nil
		time.Sleep(time.Second)
		want("", 2, 0)
		store.err = errors.New("10.1.2.3 refuses")
		want("", 2, 0) // the answer is younger than a second
		time.Sleep(time.Second)
		want("records", 3, 0)
		store.err, blobs.err = nil, errors.New("10.1.2.3 refuses")
		want("records", 3, 0)
		time.Sleep(time.Second)
		want("files", 4, 0)
		blobs.err = nil
		time.Sleep(time.Second)
		want("", 5, 0)
		store.after = time.Minute // and ignores its context
		time.Sleep(time.Second)
		want("storage", 6, 3*time.Second)
		want("storage", 6, 0) // the same question is still open
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := ready.Check(ctx); err == nil {
			t.Error("ready, and nobody waits for it")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		store.after = 0
		want("", 7, 0)
		if asked != 2 {
			t.Errorf("asked %d times for movies, want 2", asked)
		}
		if n := strings.Count(log.String(), "level=WARN"); n != 3 || strings.Count(log.String(), "ready again") != 3 {
			t.Errorf("log: %s", &log)
		}
	})
}

// TestReadyUnderLoad: a program for movies that takes longer to start than storage may take to answer does not make a
// server unready, and what it says in the end counts.
func TestReadyUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		ready := &upkeep.Readiness{
			Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Logger: slog.New(slog.DiscardHandler),
			Movies: func(ctx context.Context) error {
				asked++
				first := asked == 1
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(22 * time.Second):
				}
				if first {
					return errors.New("FFmpeg is too old")
				}
				return nil
			},
		}
		check := func(seconds int, want string) {
			t.Helper()
			for range seconds { // as a balancer asks
				begin := time.Now()
				err := ready.Check(t.Context())
				if got := fmt.Sprint(err); !strings.Contains(got, want) {
					t.Fatalf("%s, want %s", got, want)
				}
				time.Sleep(max(0, time.Second-time.Since(begin)))
			}
		}
		check(10, "<nil>") // each takes the time of storage, 2 s
		time.Sleep(2 * time.Second)
		synctest.Wait()
		check(5, "FFmpeg is too old")
		time.Sleep(20 * time.Second)
		check(3, "<nil>")
		time.Sleep(time.Hour)
		check(3, "<nil>")
		if asked != 2 {
			t.Errorf("asked %d times for movies, want 2", asked)
		}
	})
}
