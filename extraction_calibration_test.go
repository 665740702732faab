package motion_test

import (
	"context"
	"errors"
	"image"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

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
	s := host.New().Service(t, func(c *motion.Config) {
		c.Decoder, c.Encoder, c.Estimator = decoder{&opened}, films, stander{walks: true}
	})
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	finished := func(req motion.ExtractRequest) (motion.Extraction, keypoint.Sequence) {
		t.Helper()
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		if e.CaptureRate != req.CaptureRate || !cmp.Equal(e.Calibration, req.Calibration) || e.World != (keypoint.World{}) {
			t.Errorf("the new record: %+v", e)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
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
		a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: host.Rules(t, `[
			{"analysisType":"euclideanDistance","points":["leftHip","leftKnee"]},{"analysisType":"speed","points":["leftHip"]}]`)})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Analyses, a.ID, storage.Success)
		a, err = s.GetAnalysis(t.Context(), host.Owner, a.ID)
		found, errResults := a.Result()
		if err := errors.Join(err, errResults); err != nil {
			t.Fatal(err)
		}
		return found.Results[0], found.Results[1]
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }

	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}, Floor: &keypoint.Floor{Auto: true}}
	for _, how := range []clean.Options{{}, {Gaps: &clean.Gaps{}}} {
		e, seq := finished(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CaptureRate: 60, Calibration: height, Clean: how}})
		if w := e.World; math.Abs(w.MetresPerPixel-0.09) > 0.006 || w.ScaleError < 0.015 || math.Abs(w.Floor-3) > 0.3 || math.Abs(w.Origin[1]-70) > 1 {
			t.Errorf("found: %+v", w)
		}
		raw, err := e.Raw()
		if err != nil || raw.World != e.World || !near(raw.Duration(), 59./60) || !near(seq.Duration(), 59./60) {
			t.Errorf("raw keypoints of %v s in %+v (%v)", raw.Duration(), raw.World, err)
		}
		_, _, _, times := e.JSON(false)
		if _, _, _, rawTimes := e.JSON(true); string(times) != string(rawTimes) || !strings.Contains(string(times), "0.983333") {
			t.Errorf("raw times: %s", rawTimes)
		}
		thigh, speed := values(e)
		if thigh.Unit != "m" || speed.Unit != "m/s" || !near(thigh.Values[10].X, 4.9*e.World.MetresPerPixel) || !near(speed.Values[10].X, 2*12*e.World.MetresPerPixel) {
			t.Errorf("%v %s, %v %s", thigh.Values[10].X, thigh.Unit, speed.Values[10].X, speed.Unit)
		}
		// The drawn movie is as long as the movie.
		drawing, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID, Background: &draw.Background{SkeletonOnly: true}})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Drawings, drawing.ID, storage.Success)
		if at := <-films.times; len(at) != decoded || !near(at[59], 59./30) {
			t.Errorf("drawn at %v", at)
		}

		scale := keypoint.Calibration{Scale: &keypoint.Scale{MetresPerPixel: 0.5}, Floor: &keypoint.Floor{Degrees: -2}, Origin: &keypoint.Point{1, 2}}
		again, seq := finished(motion.ExtractRequest{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Calibration: scale, Clean: how}})
		if again.World != (keypoint.World{MetresPerPixel: 0.5, Floor: -2, Origin: keypoint.Point{1, 2}}) || !near(seq.Duration(), 59./30) {
			t.Errorf("scaled anew: %v s in %+v", seq.Duration(), again.World)
		}
		if thigh, speed := values(again); !near(thigh.Values[10].X, 4.9*0.5) || !near(speed.Values[10].X, 12*0.5) {
			t.Errorf("scaled anew: %v %s, %v %s", thigh.Values[10].X, thigh.Unit, speed.Values[10].X, speed.Unit)
		}
		slow, seq := finished(motion.ExtractRequest{Source: motion.Again(again.ID), FindOptions: motion.FindOptions{CaptureRate: 240, Clean: how}})
		if slow.World != (keypoint.World{}) || !near(seq.Duration(), 59./240) {
			t.Errorf("slow motion alone: %v s in %+v", seq.Duration(), slow.World)
		}
		if _, seq := finished(motion.ExtractRequest{Source: motion.Again(slow.ID), FindOptions: motion.FindOptions{Clean: how}}); !near(seq.Duration(), 59./30) {
			t.Errorf("at its own rate again: %v s", seq.Duration())
		}
		plain, _ := finished(motion.ExtractRequest{Source: motion.Again(again.ID), FindOptions: motion.FindOptions{Clean: how}})
		if thigh, _ := values(plain); thigh.Unit != "px" || plain.World != (keypoint.World{}) {
			t.Errorf("without a scale: %s, %+v", thigh.Unit, plain.World)
		}
		c, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: again.ID})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Comparisons, c.ID, storage.Success)
	}
	if opened.Load() != 2 {
		t.Errorf("the movie was decoded %d times", opened.Load())
	}

	x := motion.Extractor{Estimator: stander{walks: true}, Decoder: decoder{&opened}, FindOptions: motion.FindOptions{Calibration: height, Uncleaned: true}}
	if seq, _, err := x.Read(t.Context(), strings.NewReader("movie")); err != nil || math.Abs(seq.World.MetresPerPixel-0.09) > 0.006 {
		t.Errorf("the Extractor finds %+v (%v)", seq.World, err)
	}
	x.Estimator = stander{}
	if _, _, err := x.Read(t.Context(), strings.NewReader("movie")); !errors.Is(err, motion.ErrInvalid) || !strings.Contains(err.Error(), "floor") {
		t.Errorf("the floor under somebody who stands: %v", err)
	}
}

