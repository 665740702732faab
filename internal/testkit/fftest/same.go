package fftest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// How far a part may be from its position in the base file, pixels. Movies were encoded again, which
// can move a part that is hard to see: one in twenty may be farther off.
const (
	imageTolerance = 8
	movieTolerance = 6
	movieShare     = 0.95
)

// probe returns what the headers of a movie say.
func (h hostile) probe(t *testing.T, e entry) inference.Info {
	t.Helper()
	f, err := os.Open(filepath.Join(h.dir, filepath.FromSlash(e.File)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := h.decoder.Probe(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// animated decodes the variant of the clip that is read as a picture.
func (h hostile) animated(t *testing.T, e entry) {
	t.Helper()
	info, frames, err := Decode(t, h.decoder, filepath.Join(h.dir, filepath.FromSlash(e.File)))
	if err != nil || len(frames) != 65 || info != h.probe(t, e) || info.Frames != len(frames) || info.FrameRate != 5 {
		t.Errorf("%d frames (%v), the headers say %+v", len(frames), err, info)
	}
}

// baseOf returns the keypoints of a base file, which is read once.
func (h hostile) baseOf(t *testing.T, file string) keypoint.Sequence {
	t.Helper()
	base, ok := h.bases[file]
	if !ok {
		var err error
		if base, err = h.read(t, entry{File: file}, h.networks, maxWaitKnown); err != nil {
			t.Fatal(err)
		}
		h.bases[file] = base
	}
	return base
}

func noKeypoints(t *testing.T, seq keypoint.Sequence) {
	t.Helper()
	for i := range seq.Frames {
		if n := seq.Frames[i].Len(); n > 0 {
			t.Errorf("frame %d: %d parts of nobody", i, n)
		}
	}
}

func sameKeypoints(t *testing.T, seq, base keypoint.Sequence) {
	t.Helper()
	if seq.Size != base.Size || seq.Len() != base.Len() {
		t.Fatalf("%d frames of %v, the base has %d of %v", seq.Len(), seq.Size, base.Len(), base.Size)
	}
	n, near := 0, 0
	for i := range seq.Frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			got, ok := seq.Frames[i].At(p)
			want, there := base.Frames[i].At(p)
			if ok != there {
				t.Errorf("frame %d: %v is found: %v, in the base: %v", i, p, ok, there)
			}
			if !ok || !there {
				continue
			}
			n++
			d := got.Sub(want).Len()
			if d <= movieTolerance {
				near++
			}
			if base.Times == nil && d > imageTolerance {
				t.Errorf("%v is %.1f pixels off", p, d)
			}
		}
	}
	if base.Times != nil && float64(near) < movieShare*float64(n) {
		t.Errorf("%d of %d parts are within %d pixels", near, n, movieTolerance)
	}
}
