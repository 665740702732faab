package evalpose

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// MaxBytes is the maximum size of a file of labels or keypoints. COCO's largest file of keypoints has
// 240 MB.
const MaxBytes = 1 << 30

// maxOwnBytes is the maximum size of a file in a format of this project, which is parsed in memory.
const maxOwnBytes = 64 << 20

// Read reads labelled pictures in one of two formats: COCO's keypoint annotations, an object
// (ReadCOCO), or a list of pictures, an array (ReadAnnotations).
func Read(r io.Reader) ([]Labelled, error) {
	first, rest, err := firstByte(r)
	if err != nil {
		return nil, err
	}
	switch first {
	case '{':
		return ReadCOCO(rest)
	case '[':
		return ReadAnnotations(rest)
	}
	return nil, invalid("the file is neither COCO annotations (a JSON object) nor a list of pictures (a JSON array)")
}

// firstByte returns the first byte that is not white space, and a reader of everything.
func firstByte(r io.Reader) (byte, io.Reader, error) {
	var seen bytes.Buffer
	for seen.Len() < 1<<10 {
		var b [1]byte
		if _, err := io.ReadFull(r, b[:]); errors.Is(err, io.EOF) {
			return 0, nil, invalid("the file is empty")
		} else if err != nil {
			return 0, nil, err
		}
		seen.WriteByte(b[0])
		if !bytes.ContainsAny(b[:], " \t\r\n") {
			return b[0], io.MultiReader(&seen, r), nil
		}
	}
	return 0, nil, invalid("the file begins with more than 1 KiB of white space")
}

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