// TestCalibrationRefused: what is out of range is refused, and what the recording does not show fails.
func TestCalibrationRefused(t *testing.T) {
	var opened atomic.Int32
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder, c.Estimator = decoder{&opened}, stander{} })
	host.Run(t, s)
	m, still := host.UploadMovie(t, s, []byte("movie")), host.Upload(t, s, host.Picture(20, 20))
	point := func(x, y float64) *keypoint.Point { return &keypoint.Point{x, y} }
	scale := func(k keypoint.Scale) keypoint.Calibration { return keypoint.Calibration{Scale: &k} }
	floor := func(f keypoint.Floor) keypoint.Calibration { return keypoint.Calibration{Floor: &f} }
	picture, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(still.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{MetresPerPixel: 2})}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field string
		req   motion.ExtractRequest
	}{
		{"capture", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CaptureRate: -1}}},
		{"capture", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CaptureRate: 1e-4}}},
		{"capture", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CaptureRate: 10_001}}},
		{"capture", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CaptureRate: math.NaN()}}},
		{"capture", motion.ExtractRequest{Source: motion.Image(still.ID), FindOptions: motion.FindOptions{CaptureRate: 240}}},
		{"capture", motion.ExtractRequest{Source: motion.Again(picture.ID), FindOptions: motion.FindOptions{CaptureRate: 240}}},
		{"floor", motion.ExtractRequest{Source: motion.Image(still.ID), FindOptions: motion.FindOptions{Calibration: floor(keypoint.Floor{Auto: true})}}},
		{"floor", motion.ExtractRequest{Source: motion.Again(picture.ID), FindOptions: motion.FindOptions{Calibration: floor(keypoint.Floor{Auto: true})}}},
		{"floor", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: floor(keypoint.Floor{Degrees: 91})}}},
		{"floor", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: floor(keypoint.Floor{From: point(1, 1), To: point(1, 1.5)})}}},
		{"floor", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: floor(keypoint.Floor{From: point(1, 1), To: point(1, 2e6)})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{BodyHeight: 178})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{BodyHeight: 1.78, MetresPerPixel: 1})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{MetresPerPixel: 1e4})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{MetresPerPixel: 1e-9})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{Length: 2, From: point(1, 1)})}}},
		{"scale", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: scale(keypoint.Scale{Length: 1e9, From: point(1, 1), To: point(9, 9)})}}},
		{"origin", motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Calibration: keypoint.Calibration{Origin: point(math.NaN(), 0)}}}},
	} {
		var bad *motion.RequestError
		if _, err := s.ExtractKeypoints(t.Context(), host.Owner, c.req); !errors.As(err, &bad) || !errors.Is(err, motion.ErrInvalid) || bad.Field != c.field {
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
		s := host.New().Service(t, func(cfg *motion.Config) { cfg.Decoder, cfg.Estimator = decoder{&opened}, c.estimator })
		host.Run(t, s)
		plain := extractMovie(t, s, []byte("movie"))
		for _, req := range []motion.ExtractRequest{{Source: motion.Movie(plain.MovieID), FindOptions: motion.FindOptions{Calibration: c.calibration}}, {Source: motion.Again(plain.ID), FindOptions: motion.FindOptions{Calibration: c.calibration}}} {
			e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
			if err != nil {
				t.Fatal(err)
			}
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
			if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Failure != detail {
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

func (r *reel) Close() error { r.times <- r.at; return nil }

func (r *reel) Abort() {}
