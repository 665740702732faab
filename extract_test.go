package motion_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"os"
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
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
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
	library := ortkit.Library(b)
	const n = 240
	path := walk(b, n)
	for name, open := range map[string]func(pose.Options) (*pose.Estimator, error){"balanced": pose.Balanced, "fast": pose.Fast} {
		b.Run(name, func(b *testing.B) {
			est, err := open(pose.Options{Options: onnxruntime.Options{Library: library}})
			if err != nil {
				b.Fatal(err)
			}
			defer est.Close()
			graph := ortkit.Graph(b, full.Model().ONNX, 1, "landmarks", "person", "heatmap")
			var decoding, network, extraction time.Duration
			for b.Loop() {
				decoding += timed(func() { decodeAll(b, path) })
				network += timed(func() { runAll(b, graph, n) })
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
func runAll(b *testing.B, g *ort.Graph, n int) {
	jobs := make(chan struct{}, n)
	for range n {
		jobs <- struct{}{}
	}
	close(jobs)
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for range jobs {
				err := g.Use([]int64{1, 256, 256, 3}, [][]int64{{1, 195}, {1, 1}, {1, 39, 64, 64}}, func(r *ort.Run) error { return r.Do(b.Context()) })
				if err != nil {
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
	if e.Rate != 10 || e.Clean != nil || e.Cleaned != (clean.Counts{Filled: 31}) || !cmp.Equal(raw.Looks, looks) || !cmp.Equal(seq.Looks, looks) || raw.Len() != decoded {
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
	if e.Rate != 30 || raw.Looks != nil || e.Cleaned != (clean.Counts{}) {
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
		x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}, ExtractOptions: inference.ExtractOptions{Rate: 10}, Clean: how, Quality: func(quality.Report) { judged++ }}
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

// stander finds a person of 20 pixels, who walks to the right along a floor that rises by 3 degrees, or
// stands still.
type stander struct{ walks bool }

func (s stander) Estimate(_ context.Context, img image.Image, _ inference.Hint) (f keypoint.Frame, _ error) {
	t := 0.0
	if s.walks {
		t = float64(img.(*image.Gray).Pix[0]-1) / 30
	}
	sin, cos := math.Sincos(3 * math.Pi / 180)
	set := func(p keypoint.Part, x, height float64) {
		f.Set(p, keypoint.Point{30 + cos*x - sin*height, 70 - sin*x - cos*height}, 0.9)
	}
	for p, height := range map[keypoint.Part]float64{
		keypoint.LeftKnee: 5.7, keypoint.LeftHip: 10.6, keypoint.LeftShoulder: 16.36, keypoint.LeftEar: 18.5,
	} {
		set(p, 12*t, height)
		set(p.Mirror(), 12*t, height)
	}
	for k, ankle := range []keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle} { // half a second still, half a second on the way
		phase := t + 0.5*float64(k)
		swing := max(math.Mod(phase, 1)-0.5, 0) * 2
		set(ankle, 12*(math.Floor(phase)+swing-0.5*float64(k)), 0.78+math.Sin(math.Pi*swing))
	}
	return f, nil
}

// TestCalibration: a record has the scale and the floor that were asked for, what is made from it follows
// them, and another record of its keypoints has others, without the movie.
func TestCalibration(t *testing.T) {
	var opened atomic.Int32
	films := &filming{times: make(chan []float64, 1)}
	s := newParts().service(t, func(c *motion.Config) {
		c.Decoder, c.Encoder, c.Estimator = decoder{&opened}, films, stander{walks: true}
	})
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	finished := func(req motion.ExtractRequest) (motion.Extraction, keypoint.Sequence) {
		t.Helper()
		e, err := s.Extract(t.Context(), owner, req)
		if err != nil {
			t.Fatal(err)
		}
		if e.CaptureRate != req.CaptureRate || !cmp.Equal(e.Calibration, req.Calibration) || e.World != (keypoint.World{}) {
			t.Errorf("the new record: %+v", e)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		e, err = s.Extraction(t.Context(), owner, e.ID)
		seq, errSeq := e.Sequence()
		if err := errors.Join(err, errSeq); err != nil {
			t.Fatal(err)
		}
		if e.CaptureRate != req.CaptureRate || !cmp.Equal(e.Calibration, req.Calibration) || e.World != seq.World {
			t.Errorf("the record: %+v", e)
		}
		return e, seq
	}
	values := func(e motion.Extraction) (thigh, speed analyze.Result) {
		t.Helper()
		a, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: rules(t, `[
			{"analysisType":"euclideanDistance","points":["leftHip","leftKnee"]},{"analysisType":"speed","points":["leftHip"]}]`)})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Analyses, a.ID, storage.Success)
		a, err = s.Analysis(t.Context(), owner, a.ID)
		found, errResults := a.Result()
		if err := errors.Join(err, errResults); err != nil {
			t.Fatal(err)
		}
		return found.Results[0], found.Results[1]
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }

	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}, Floor: &keypoint.Floor{Auto: true}}
	for _, how := range []*clean.Options{{}, {Gaps: &clean.Gaps{}}} {
		e, seq := finished(motion.ExtractRequest{MovieID: m.ID, CaptureRate: 60, Calibration: height, Clean: how})
		if w := e.World; math.Abs(w.MetresPerPixel-0.09) > 0.006 || w.ScaleError < 0.015 || math.Abs(w.Floor-3) > 0.3 || math.Abs(w.Origin[1]-70) > 1 {
			t.Errorf("found: %+v", w)
		}
		raw, err := e.Raw()
		if err != nil || raw.World != e.World || !near(raw.Duration(), 59./60) || !near(seq.Duration(), 59./60) {
			t.Errorf("raw keypoints of %v s in %+v (%v)", raw.Duration(), raw.World, err)
		}
		_, _, times := e.JSON()
		if _, _, rawTimes := e.RawJSON(); string(times) != string(rawTimes) || !strings.Contains(string(times), "0.983333") {
			t.Errorf("raw times: %s", rawTimes)
		}
		thigh, speed := values(e)
		if thigh.Unit != "m" || speed.Unit != "m/s" || !near(thigh.Values[10].X, 4.9*e.World.MetresPerPixel) || !near(speed.Values[10].X, 2*12*e.World.MetresPerPixel) {
			t.Errorf("%v %s, %v %s", thigh.Values[10].X, thigh.Unit, speed.Values[10].X, speed.Unit)
		}
		// The drawn movie is as long as the movie.
		drawing, err := s.Draw(t.Context(), owner, motion.DrawRequest{KeypointID: e.ID, Background: &draw.Background{SkeletonOnly: true}})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Drawings, drawing.ID, storage.Success)
		if at := <-films.times; len(at) != decoded || !near(at[59], 59./30) {
			t.Errorf("drawn at %v", at)
		}

		scale := keypoint.Calibration{Scale: &keypoint.Scale{MetresPerPixel: 0.5}, Floor: &keypoint.Floor{Degrees: -2}, Origin: &keypoint.Point{1, 2}}
		again, seq := finished(motion.ExtractRequest{KeypointID: e.ID, Calibration: scale, Clean: how})
		if again.World != (keypoint.World{MetresPerPixel: 0.5, Floor: -2, Origin: keypoint.Point{1, 2}}) || !near(seq.Duration(), 59./30) {
			t.Errorf("scaled anew: %v s in %+v", seq.Duration(), again.World)
		}
		if thigh, speed := values(again); !near(thigh.Values[10].X, 4.9*0.5) || !near(speed.Values[10].X, 12*0.5) {
			t.Errorf("scaled anew: %v %s, %v %s", thigh.Values[10].X, thigh.Unit, speed.Values[10].X, speed.Unit)
		}
		slow, seq := finished(motion.ExtractRequest{KeypointID: again.ID, CaptureRate: 240, Clean: how})
		if slow.World != (keypoint.World{}) || !near(seq.Duration(), 59./240) {
			t.Errorf("slow motion alone: %v s in %+v", seq.Duration(), slow.World)
		}
		if _, seq := finished(motion.ExtractRequest{KeypointID: slow.ID, Clean: how}); !near(seq.Duration(), 59./30) {
			t.Errorf("at its own rate again: %v s", seq.Duration())
		}
		plain, _ := finished(motion.ExtractRequest{KeypointID: again.ID, Clean: how})
		if thigh, _ := values(plain); thigh.Unit != "px" || plain.World != (keypoint.World{}) {
			t.Errorf("without a scale: %s, %+v", thigh.Unit, plain.World)
		}
		c, err := s.Compare(t.Context(), owner, motion.CompareRequest{SourceID: e.ID, TargetID: again.ID})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Comparisons, c.ID, storage.Success)
	}
	if opened.Load() != 2 {
		t.Errorf("the movie was decoded %d times", opened.Load())
	}

	x := motion.Extractor{Estimator: stander{walks: true}, Decoder: decoder{&opened}, Calibration: height}
	if seq, err := x.Read(t.Context(), strings.NewReader("movie")); err != nil || math.Abs(seq.World.MetresPerPixel-0.09) > 0.006 {
		t.Errorf("the Extractor finds %+v (%v)", seq.World, err)
	}
	x.Estimator = stander{}
	if _, err := x.Read(t.Context(), strings.NewReader("movie")); !errors.Is(err, motion.ErrInvalid) || !strings.Contains(err.Error(), "floor") {
		t.Errorf("the floor under somebody who stands: %v", err)
	}
}

