package formats

import (
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// ReadAs reads a format as its file has it, ReadFolder the files of OpenPose and ReadLandmarks those of MediaPipe in a
// unit, before Read completes and checks them.
func ReadAs(r io.Reader, name string, opt Options) (keypoint.Sequence, error) {
	return known[name].read(r, opt)
}

var ReadFolder = readFolder

func ReadLandmarks(r io.Reader, normalised bool, opt Options) (keypoint.Sequence, error) {
	s, err := readLandmarks(r, opt.Limits)
	if err != nil {
		return s, err
	}
	return opt.placed(s, normalised)
}
