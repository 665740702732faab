package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/lab/internal/estimators"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

const (
	clients = 200
	think   = time.Second // that a client waits at most before it asks again
	watched = 10 * time.Second
	waiting = 100 // movies
)

// BenchmarkBusy has 200 clients ask a service with SQLite and files for records, lists and keypoints, each twice a second, while
// nothing else happens and while movies are extracted all the time. It reports the times in which half and 99 of 100 answers come.
func BenchmarkBusy(b *testing.B) {
	testkit.Thorough(b, "asks for seconds")
	b.Setenv("ONNXRUNTIME_LIB", ortkit.Library(b))
	dir := b.TempDir()
	store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{})
	if err != nil {
		b.Fatal(err)
	}
	est, err := estimators.Open("balanced", 0, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer est.Close()
	var extracted atomic.Int64
	m, err := motion.New(motion.Config{
		Store: store, Queue: memoryQueue(), Blobs: blobs, Estimator: est, Decoder: ffmpeg.Decoder{}, Logger: quiet,
		Finished: func(motion.Finished) { extracted.Add(1) },
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}()
	media, err := m.AddFile(ctx, owner, storage.Movies, "../../../httpapi/viewer/squats.mp4", motion.NewMedia{})
	if err != nil {
		b.Fatal(err)
	}
	req := motion.ExtractRequest{Source: motion.Movie(media.ID)}
	k, err := m.ExtractKeypoints(ctx, owner, req)
	for err == nil && extracted.Load() == 0 {
		err = pause(ctx, time.Millisecond)
	}
	if err != nil {
		b.Fatal(err)
	}
	handler, err := api(m)
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	paths := []string{
		fmt.Sprintf("/keypoints/%d/", k.ID), fmt.Sprintf("/movies/%d/", media.ID), "/keypoints/?size=20", "/movies/",
	}
	ask := func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
		var mu sync.Mutex
		var took []time.Duration
		var all sync.WaitGroup
		until := time.Now().Add(watched)
		for range clients {
			all.Go(func() {
				for time.Now().Before(until) {
					time.Sleep(rand.N(think))
					start := time.Now()
					if err := get(ctx, client, server.URL+paths[rand.IntN(len(paths))]); err != nil {
						b.Error(err)
						return
					}
					mu.Lock()
					took = append(took, time.Since(start))
					mu.Unlock()
				}
			})
		}
		all.Wait()
		ms := func(share float64) float64 { return percentile(took, share).Seconds() * 1000 }
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(ms(0.5), "p50-ms")
		b.ReportMetric(ms(0.99), "p99-ms")
		b.ReportMetric(float64(len(took))/watched.Seconds(), "answers/s")
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			ask(b)
		}
	})
	b.Run("extracting", func(b *testing.B) {
		for range waiting {
			if _, err := m.ExtractKeypoints(ctx, owner, req); err != nil {
				b.Fatal(err)
			}
		}
		before := extracted.Load()
		for b.Loop() {
			ask(b)
		}
		b.ReportMetric(float64(extracted.Load()-before), "movies")
	})
}