// TestCalibrationRefused: what is out of range is refused, and what the recording does not show fails.
func TestCalibrationRefused(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder, c.Estimator = decoder{&opened}, stander{} })
	run(t, s)
	m, still := uploadMovie(t, s, []byte("movie")), upload(t, s, picture(20, 20))
	point := func(x, y float64) *keypoint.Point { return &keypoint.Point{x, y} }
	scale := func(k keypoint.Scale) keypoint.Calibration { return keypoint.Calibration{Scale: &k} }
	floor := func(f keypoint.Floor) keypoint.Calibration { return keypoint.Calibration{Floor: &f} }
	picture, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: still.ID, Calibration: scale(keypoint.Scale{MetresPerPixel: 2})})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field string
		req   motion.ExtractRequest
	}{
		{"capture", motion.ExtractRequest{MovieID: m.ID, CaptureRate: -1}},
		{"capture", motion.ExtractRequest{MovieID: m.ID, CaptureRate: 1e-4}},
		{"capture", motion.ExtractRequest{MovieID: m.ID, CaptureRate: 10_001}},
		{"capture", motion.ExtractRequest{MovieID: m.ID, CaptureRate: math.NaN()}},
		{"capture", motion.ExtractRequest{ImageID: still.ID, CaptureRate: 240}},
		{"capture", motion.ExtractRequest{KeypointID: picture.ID, CaptureRate: 240}},
		{"floor", motion.ExtractRequest{ImageID: still.ID, Calibration: floor(keypoint.Floor{Auto: true})}},
		{"floor", motion.ExtractRequest{KeypointID: picture.ID, Calibration: floor(keypoint.Floor{Auto: true})}},
		{"floor", motion.ExtractRequest{MovieID: m.ID, Calibration: floor(keypoint.Floor{Degrees: 91})}},
		{"floor", motion.ExtractRequest{MovieID: m.ID, Calibration: floor(keypoint.Floor{From: point(1, 1), To: point(1, 1.5)})}},
		{"floor", motion.ExtractRequest{MovieID: m.ID, Calibration: floor(keypoint.Floor{From: point(1, 1), To: point(1, 2e6)})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{BodyHeight: 178})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{BodyHeight: 1.78, MetresPerPixel: 1})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{MetresPerPixel: 1e4})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{MetresPerPixel: 1e-9})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{Length: 2, From: point(1, 1)})}},
		{"scale", motion.ExtractRequest{MovieID: m.ID, Calibration: scale(keypoint.Scale{Length: 1e9, From: point(1, 1), To: point(9, 9)})}},
		{"origin", motion.ExtractRequest{MovieID: m.ID, Calibration: keypoint.Calibration{Origin: point(math.NaN(), 0)}}},
	} {
		var bad *motion.RequestError
		if _, err := s.Extract(t.Context(), owner, c.req); !errors.As(err, &bad) || !errors.Is(err, motion.ErrInvalid) || bad.Field != c.field {
			t.Errorf("%+v: %v, want a mistake in %s", c.req, err, c.field)
		}
	}

	for detail, c := range map[string]struct {
		estimator   inference.Estimator
		calibration keypoint.Calibration
	}{
		"Invalid floor: the feet do not show it, since nobody walks or runs across the picture: give two points or an angle.": {stander{}, floor(keypoint.Floor{Auto: true})},
		"Invalid scale: no frame shows the person from the head to the ankles: give a length or metresPerPixel.":              {jittery{}, scale(keypoint.Scale{BodyHeight: 1.8})},
	} {
		s := newParts().service(t, func(cfg *motion.Config) { cfg.Decoder, cfg.Estimator = decoder{&opened}, c.estimator })
		run(t, s)
		plain := extractMovie(t, s, []byte("movie"))
		for _, req := range []motion.ExtractRequest{{MovieID: plain.MovieID, Calibration: c.calibration}, {KeypointID: plain.ID, Calibration: c.calibration}} {
			e, err := s.Extract(t.Context(), owner, req)
			if err != nil {
				t.Fatal(err)
			}
			wait(t, s, storage.Keypoints, e.ID, storage.Failure)
			if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil || e.Failure != detail {
				t.Errorf("%q (%v), want %q", e.Failure, err, detail)
			}
		}
	}
}

// filming is a draw.Encoder that keeps the times of the frames.
type filming struct{ times chan []float64 }

func (f *filming) Create(_ context.Context, path string, _ draw.Movie) (draw.MovieWriter, error) {
	return &reel{times: f.times}, os.WriteFile(path, []byte("drawn"), 0o600)
}

type reel struct {
	at    []float64
	times chan []float64
}

func (r *reel) Write(_ image.Image, at float64) error { r.at = append(r.at, at); return nil }
func (r *reel) Close() error                          { r.times <- r.at; return nil }
func (r *reel) Abort()                                {}
