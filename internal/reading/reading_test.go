package reading_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bodymotion/motion/internal/reading"
	"github.com/bodymotion/motion/keypoint"
)

// hesitant returns nothing some times before each byte, and for ever at last.
type hesitant struct {
	text       string
	pause, now int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.now++; h.now <= h.pause || h.text == "" {
		return 0, nil
	}
	h.now = 0
	n := copy(p[:1], h.text)
	h.text = h.text[n:]
	return n, nil
}

func TestOf(t *testing.T) {
	if err := iotest.TestReader(reading.Of(strings.NewReader("content")), []byte("content")); err != nil {
		t.Error(err)
	}
	if b, err := io.ReadAll(reading.Of(&hesitant{text: "content", pause: 99})); string(b) != "content" || err != io.ErrNoProgress {
		t.Errorf("%q (%v)", b, err)
	}
	if _, err := io.ReadAll(reading.Of(nil)); !errors.Is(err, keypoint.ErrInvalid) {
		t.Error(err)
	}
}
