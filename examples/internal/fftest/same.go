package fftest

import (
	"errors"
	"path"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/keypoint"
)

// How far a part may be from its position in the base file, pixels. Movies were encoded again, which
// can move a part that is hard to see: one in twenty may be farther off.
const (
	imageTolerance = 8
	movieTolerance = 6
	movieShare     = 0.95
)

// Keypoints tests that files which show the same as a base file give the same keypoints, in the
// picture as shown, and that files without people give none.
func Keypoints(t *testing.T, runner program.Runner) {
	h, files := openHostile(t, runner)
	est, err := movenet.New(movenet.Options{Pose: lightning.Model(), People: multipose.Model(), Library: movenettest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	const wait = 5 * time.Minute // the networks take their time on a busy machine
	bases := map[string]keypoint.Sequence{}
	for _, e := range files {
		same := e.SameAs
		if e.SameAs == "" && e.may("ok-same") && path.Dir(e.File) == "image_bad" {
			same = "image_ok/base.jpg"
		}
		if e.Expect == "no-crash" || same == "" && !e.may("ok-no-person") || testing.Short() && path.Dir(e.File) == "video_ok" {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			seq, err := h.read(t, e, est, wait)
			if err != nil && e.may("reject-clean") && errors.Is(err, inference.ErrFormat) {
				return
			}
			if errors.Is(err, inference.ErrTooManyPixels) || errors.Is(err, inference.ErrTooManyFrames) {
				return // Hostile holds them against the manifest
			}
			if err != nil {
				t.Fatal(err)
			}
			if same == "" {
				for i := range seq.Frames {
					if n := seq.Frames[i].Len(); n > 0 {
						t.Errorf("frame %d: %d parts of nobody", i, n)
					}
				}
				return
			}
			base, ok := bases[same]
			if !ok {
				if base, err = h.read(t, entry{File: same}, est, wait); err != nil {
					t.Fatal(err)
				}
				bases[same] = base
			}
			sameKeypoints(t, seq, base)
		})
	}
	h.unharmed(t)
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
