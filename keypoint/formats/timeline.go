package formats

import (
	"fmt"
	"strings"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// timeline collects the frames of a file whose rows have a number and an optional time.
type timeline struct {
	limits Limits
	first  int64 // number of the first frame
	frames []keypoint.Frame
	times  []float64
}

// parseFrame parses the number of a frame; detail is the mistake in it.
func parseFrame(cell string) (number int64, detail string) {
	number, err := jsonappend.Int(strings.TrimSpace(cell))
	if err != nil || int64(int32(number)) != number {
		return 0, "is " + quote(cell) + ", want a whole number of at most 32 bits"
	}
	return number, ""
}

// frame returns the last frame; there must be one.
func (t *timeline) frame() *keypoint.Frame { return &t.frames[len(t.frames)-1] }

// add begins a frame. detail is the mistake in its number (member "frame") or in its time (member "time").
func (t *timeline) add(number int64, time float64, timed bool) (member, detail string) {
	n := len(t.frames)
	if n == 0 {
		t.first = number
	} else if number != t.first+int64(n) {
		return "frame", fmt.Sprintf("is %d, want %d, the one after the frame before", number, t.first+int64(n))
	}
	if detail := t.limits.tooMany(n + 1); detail != "" {
		return "frame", detail
	}
	switch {
	case timed && n > 0 && t.times == nil:
		return "time", "is a number, want none as in the frames before"
	case !timed && t.times != nil:
		return "time", "is missing, want a number of seconds as in the frames before"
	case timed && n > 0 && time <= t.times[n-1]:
		return "time", fmt.Sprintf("is %v s, want more than the %v s of the frame before", time, t.times[n-1])
	case timed:
		t.times = append(t.times, time)
	}
	t.frames = append(t.frames, keypoint.Frame{})
	return "", ""
}

func (t *timeline) sequence() keypoint.Sequence {
	return keypoint.Sequence{Frames: t.frames, Times: t.times}
}

// atRate returns the times of n frames at a rate in frames per second; nil for a rate of 0.
func atRate(n int, rate float64) []float64 {
	if rate == 0 {
		return nil
	}
	times := make([]float64, n)
	for i := range times {
		times[i] = float64(i) / rate
	}
	return times
}

// checkRate checks a frame rate, a member of options.
func checkRate(format, member string, rate float64) error {
	if rate == 0 || rate >= 1e-3 && rate <= 1e6 {
		return nil
	}
	return wrong(format, member, "is %v, want 0.001 to 1,000,000 frames per second, or 0 for no times", rate)
}
