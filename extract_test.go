package motion_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/jpeg"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/sample"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// walk makes a movie of 1280×720 pixels in which the sample person moves to and fro.
func walk(t testing.TB, frames int) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, sample.Image(), nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "walk.mp4")
	cmd := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=gray:s=1280x720:r=30", "-f", "jpeg_pipe", "-i", "-",
		"-filter_complex", "[1]scale=700:700,loop=-1:1:0[a];[0][a]overlay=x='280+150*sin(2*t)':y='10+8*sin(5*t)'", "-frames:v", fmt.Sprint(frames),
		"-c:v", "libx264", "-preset", "medium", "-pix_fmt", "yuv420p", path)
	cmd.Stdin = &picture
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// BenchmarkExtract extracts a 720p movie. With Fast, which runs one network once a frame, it holds
// that against what decoding and the network alone allow on the same cores: with D and R frames a
// second of either alone, on all cores, the bound is 1 / (1/D + 1/R).
func BenchmarkExtract(b *testing.B) {
	library := movenettest.Library(b)
	const n = 240
	path := walk(b, n)
	for name, open := range map[string]func(pose.Options) (*pose.Estimator, error){"balanced": pose.Balanced, "fast": pose.Fast} {
		b.Run(name, func(b *testing.B) {
			est, err := open(pose.Options{Library: library})
			if err != nil {
				b.Fatal(err)
			}
			defer est.Close()
			session, err := blazepose.NewSession(full.Model(), blazepose.Options{Library: library, Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer session.Close()
			var decoding, network, extraction time.Duration
			for b.Loop() {
				decoding += timed(func() { decodeAll(b, path) })
				network += timed(func() { runAll(b, session, n) })
				extraction += timed(func() {
					seq, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(b.Context(), path)
					if err != nil || seq.Len() != n {
						b.Fatalf("%d frames (%v)", seq.Len(), err)
					}
				})
			}
			frames := float64(n * b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(frames/extraction.Seconds(), "frames/s")
			if name == "fast" {
				b.ReportMetric(frames/(decoding+network).Seconds(), "bound-frames/s")
				b.ReportMetric((decoding+network).Seconds()/extraction.Seconds(), "of-bound")
			}
		})
	}
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func decodeAll(b *testing.B, path string) {
	for range pictures(b, path) {
	}
}

// runAll runs the network n times, on as many goroutines as there are cores.
func runAll(b *testing.B, s *blazepose.Session, n int) {
	jobs := make(chan struct{}, n)
	for range n {
		jobs <- struct{}{}
	}
	close(jobs)
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for range jobs {
				if err := s.Run(func([]byte) {}, func(blazepose.Output) {}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// TestRate: a record with a rate has raw keypoints in the frames that were looked at alone, and
// others between them that are marked as filled, with and without cleaning.
func TestRate(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	finished := func(req motion.ExtractRequest) (e motion.Extraction, raw, seq keypoint.Sequence, changes [][keypoint.NumParts]clean.Change) {
		t.Helper()
		e, err := s.Extract(t.Context(), owner, req)
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		e, err = s.Extraction(t.Context(), owner, e.ID)
		raw, errRaw := e.Raw()
		seq, errSeq := e.Sequence()
		changes, errChanges := e.Changes()
		report, errReport := e.Quality()
		if err := errors.Join(err, errRaw, errSeq, errChanges, errReport); err != nil || report.Verdict == "" {
			t.Fatalf("%q, %v", report.Verdict, err)
		}
		return e, raw, seq, changes
	}
	// Every third frame, and the last; the nose is not found in the looks at frames 24 and 54.
	looks := []int{59}
	for i := 57; i >= 0; i -= 3 {
		looks = append([]int{i}, looks...)
	}
	e, raw, seq, changes := finished(motion.ExtractRequest{MovieID: m.ID, Rate: 10})
	if e.Rate != 10 || e.Clean != nil || e.Cleaned != (motion.Cleaned{Filled: 31}) || !cmp.Equal(raw.Looks, looks) || !cmp.Equal(seq.Looks, looks) || raw.Len() != decoded {
		t.Errorf("%v looks a second, %+v, looks at %v and %v", e.Rate, e.Cleaned, raw.Looks, seq.Looks)
	}
	for i := range decoded {
		looked := slices.Contains(looks, i)
		missed := i == 24 || i == 54
		gap := i > 21 && i < 27 || i > 51 && i < 57
		if raw.Frames[i].Empty() != (!looked || missed) || seq.Frames[i].Empty() != gap || (changes[i][keypoint.Nose] == clean.Filled) != (!looked && !gap) {
			t.Errorf("frame %d: raw %v, filled %v, %v", i, raw.Frames[i], seq.Frames[i], changes[i][keypoint.Nose].Names())
		}
	}
	// Cleaned otherwise, the record keeps its rate, and the movie is not decoded again.
	again, rawAgain, seq, changes := finished(motion.ExtractRequest{KeypointID: e.ID, Clean: &clean.Options{Gaps: &clean.Gaps{}}})
	if again.Rate != 10 || again.Cleaned.Filled != 41 || opened.Load() != 1 || !cmp.Equal(rawAgain, raw, cmpopts.EquateComparable(keypoint.Frame{})) {
		t.Errorf("again: %v looks a second, %+v, decoded %d times", again.Rate, again.Cleaned, opened.Load())
	}
	if seq.Frames[24].Empty() || seq.Frames[25].Empty() || changes[25][keypoint.Nose] != clean.Filled {
		t.Error("a gap between looks is not filled by cleaning")
	}
	// The movie's own rate and more: every frame, and nothing to fill.
	e, raw, _, _ = finished(motion.ExtractRequest{MovieID: m.ID, Rate: 30})
	if e.Rate != 30 || raw.Looks != nil || e.Cleaned != (motion.Cleaned{}) {
		t.Errorf("30 looks a second: %+v, looks at %v", e.Cleaned, raw.Looks)
	}

	image := upload(t, s, picture(20, 20))
	for _, req := range []motion.ExtractRequest{
		{MovieID: m.ID, Rate: -1}, {MovieID: m.ID, Rate: math.NaN()}, {MovieID: m.ID, Rate: math.Inf(1)}, {MovieID: m.ID, Rate: math.Inf(-1)},
		{ImageID: image.ID, Rate: 30}, {KeypointID: e.ID, Rate: 30},
	} {
		var bad *motion.RequestError
		if _, err := s.Extract(t.Context(), owner, req); !errors.As(err, &bad) || !errors.Is(err, motion.ErrInvalid) || bad.Field != "rate" && req.KeypointID == 0 {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestExtractorRate: the Extractor fills between its looks with and without cleaning, and judges what
// it has looked at.
func TestExtractorRate(t *testing.T) {
	var opened atomic.Int32
	for _, how := range []clean.Options{{}, {Gaps: &clean.Gaps{}}} {
		judged := 0
		x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}, Rate: 10, Clean: how, Quality: func(quality.Report) { judged++ }}
		seq, err := x.Read(t.Context(), strings.NewReader("movie"))
		if err != nil || judged != 1 || seq.Len() != decoded || len(seq.Looks) != 21 || seq.Frames[1].Empty() || seq.Frames[25].Empty() != (how.Gaps == nil) {
			t.Errorf("%+v: looks at %v, judged %d times (%v)", how, seq.Looks, judged, err)
		}
		x.Rate = math.NaN()
		if _, err := x.Read(t.Context(), strings.NewReader("movie")); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("NaN looks a second: %v", err)
		}
	}
}
