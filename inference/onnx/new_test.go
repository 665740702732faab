package onnx_test

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestNewMistakes: New reports what does not fit, with the place in the descriptor or the name of
// the output, and the expected value.
func TestNewMistakes(t *testing.T) {
	library := ortkit.Library(t)
	change := func(kind onnx.Kind, width, height int, f func(*onnx.Descriptor)) onnx.Descriptor {
		d := descriptor(kind, width, height)
		f(&d)
		return d
	}
	none := func(*onnx.Descriptor) {}
	model := simcc(17, 96, 128)
	for _, c := range []struct {
		name  string
		model onnx.Model
		want  string
		typed bool // the error is a keypoint.FieldErrors
	}{
		{"no model", onnx.Model{Descriptor: descriptor(onnx.SimCC, 96, 128)}, "there is no model", false},
		{"two models", onnx.Model{Path: "a", ONNX: model, Descriptor: descriptor(onnx.SimCC, 96, 128)}, "two models, the file a", false},
		{"no file", onnx.Model{Path: "missing.onnx", Descriptor: descriptor(onnx.SimCC, 96, 128)}, "missing.onnx", false},
		{"no ONNX", onnx.Model{ONNX: []byte("no model"), Descriptor: descriptor(onnx.SimCC, 96, 128)}, "refuses the model", false},
		{"no descriptor", onnx.Model{ONNX: model}, "/input/width", true},
		{"sides exchanged", onnx.Model{ONNX: model, Descriptor: descriptor(onnx.SimCC, 128, 96)},
			`/input: a width of 128, a height of 96 and the layout nchw make the shape [1 3 96 128], but the graph's input "input" is [-1 3 128 96]`, true},
		{"layout", onnx.Model{ONNX: model, Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) { d.Input.Layout = "nhwc" })}, "[1 128 96 3]", true},
		{"input's name", onnx.Model{ONNX: model, Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) { d.Input.Name = "images" })},
			`/input/name: is "images", but the graph's input is "input"`, true},
		{"output's name", onnx.Model{ONNX: model, Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) { d.Outputs = []string{"simcc_x", "y"} })},
			`/outputs/1: is "y"`, true},
		{"split ratio", onnx.Model{ONNX: model, Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) { d.Decode.SplitRatio = 3 })},
			`output "simcc_x" has the shape [1 17 192] and 3264 numbers, want [1, points, 288]`, false},
		{"set", onnx.Model{ONNX: model, Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) { d.Parts.Set = "halpe26" })},
			"/parts: halpe26 has 26 points, but the network finds 17", true},
		{"list", onnx.Model{ONNX: simcc(10, 96, 128), Descriptor: change(onnx.SimCC, 96, 128, func(d *onnx.Descriptor) {
			d.Parts = onnx.Parts{List: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -1, -1, -1, -1, -1}}
		})}, "/parts: names point 10, but the network finds 10", true},
		{"another kind", onnx.Model{ONNX: model, Descriptor: descriptor(onnx.Heatmap, 96, 128)}, "does the descriptor fit the network?", true},
		{"no YOLO", onnx.Model{ONNX: heatmaps(17, 96, 128, false), Descriptor: descriptor(onnx.YOLOPose, 96, 128)}, `output "heat" has the shape [1 17 32 24] and 13056 numbers, want [1, 56, anchors]`, false},
		{"too few outputs", onnx.Model{ONNX: heatmaps(17, 96, 128, false), Descriptor: descriptor(onnx.SimCC, 96, 128)}, `has 1 outputs, ["heat"]: simcc wants 2`, false},
		{"two inputs", onnx.Model{ONNX: passes(2, 1, float, 1, 3, 8, 8), Descriptor: descriptor(onnx.Heatmap, 8, 8)}, "[ina inb], want one", false},
		{"float16", onnx.Model{ONNX: passes(1, 1, 10, 1, 3, 8, 8), Descriptor: descriptor(onnx.Heatmap, 8, 8)}, `"ina" is float16, want float32`, false},
		{"a detector", onnx.Model{ONNX: boxes(64, 64), Descriptor: descriptor(onnx.Boxes, 64, 64)}, "give it to NewDetector", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := onnx.New(onnx.Options{Options: onnxruntime.Options{Library: library, Threads: 1}, Pose: c.model})
			var errs keypoint.FieldErrors
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &errs) != c.typed {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	for _, c := range []struct {
		name  string
		model onnx.Model
		want  string
	}{
		{"a pose network", simccModel(), "give it to New"},
		{"other classes", onnx.Model{ONNX: yolox(64, 64), Descriptor: change(onnx.YOLOX, 64, 64, func(d *onnx.Descriptor) { d.Decode.Class = 6 })}, `output "output" has the shape [1 84 11]`},
		{"other strides", onnx.Model{ONNX: yolox(64, 64), Descriptor: change(onnx.YOLOX, 64, 64, func(d *onnx.Descriptor) { d.Decode.Strides = []int{8} })}, "want [1, 64, 5 + classes]"},
		{"other classes of yolo", onnx.Model{ONNX: yolo(64, 64), Descriptor: change(onnx.YOLO, 64, 64, func(d *onnx.Descriptor) { d.Decode.Class = 3 })}, `output "output0" has the shape [1 7 84]`},
		{"other strides of yolo", onnx.Model{ONNX: yolo(64, 64), Descriptor: change(onnx.YOLO, 64, 64, func(d *onnx.Descriptor) { d.Decode.Strides = []int{8, 16, 32, 64} })}, "want [1, 4 + classes, 85]"},
		{"raw boxes", onnx.Model{ONNX: yolox(64, 64), Descriptor: change(onnx.Boxes, 64, 64, none)}, "want [1, boxes, 5]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := onnx.NewDetector(onnx.DetectorOptions{Options: onnxruntime.Options{Library: library, Threads: 1}, Model: c.model})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	detector := &found{}
	yolo := onnx.Model{ONNX: yolopose(64, 64), Descriptor: descriptor(onnx.YOLOPose, 64, 64)}
	for want, opt := range map[string]onnx.Options{
		"Options.Finder":          {Pose: yolo, Finder: detector},
		"Options.PersonThreshold": {Pose: simccModel(), PersonThreshold: 0.5},
	} {
		if _, err := onnx.New(opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestCancelled: a running estimate stops when its context ends, and the next one works.
func TestCancelled(t *testing.T) {
	e := newEstimator(t, onnx.Options{Pose: onnx.Model{ONNX: slow(256, 256, 20), Descriptor: descriptor(onnx.Heatmap, 256, 256)}})
	img := paint(image.Rect(0, 0, 64, 64))
	start := time.Now()
	if f := estimate(t, e, img, keypoint.Frame{}); f != (keypoint.Frame{}) {
		t.Errorf("in the dark: %v", f)
	}
	whole := time.Since(start)
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), whole/10)
		start = time.Now()
		_, err := e.Estimate(ctx, img, inference.Hint{})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		t.Logf("given up after %v of %v", time.Since(start), whole)
	}
	estimate(t, e, img, keypoint.Frame{})
}

// TestNonsense: NaN never gets into a Frame.
func TestNonsense(t *testing.T) {
	m := onnx.Model{ONNX: nonsense(32), Descriptor: descriptor(onnx.SimCC, 32, 32)}
	for _, threshold := range []float64{0, -1} {
		e := newEstimator(t, onnx.Options{Pose: m, PartThreshold: threshold})
		f := estimate(t, e, paint(image.Rect(0, 0, 64, 64), body(keypoint.Point{32, 32}, 20)...), keypoint.Frame{})
		if f != (keypoint.Frame{}) {
			t.Errorf("threshold %g: %v", threshold, f)
		}
	}
}

// TestNoLibrary: the error says that ONNX Runtime is missing.
func TestNoLibrary(t *testing.T) {
	_, err := onnx.New(onnx.Options{Options: onnxruntime.Options{Library: "/missing/onnxruntime.so"}, Pose: simccModel()})
	if !errors.Is(err, onnxruntime.ErrLibrary) {
		t.Errorf("error %v", err)
	}
}
