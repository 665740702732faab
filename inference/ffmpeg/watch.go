package ffmpeg

import (
	"errors"
	"math"
	"time"
)

var errStalled = errors.New("FFmpeg takes too long for a frame")

// watch kills FFmpeg if a wait takes too long. A nil watch has no limit.
type watch struct {
	limit   time.Duration
	timer   *time.Timer
	stalled chan struct{}
}

func newWatch(limit time.Duration, end func()) *watch {
	if limit <= 0 {
		return nil
	}
	w := &watch{limit: limit, stalled: make(chan struct{})}
	w.timer = time.AfterFunc(math.MaxInt64, func() { // set by during
		close(w.stalled)
		end()
	})
	return w
}

// during returns what wait returns, or errStalled. wait must end when FFmpeg does.
func (w *watch) during(wait func() error) error {
	if w == nil {
		return wait()
	}
	w.timer.Reset(w.limit)
	err := wait()
	if !w.timer.Stop() {
		<-w.stalled
		return errStalled
	}
	return err
}

func (w *watch) stop() {
	if w != nil {
		w.timer.Stop()
	}
}
