package formats

import (
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// readC3D refuses the format: its reader would make the program in a browser tab larger.
func readC3D(io.Reader, Options) (keypoint.Sequence, error) {
	return keypoint.Sequence{}, wrong("C3D", "", "is not read in a browser tab: save the points as TRC")
}
