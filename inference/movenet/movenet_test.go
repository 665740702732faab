package movenet_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

func network(m movenet.Model) ortkit.Network {
	visible := sample.Visible()
	return ortkit.Network{Parts: visible.Present(), Open: func(opt onnxruntime.Options, alone bool) (ortkit.Estimator, error) {
		if alone {
			return movenet.New(movenet.Options{Options: opt, Pose: m})
		}
		return movenet.New(movenet.Options{Options: opt, Pose: m, People: multipose.Model()})
	}}
}

func newEstimator(t testing.TB, opt movenet.Options) *movenet.Estimator {
	t.Helper()
	opt.Library = ortkit.Library(t)
	e, err := movenet.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

func TestNetworks(t *testing.T) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			if m.Name == thunder.Model().Name {
				testkit.Thorough(t, "the larger network")
			}
			ortkit.TestNetwork(t, network(m))
		})
	}
}

func TestProvider(t *testing.T) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		t.Run(m.Name, func(t *testing.T) { ortkit.TestProviders(t, network(m)) })
	}
}

// TestEmbedded compares the embedded networks with their checksums.
func TestEmbedded(t *testing.T) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model(), multipose.Model()} {
		if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
			t.Errorf("%s: the SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	library := ortkit.Library(t)
	damaged := lightning.Model()
	damaged.ONNX = append(slices.Clone(damaged.ONNX), 0)
	for name, c := range map[string]struct {
		opt  movenet.Options
		want string
	}{
		"no pose network":     {movenet.Options{}, "Options.Pose is missing"},
		"people for a pose":   {movenet.Options{Pose: multipose.Model()}, "Options.Pose is missing"},
		"a pose for people":   {movenet.Options{Pose: lightning.Model(), People: thunder.Model()}, "use multipose.Model()"},
		"a damaged network":   {movenet.Options{Pose: damaged}, "lightning: the model is damaged"},
		"a library not there": {movenet.Options{Options: onnxruntime.Options{Library: "none.so"}, Pose: lightning.Model()}, "none.so"},
		"damaged for people": {movenet.Options{
			Options: onnxruntime.Options{Library: library}, Pose: lightning.Model(), People: movenet.Model{Name: "x", ONNX: []byte("no model"), SHA256: "0"},
		}, "x: the model is damaged"},
	} {
		e, err := movenet.New(c.opt)
		if err == nil {
			e.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one about %q", name, err, c.want)
		}
	}
}

// TestFinder: an Estimator takes a Finder of another one.
func TestFinder(t *testing.T) {
	img, corner := ortkit.Couple()
	e := newEstimator(t, movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
	other := newEstimator(t, movenet.Options{Pose: lightning.Model(), Finder: e})
	f, err := other.Estimate(t.Context(), img, inference.Hint{Choose: inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{ortkit.Apart + 600, 600}}})
	truth := sample.Visible()
	for _, p := range truth.Present().List() {
		at, _ := truth.At(p)
		truth.Set(p, at.Add(corner).Add(keypoint.Point{ortkit.Apart, 0}), 1)
	}
	if mean, _, missing := ortkit.Distance(&f, &truth); err != nil || missing > 2 || mean > 60 {
		t.Errorf("%.0f pixels off, %d parts missing (%v)", mean, missing, err)
	}
}

// TestPersonThreshold: by default, a score below 0.10 is not a person. The sample person is drawn
// smaller and smaller until the score is just below.
func TestPersonThreshold(t *testing.T) {
	find := func(threshold float64) func(image.Image) []inference.Candidate {
		e := newEstimator(t, movenet.Options{Pose: lightning.Model(), People: multipose.Model(), PersonThreshold: threshold})
		return func(img image.Image) []inference.Candidate {
			people, err := e.Find(t.Context(), img)
			if err != nil {
				t.Fatal(err)
			}
			return people
		}
	}
	byDefault, from7 := find(0), find(0.07)
	one := sample.Image()
	for side := 24; side > 16; side-- {
		for at := 100; at < 112; at += 4 {
			img := image.NewRGBA(image.Rect(0, 0, 256, 256))
			draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
			draw.BiLinear.Scale(img, image.Rect(at, at, at+side, at+side), one, one.Bounds(), draw.Src, nil)
			people := from7(img)
			if len(people) == 0 || people[0].Score >= 0.10 {
				continue
			}
			if got := byDefault(img); len(got) > 0 {
				t.Errorf("somebody with the score %v is a person by default", got[0].Score)
			}
			return
		}
	}
	t.Fatal("no size gives a score of 0.07 to 0.10")
}

// movieFrame is a 720p frame of a movie, with the sample person in it.
func movieFrame() image.Image {
	src := sample.Image()
	rgba := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.BiLinear.Scale(rgba, image.Rect(280, 0, 1000, 720), src, src.Bounds(), draw.Src, nil)
	frame := yuv.New(rgba.Rect.Size())
	frame.FromRGBA(rgba)
	return frame
}

// BenchmarkEstimate estimates one 720p frame of a movie, without a hint and following the person of
// the frame before, on the processor and on the available hardware; one frame at a time, and one per CPU
// at a time.
func BenchmarkEstimate(b *testing.B) {
	frame := movieFrame()
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		for _, provider := range append([]string{"cpu"}, ortkit.Hardware...) {
			b.Run(m.Name+"/"+provider, func(b *testing.B) {
				e := ortkit.On(b, network(m), onnxruntime.Options{Provider: provider, Threads: 1})
				followed := inference.Hint{Region: inference.Expected(ortkit.Estimate(b, e, frame, keypoint.Frame{}))}
				for name, hint := range map[string]inference.Hint{"found": {}, "followed": followed} {
					b.Run(name, func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							if _, err := e.Estimate(context.Background(), frame, hint); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
				b.Run("parallel", func(b *testing.B) {
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							if _, err := e.Estimate(context.Background(), frame, followed); err != nil {
								b.Error(err)
							}
						}
					})
				})
			})
		}
	}
}
