package formats_test

import (
	"errors"
	"io"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestNil: no reader, folder or frame is an error, not a panic, and a reader that returns nothing for ever ends.
func TestNil(t *testing.T) {
	for _, name := range append(formats.Names(), "") {
		if _, err := formats.Read(nil, name, formats.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%q without a reader: %v", name, err)
		}
		if _, err := formats.Read(stuck{}, name, formats.Options{}); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%q of a reader that returns nothing: %v", name, err)
		}
	}
	if _, err := formats.ReadOpenPose(nil, formats.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("OpenPose without a folder: %v", err)
	}
	if err := formats.WriteOpenPose(io.Discard, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("OpenPose without a frame: %v", err)
	}
}
