package evalpose

import (
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// maxOwnBytes is the maximum size of a file of labels or keypoints, which is parsed in memory.
const maxOwnBytes = 64 << 20

// invalid returns an error of the kind keypoint.ErrInvalid.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %w", keypoint.ErrInvalid, fmt.Errorf(format, args...))
}

// readOwn reads a document in a format of this project.
func readOwn(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxOwnBytes+1))
	if err == nil && len(data) > maxOwnBytes {
		err = invalid("the file is longer than %d MiB", maxOwnBytes>>20)
	}
	return data, err
}

// maxPlace is the largest absolute coordinate and length in pixels, and maxArea its square: beyond,
// squares are not exact.
const (
	maxPlace  = 1e7
	maxArea   = maxPlace * maxPlace
	wantPlace = "pixels of −10000000 to 10000000"
)

func place(v float64) bool { return math.Abs(v) <= maxPlace }

// local reports whether the path of a picture is below the folder of pictures.
func local(path string) bool { return fs.ValidPath(path) && path != "." }
