package motion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// filmed stores a keypoint record of a movie in which a camera at a place sees the doll.
func filmed(t *testing.T, parts host.Parts, movie int, eye mgl64.Vec3) int64 {
	t.Helper()
	c := sample.Camera(eye, mgl64.Vec3{0, 0.95, 0}, 900)
	c.Offset = 0.31 * float64(movie-1)
	result, err := json.Marshal(sample.Film(c, 120))
	if err != nil {
		t.Fatal(err)
	}
	m, err := parts.Store.Create(t.Context(), storage.Record{
		Key: storage.Key{Owner: host.Owner, Kind: storage.Movies}, Status: storage.Success, Data: []byte(`{}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := parts.Store.Create(t.Context(), storage.Record{
		Key: storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, Status: storage.Success,
		Data:   fmt.Appendf(nil, `{"from":[{"kind":"movies","id":%d}],"request":{"movieId":%[1]d,"rate":30,"feet":true}}`, m.ID),
		Result: fmt.Appendf(nil, `{"cleaned":%s,"quality":{"verdict":"good"}}`, result),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func tall(metres float64) keypoint.Calibration {
	return keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: metres}}
}

// TestJoin: records of two cameras become one in space, with the movie, frames and times of the first. What is made from
// it follows; it cannot be corrected or cleaned itself, goes with its sources, and says that they have changed.
func TestJoin(t *testing.T) {
	parts := host.New()
	s := parts.Service(t, nil)
	host.Run(t, s)
	a, b := filmed(t, parts, 1, mgl64.Vec3{0, 1.2, 5}), filmed(t, parts, 2, mgl64.Vec3{4.6, 1.4, 1.5})
	ids := []int64{a, b}
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Joined(ids...), FindOptions: motion.FindOptions{Calibration: tall(1.7)}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
		t.Fatal(err)
	}
	first, err := s.GetExtraction(t.Context(), host.Owner, a)
	if err != nil {
		t.Fatal(err)
	}
	if e.MovieID != 1 || !slices.Equal(e.KeypointIDs, ids) || e.Rate != 30 || !e.Feet || !e.Uncleaned || e.Space == nil || e.Space.Unit != keypoint.Metres ||
		len(e.Space.Cameras) != 2 || math.Abs(e.Space.Cameras[1].Offset-0.31) > 0.01 || e.Verdict == "" || e.World != (keypoint.World{}) {
		t.Errorf("%+v %+v", e.Origin, e.Outcome)
	}
	seq, err := e.Sequence()
	if err != nil || seq.Len() != 120 || seq.Space == nil {
		t.Fatal(seq.Len(), seq.Space, err)
	}
	_, near := seq.Frames[60].Positions().At(keypoint.LeftKnee)
	points, _, _, times := e.JSON(false)
	pointsA, _, _, timesA := first.JSON(false)
	rawA, err := first.Raw()
	raw, errRaw := e.Raw()
	if !near || string(points) != string(pointsA) || string(times) != string(timesA) || err != nil || errRaw != nil || !slices.Equal(raw.Frames, rawA.Frames) {
		t.Errorf("other frames than those of the first: %v, %v, %v", near, err, errRaw)
	}
	knee := analyze.Rule{Type: analyze.KneeFlexion, Side: "left"}
	study, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: []analyze.Rule{knee}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Analyses, study.ID, storage.Success)

	if _, err := s.CorrectKeypoints(t.Context(), host.Owner, e.ID, nose(10)); !errors.Is(err, motion.ErrConflict) || !strings.Contains(err.Error(), fmt.Sprint(ids)) {
		t.Errorf("corrected: %v", err)
	}
	old := func() bool {
		t.Helper()
		old, err := s.IsOutdated(t.Context(), host.Owner, e.State)
		if err != nil {
			t.Fatal(err)
		}
		return old
	}
	if old() {
		t.Error("outdated as soon as it is made")
	}
	edit := []correct.Edit{{Frame: 60, Part: keypoint.LeftKnee, Point: &keypoint.Point{600, 500}}}
	if _, err := s.CorrectKeypoints(t.Context(), host.Owner, b, edit); err != nil || !old() {
		t.Errorf("not outdated after a correction of a source: %v", err)
	}
	if err := s.DeleteRecord(t.Context(), host.Owner, storage.Keypoints, b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.GetExtraction(t.Context(), host.Owner, e.ID); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("it is still there without a source: %v", err)
	}
}

// TestJoinSettlesSides: of left and right, which one camera could not tell apart, a joined record says nothing where the other
// camera has settled it.
func TestJoinSettlesSides(t *testing.T) {
	parts := host.New()
	s := parts.Service(t, nil)
	host.Run(t, s)
	ids := []int64{filmed(t, parts, 1, mgl64.Vec3{0, 1.2, 5}), filmed(t, parts, 2, mgl64.Vec3{4.6, 1.4, 1.5})}
	r, err := parts.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: ids[0]})
	if err != nil {
		t.Fatal(err)
	}
	changed := [keypoint.NumBody]clean.Change{
		keypoint.LeftEye: clean.Swapped, keypoint.RightEye: clean.Swapped, keypoint.LeftKnee: clean.Swapped | clean.Smoothed, keypoint.RightKnee: clean.Swapped,
		keypoint.LeftWrist: clean.Ambiguous, keypoint.RightWrist: clean.Ambiguous,
	}
	var digits []byte
	for _, c := range changed {
		digits = fmt.Appendf(digits, "%02x", c)
	}
	all := strings.TrimSuffix(strings.Repeat(`"`+string(digits)+`",`, 120), ",")
	r.Result = fmt.Appendf(bytes.TrimSuffix(r.Result, []byte("}")), `,"changes":[%s]}`, all)
	r.Data = bytes.Replace(r.Data, []byte(`{"from"`), []byte(`{"outcome":{"cleaned":{"swapped":480,"smoothed":120}},"from"`), 1)
	if _, err = parts.Store.Update(t.Context(), r, storage.Success); err != nil {
		t.Fatal(err)
	}
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Joined(ids...)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
		t.Fatal(err)
	}
	judged, err := e.Quality()
	if err != nil {
		t.Fatal(err)
	}
	eyes := keypoint.PartsOf(keypoint.LeftEye, keypoint.RightEye)
	const alone, both = 9, 10 // the frames before the other camera sees anything, and from then on
	for _, w := range judged.Warnings {
		if w.Code == quality.CodeSwapped && w.Parts != eyes && w.To > both {
			t.Errorf("inherited: %v", w)
		}
	}
	changes, err := e.CleaningMarks()
	if err != nil || e.Cleaned.Swapped < 240+2*alone || e.Cleaned.Swapped > 240+2*(both+1) || e.Cleaned.Smoothed != 120 {
		t.Fatalf("%+v (%v)", e.Cleaned, err)
	}
	for i, c := range changes {
		settled := c[keypoint.LeftKnee] == clean.Smoothed && c[keypoint.RightKnee]|c[keypoint.LeftWrist]|c[keypoint.RightWrist] == 0
		if c[keypoint.LeftEye] != clean.Swapped || i < alone && settled || i > both && !settled {
			t.Fatalf("frame %d: %v", i, c)
		}
	}
}

// TestJoinFails: what cannot be joined fails with what to do.
func TestJoinFails(t *testing.T) {
	parts := host.New()
	s := parts.Service(t, nil)
	host.Run(t, s)
	ids := []int64{filmed(t, parts, 1, mgl64.Vec3{0, 1, 5}), filmed(t, parts, 2, mgl64.Vec3{1, 1, 4.9})}
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Joined(ids...)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
	e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
	if err != nil || !strings.Contains(e.Failure, "° apart") || !strings.HasSuffix(e.Failure, ".") || strings.HasSuffix(e.Failure, "..") || e.Space != nil {
		t.Errorf("%q, %v", e.Failure, err)
	}
}

func TestJoinRefused(t *testing.T) {
	parts := host.New()
	s := parts.Service(t, nil)
	a, b := filmed(t, parts, 1, mgl64.Vec3{0, 1, 5}), filmed(t, parts, 2, mgl64.Vec3{5, 1, 0})
	ids := []int64{a, b}
	joined, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Joined(ids...)})
	if err != nil {
		t.Fatal(err)
	}
	still, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(host.Upload(t, s, host.Picture(64, 48)).ID)})
	if err != nil {
		t.Fatal(err)
	}
	metres := keypoint.Calibration{Scale: &keypoint.Scale{MetresPerPixel: 0.01}}
	for name, c := range map[string]struct {
		req   motion.ExtractRequest
		field string
		want  error
	}{
		"none":              {motion.ExtractRequest{Source: motion.Joined()}, "keypointIds", motion.ErrInvalid},
		"one":               {motion.ExtractRequest{Source: motion.Joined(ids[:1]...)}, "keypointIds", motion.ErrInvalid},
		"five":              {motion.ExtractRequest{Source: motion.Joined(a, b, 3, 4, 5)}, "keypointIds", motion.ErrInvalid},
		"twice":             {motion.ExtractRequest{Source: motion.Joined(a, b, a)}, "keypointIds", motion.ErrInvalid},
		"unknown":           {motion.ExtractRequest{Source: motion.Joined(a, 99)}, "", motion.ErrNotFound},
		"a movie, too":      {motion.ExtractRequest{Source: motion.Joined(ids...).On(motion.Movie(1))}, "keypointIds", motion.ErrInvalid},
		"cleaned":           {motion.ExtractRequest{Source: motion.Joined(ids...), FindOptions: motion.FindOptions{Uncleaned: true}}, "keypointIds", motion.ErrInvalid},
		"a scale in pixels": {motion.ExtractRequest{Source: motion.Joined(ids...), FindOptions: motion.FindOptions{Calibration: metres}}, "scale", motion.ErrInvalid},
		"a giant":           {motion.ExtractRequest{Source: motion.Joined(ids...), FindOptions: motion.FindOptions{Calibration: tall(20)}}, "scale", motion.ErrInvalid},
		"an image":          {motion.ExtractRequest{Source: motion.Joined(a, still.ID)}, "", motion.ErrConflict},
		"a joined one":      {motion.ExtractRequest{Source: motion.Joined(a, joined.ID)}, "", motion.ErrConflict},
		"cleaned anew":      {motion.ExtractRequest{Source: motion.Again(joined.ID)}, "", motion.ErrConflict},
	} {
		_, err := s.ExtractKeypoints(t.Context(), host.Owner, c.req)
		var bad *motion.RequestError
		if !errors.Is(err, c.want) || errors.As(err, &bad) != (c.field != "") || bad != nil && bad.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.ExtractKeypoints(t.Context(), "stranger", motion.ExtractRequest{Source: motion.Joined(ids...)}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
}

// guesser guesses that the nose lies half a metre before the hips.
type guesser struct{}

func (guesser) Estimate(context.Context, image.Image, inference.Hint) (f keypoint.Frame, err error) {
	f.Set(keypoint.Nose, keypoint.Point{20, 20}, 0.9)
	var guess keypoint.Positions
	guess.Set(keypoint.Nose, keypoint.Position{0, 0.6, 0.5}, 0)
	f.SetPositions(&guess)
	return f, nil
}

// TestDepth: what a network guesses of space is kept, also by what is cleaned again.
func TestDepth(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder, c.Estimator = fakes.Decoder{}, guesser{} })
	host.Run(t, s)
	var pictures []image.Image
	for range 8 {
		pictures = append(pictures, fakes.Picture(image.Pt(40, 40)))
	}
	movie := host.UploadMovie(t, s, fakes.Movie(30, pictures...)).ID
	req := motion.ExtractRequest{Source: motion.Movie(movie)}
	for range 2 {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
			t.Fatal(err)
		}
		seq, err := e.Sequence()
		if err != nil || seq.Space != nil {
			t.Fatal(seq.Space, err)
		}
		for i := range seq.Frames {
			if at, ok := seq.Frames[i].Positions().At(keypoint.Nose); !ok || at[2] != 0.5 {
				t.Errorf("frame %d has %v %v", i, at, ok)
			}
		}
		req = motion.ExtractRequest{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Clean: clean.Default()}}
	}
}
