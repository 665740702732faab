package compare_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// TestFeet: feet are compared where both recordings have them, and change nothing else: alignment, scale,
// centre and the overall score are those of the body.
func TestFeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.Float64Range(-60, 60)
		feet := func(name string, n int) (bare, shod keypoint.Sequence) {
			bare = wave(every(n, 1.0/30), circling)
			bare = bare.Clone()
			for i := range bare.Frames {
				bare.Frames[i] = move(bare.Frames[i], keypoint.RightWrist, place.Draw(t, name), place.Draw(t, name))
			}
			shod = bare.Clone()
			for i := range shod.Frames {
				for p := keypoint.Part(keypoint.NumBody); p < keypoint.NumParts; p++ {
					if rapid.Bool().Draw(t, "found") {
						shod.Frames[i].Set(p, keypoint.Point{place.Draw(t, "x"), 200}, 1)
					}
				}
			}
			return bare, shod
		}
		bareSource, source := feet("source", rapid.IntRange(5, 30).Draw(t, "frames"))
		bareTarget, target := feet("target", rapid.IntRange(5, 30).Draw(t, "frames"))
		opt := compare.Options{Alignment: rapid.SampledFrom([]compare.Alignment{compare.Linear, compare.DTW}).Draw(t, "alignment"), Mirror: rapid.Bool().Draw(t, "mirror")}
		want := of(t, bareSource, bareTarget, opt)
		exact := cmp.Exporter(func(reflect.Type) bool { return true })
		if d := cmp.Diff(want, of(t, source, bareTarget, opt), exact); d != "" {
			t.Fatalf("feet in the source alone: %s", d)
		}
		got := of(t, source, target, opt)
		if got.Score.Overall != want.Score.Overall {
			t.Fatalf("the overall score is %v with feet and %v without", got.Score.Overall, want.Score.Overall)
		}
		for i := range want.Frames {
			for _, p := range got.Frames[i].Present().List() {
				a, okA := want.Frames[i].At(p)
				if b, _ := got.Frames[i].At(p); keypoint.Body.Has(p) && (!okA || a != b) {
					t.Fatalf("frame %d: %v differs by %v with feet and %v without", i, p, b, a)
				}
			}
		}
		if opt.Mirror || source.Len() != target.Len() || opt.Alignment != compare.Linear {
			return
		}
		for i := range got.Frames {
			both := source.Frames[i].Present() & target.Frames[i].Present() & keypoint.Feet
			if feet := got.Frames[i].Present() & keypoint.Feet; feet != both {
				t.Fatalf("frame %d: %v are compared, both have %v", i, feet.List(), both.List())
			}
		}
	})
}

func of(t *rapid.T, source, target keypoint.Sequence, opt compare.Options) compare.Result {
	r, err := compare.Diff(source, target, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
