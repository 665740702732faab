package inferencetest_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"io"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
)

func TestFakeEstimator(t *testing.T) {
	inferencetest.TestEstimator(t, inferencetest.Estimator{Feet: true}, inferencetest.Pictures{})
}

// logging is an Estimator that decorates another one.
type logging struct{ est inference.Estimator }

func (l logging) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	return l.est.Estimate(ctx, img, hint)
}

func (l logging) Unwrap() inference.Estimator { return l.est }

func TestDecoratedEstimator(t *testing.T) {
	inferencetest.TestEstimator(t, logging{logging{inferencetest.Estimator{}}}, inferencetest.Pictures{})
}

func TestFakeDecoder(t *testing.T) {
	inferencetest.TestDecoder(t, inferencetest.Decoder{}, inferencetest.Media{})
}

// loggingDecoder is a Decoder that decorates another one.
type loggingDecoder struct{ d inference.Decoder }

func (l loggingDecoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	return l.d.Probe(ctx, r)
}

func (l loggingDecoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	return l.d.Open(ctx, r)
}

func (l loggingDecoder) Unwrap() inference.Decoder { return l.d }

func TestDecoratedDecoder(t *testing.T) {
	inferencetest.TestDecoder(t, loggingDecoder{loggingDecoder{inferencetest.Decoder{}}}, inferencetest.Media{})
}

// TestFakes checks what the documentation of the fakes promises.
func TestFakes(t *testing.T) {
	box := image.Rect(20, 10, 40, 70)
	img := inferencetest.Picture(image.Pt(100, 80), box)
	want := inferencetest.Body(box)
	nose, _ := want.At(keypoint.Nose)
	img.Set(int(nose[0]), int(nose[1]), color.Black)
	want.Unset(keypoint.Nose)
	if f, err := (inferencetest.Estimator{}).Estimate(t.Context(), img, inference.Hint{}); err != nil || f != want {
		t.Errorf("found %v (%v), want %v", f, err, want)
	}
	within := img.SubImage(image.Rect(10, 5, 90, 75))
	if f, err := (inferencetest.Estimator{}).Estimate(t.Context(), within, inference.Hint{}); err != nil || f != want {
		t.Errorf("found %v in a part of the picture (%v), want %v", f, err, want)
	}
	withFeet, err := inferencetest.Estimator{Feet: true}.Estimate(t.Context(), img, inference.Hint{})
	if err != nil || withFeet.Only(keypoint.Body) != want || withFeet.Present()&keypoint.Feet != keypoint.Feet {
		t.Errorf("with feet found %v (%v)", withFeet, err)
	}
	failing := inferencetest.Estimator{Before: func(context.Context, image.Image) error { return io.ErrNoProgress }}
	if _, err := failing.Find(t.Context(), img); err != io.ErrNoProgress {
		t.Errorf("Find: %v, want the error of Before", err)
	}
	heic := inferencetest.HEIC(img)
	if got := inference.ImageFormat(heic); got != "heif" {
		t.Errorf("ImageFormat: %q", got)
	}
	got, err := inference.DecodeImage(t.Context(), loggingDecoder{inferencetest.Decoder{}}, bytes.NewReader(heic), 0)
	if err != nil || string(got.(*image.RGBA).Pix) != string(img.Pix) {
		t.Errorf("the picture differs (%v)", err)
	}
}
