//go:build !js

package extraction

import (
	"image"
	"slices"
	"sync"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Running keeps the keypoints that the running extractions of this process have found so far. The zero
// value is ready to use, by several goroutines.
type Running struct {
	mu    sync.Mutex
	byKey map[storage.Key]*keypoint.Sequence
}

// Begin begins an extraction of a record, of pictures of a size: add adds a frame, end forgets all. It replaces an
// earlier extraction of that record whose work goes on although it was abandoned.
func (r *Running) Begin(key storage.Key, size image.Point) (add func(frame int, f keypoint.Frame, seconds float64), end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKey == nil {
		r.byKey = map[storage.Key]*keypoint.Sequence{}
	}
	own := &keypoint.Sequence{Size: size}
	r.byKey[key] = own
	add = func(_ int, f keypoint.Frame, seconds float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		own.Frames, own.Times = append(own.Frames, f), append(own.Times, seconds)
	}
	return add, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.byKey[key] == own {
			delete(r.byKey, key)
		}
	}
}

// From returns the frames of a record from one on, none if it has not so many. ok is false without a frame.
func (r *Running) From(key storage.Key, from int) (seq keypoint.Sequence, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.byKey[key]
	if own == nil || own.Len() == 0 {
		return seq, false
	}
	from = min(max(from, 0), own.Len())
	return keypoint.Sequence{Frames: slices.Clone(own.Frames[from:]), Times: slices.Clone(own.Times[from:]), Size: own.Size}, true
}
