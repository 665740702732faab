package motion_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

func TestExtractorFeet(t *testing.T) {
	var opened atomic.Int32
	for _, feet := range []bool{true, false} {
		x := motion.Extractor{Estimator: walker{feet: true}, Decoder: decoder{&opened}, FindOptions: motion.FindOptions{Feet: feet, Uncleaned: true}}
		movie, _, err := x.Read(t.Context(), strings.NewReader("movie"))
		if err != nil || movie.Frames[9].Has(keypoint.LeftHeel) != feet || !movie.Frames[9].Has(keypoint.LeftAnkle) {
			t.Errorf("feet %v: a movie has %v (%v)", feet, movie.Frames[9].Present().List(), err)
		}
		white := fakes.Picture(image.Pt(60, 80), image.Rect(20, 10, 40, 70))
		x.Estimator = fakes.Estimator{Feet: true}
		var file bytes.Buffer
		if err := png.Encode(&file, white); err != nil {
			t.Fatal(err)
		}
		picture, _, err := x.Read(t.Context(), bytes.NewReader(file.Bytes()))
		if err != nil || picture.Frames[0].Has(keypoint.RightBigToe) != feet || !picture.Frames[0].Has(keypoint.LeftAnkle) {
			t.Errorf("feet %v: a picture has %v (%v)", feet, picture.Frames[0].Present().List(), err)
		}
	}
}

func TestExtractorReadsPictures(t *testing.T) {
	var done, total int
	x := motion.Extractor{Estimator: host.Estimator{}, Progress: func(d, n int) { done, total = d, n }}
	seq, _, err := x.Read(t.Context(), bytes.NewReader(host.Picture(100, 50)))
	if err != nil || seq.Len() != 1 || done != 1 || total != 1 {
		t.Errorf("%+v, progress %d of %d (%v)", seq, done, total, err)
	}
	if _, _, err := x.Read(t.Context(), strings.NewReader("no picture at all")); !errors.Is(err, inference.ErrFormat) {
		t.Errorf("text: %v", err)
	}
	if _, _, err := x.File(t.Context(), "missing.jpg"); err == nil {
		t.Error("a missing file is read")
	}
	if _, _, err := (motion.Extractor{}).Read(t.Context(), bytes.NewReader(nil)); err == nil || !strings.Contains(err.Error(), "Estimator") {
		t.Errorf("without an estimator: %v", err)
	}
}

// TestExtractorRate: the Extractor fills between its looks with and without cleaning, and judges what
// it has looked at.
func TestExtractorRate(t *testing.T) {
	var opened atomic.Int32
	for _, how := range []clean.Options{{}, {Gaps: &clean.Gaps{}}} {
		x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}, FindOptions: motion.FindOptions{Rate: 10, Clean: how, Uncleaned: how == clean.Options{}}}
		seq, judged, err := x.Read(t.Context(), strings.NewReader("movie"))
		if err != nil || judged.Verdict == "" || seq.Len() != decoded || len(seq.Looks) != 21 || seq.Frames[1].Empty() || seq.Frames[25].Empty() != (how.Gaps == nil) {
			t.Errorf("%+v: looks at %v, judged %q (%v)", how, seq.Looks, judged.Verdict, err)
		}
		x.Rate = math.NaN()
		if _, _, err := x.Read(t.Context(), strings.NewReader("movie")); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("NaN looks a second: %v", err)
		}
	}
}

// TestExtractorCleans: without options, an Extractor cleans as clean.Default does; of a mirrored picture, it gives the keypoints as others
// see the person.
func TestExtractorCleans(t *testing.T) {
	var opened atomic.Int32
	x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}}
	seq, _, err := x.Read(t.Context(), strings.NewReader("movie"))
	if err != nil {
		t.Fatal(err)
	}
	x.Uncleaned = true
	raw, _, err := x.Read(t.Context(), strings.NewReader("movie"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := clean.Run(raw, clean.Default())
	if err != nil || !slices.Equal(seq.Frames, want.Frames) || slices.Equal(raw.Frames, want.Frames) {
		t.Errorf("not cleaned by default (%v)", err)
	}
	picture := host.Picture(64, 48)
	plain, _, err := motion.Extractor{Estimator: host.Estimator{}}.Read(t.Context(), bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	selfie := motion.Extractor{Estimator: host.Estimator{}, FindOptions: motion.FindOptions{Mirrored: true}}
	right, _, err := selfie.Read(t.Context(), bytes.NewReader(picture))
	if err != nil || right.Size != plain.Size || right.Len() != 1 {
		t.Errorf("mirrored: %v %d (%v)", right.Size, right.Len(), err)
	}
}
