package inference_test

import (
	"bytes"
	"errors"
	"image"
	"io"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// TestNil: a nil reader, picture, movie, estimator or decoder is an error, not a panic.
func TestNil(t *testing.T) {
	ctx, img, est := t.Context(), image.NewGray(image.Rect(0, 0, 4, 4)), onlyOne{}
	of := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"ProbeImage":                 of(inference.ProbeImage(ctx, nil, nil)),
		"DecodeImage":                of(inference.DecodeImage(ctx, nil, nil, 0)),
		"Extract, movie":             of(inference.Extract(ctx, nil, est, inference.ExtractOptions{})),
		"Extract, estimator":         of(inference.Extract(ctx, &film{}, nil, inference.ExtractOptions{})),
		"ExtractAll, movie":          of(inference.ExtractAll(ctx, nil, est, inference.ExtractOptions{})),
		"ExtractAll, estimator":      of(inference.ExtractAll(ctx, &film{}, nil, inference.ExtractOptions{})),
		"ExtractImage, picture":      of(inference.ExtractImage(ctx, nil, est, inference.ExtractOptions{})),
		"ExtractImage, estimator":    of(inference.ExtractImage(ctx, img, nil, inference.ExtractOptions{})),
		"ExtractAllImage, picture":   of(inference.ExtractAllImage(ctx, nil, est, inference.ExtractOptions{})),
		"TopDown, network":           of(inference.TopDown{}.Estimate(ctx, img, inference.Hint{})),
		"ExtractAllImage, estimator": of(inference.ExtractAllImage(ctx, img, nil, inference.ExtractOptions{})),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) || errors.Is(err, inference.ErrNoFinder) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, ok := inference.BoundsOf(nil); ok || b != (inference.Box{}) {
		t.Errorf("the bounds of no frame are %v", b)
	}
	if f, ok := inference.FinderOf(nil); ok || f != nil {
		t.Errorf("the finder of no estimator is %v", f)
	}
	if f := inference.ImageFormat(nil); f != "" {
		t.Errorf("the format of nothing is %q", f)
	}
}

// stuck is a reader that returns nothing for ever after its content.
type stuck struct{ *bytes.Reader }

func (s stuck) Read(p []byte) (int, error) {
	n, _ := s.Reader.Read(p)
	return n, nil
}

// TestStuck: a reader that returns nothing for ever ends the reading of a picture.
func TestStuck(t *testing.T) {
	for _, size := range []int{0, 100, 2000} {
		r := stuck{bytes.NewReader(sample.JPEG()[:size])}
		if _, err := inference.DecodeImage(t.Context(), nil, r, 0); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("DecodeImage, after %d bytes: %v", size, err)
		}
		if _, err := inference.ProbeImage(t.Context(), nil, r); size < 1000 && !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("ProbeImage, after %d bytes: %v", size, err)
		}
	}
}
