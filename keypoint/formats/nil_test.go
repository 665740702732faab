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
	for name, read := range map[string]func(io.Reader) (keypoint.Sequence, error){
		"CSV":   func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadCSV(r, formats.Limits{}) },
		"COCO":  func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadCOCO(r, formats.Limits{}) },
		"JSONL": func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadJSONL(r, formats.Limits{}) },
		"MediaPipe": func(r io.Reader) (keypoint.Sequence, error) {
			return formats.ReadMediaPipe(r, formats.MediaPipeOptions{})
		},
		"TRC": func(r io.Reader) (keypoint.Sequence, error) { return formats.ReadTRC(r, formats.TRCOptions{}) },
	} {
		if _, err := read(nil); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s without a reader: %v", name, err)
		}
		if _, err := read(stuck{}); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s of a reader that returns nothing: %v", name, err)
		}
	}
	if _, err := formats.ReadOpenPose(nil, formats.OpenPoseOptions{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("OpenPose without a folder: %v", err)
	}
	if err := formats.WriteOpenPose(io.Discard, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("OpenPose without a frame: %v", err)
	}
}
