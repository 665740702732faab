package onnx_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/keypoint"
)

var update = flag.Bool("update", false, "write the golden files anew")

// full are descriptors that use every member.
func full() map[string]onnx.Descriptor {
	imagenet := onnx.Input{
		Name: "input", Width: 192, Height: 256, Layout: "nchw", Channels: "rgb",
		Mean: [3]float64{123.675, 116.28, 103.53}, Scale: [3]float64{58.395, 57.12, 57.375},
	}
	return map[string]onnx.Descriptor{
		"simcc": {
			Input: imagenet, Decode: onnx.Decode{Kind: onnx.SimCC, SplitRatio: 2},
			Outputs: []string{"simcc_x", "simcc_y"}, Parts: onnx.Parts{Set: "halpe26"},
		},
		"heatmap": {
			Input: imagenet, Decode: onnx.Decode{Kind: onnx.Heatmap, Refine: "dark", BlurKernel: 11, UDP: true},
			Parts: onnx.Parts{List: []int{0, -1, -1, -1, -1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 17, -1, -1, 21, 18}},
		},
		"yolopose": {
			Input:  onnx.Input{Width: 640, Height: 640, Scale: [3]float64{255, 255, 255}},
			Decode: onnx.Decode{Kind: onnx.YOLOPose, Points: 17, Overlap: 0.45},
			Parts:  onnx.Parts{Set: "coco17"},
		},
		"yolo": {
			Input:  onnx.Input{Width: 640, Height: 640, Scale: [3]float64{255, 255, 255}},
			Decode: onnx.Decode{Kind: onnx.YOLO, Overlap: 0.45, Class: 1, Strides: []int{8, 16, 32}},
		},
		"yolox": {
			Input:  onnx.Input{Width: 640, Height: 640, Channels: "bgr"},
			Decode: onnx.Decode{Kind: onnx.YOLOX, Overlap: 0.45, Class: 1, Strides: []int{8, 16, 32}},
		},
		"boxes": {
			Input:  onnx.Input{Width: 640, Height: 640, Channels: "bgr", Mean: [3]float64{103.53, 116.28, 123.675}, Scale: [3]float64{57.375, 57.12, 58.395}},
			Decode: onnx.Decode{Kind: onnx.Boxes}, Outputs: []string{"dets", "labels"},
		},
	}
}

// TestGolden: the JSON form of each kind is the documented one and survives a round trip.
func TestGolden(t *testing.T) {
	for name, d := range full() {
		t.Run(name, func(t *testing.T) {
			path := "testdata/" + name + ".json"
			got, err := json.MarshalIndent(d, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			back, err := onnx.ParseDescriptor(want)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(d, back); d != "" {
				t.Errorf("read back (-want +got):\n%s", d)
			}
		})
	}
}

// TestDescriptorMistakes: each mistake is reported with its place and the expected value.
func TestDescriptorMistakes(t *testing.T) {
	pose := func(decode, rest string) string {
		return `{"input": {"width": 192, "height": 256}, "decode": {` + decode + `}` + rest + `}`
	}
	const coco = `, "parts": "coco17"`
	for _, c := range []struct{ name, json, want string }{
		{"nothing", ``, "ends too early"},
		{"null", `null`, "is null, want an object"},
		{"no object", `[]`, "is an array, want an object"},
		{"empty", `{}`, "/input: is required"},
		{"unknown", pose(`"kind": "simcc"`, coco+`, "part": 1`), "/part: is not a known property"},
		{"unknown input", `{"input": {"width": 1, "height": 1, "size": 3}, "decode": {"kind": "simcc"}}`, "/input/size: is not a known property"},
		{"unknown decode", pose(`"kind": "simcc", "ratio": 2`, coco), "/decode/ratio: is not a known property"},
		{"twice", pose(`"kind": "simcc", "kind": "simcc"`, coco), "/decode/kind: the property is given twice"},
		{"type", `{"input": {"width": "192", "height": 256}, "decode": {"kind": "simcc"}}`, "/input/width: is a string, want an integer"},
		{"huge", `{"input": {"width": 1e30, "height": 256}, "decode": {"kind": "simcc"}}`, "/input/width: is 1e30, which is out of range"},
		{"far", `{"input": {"width": 9000000000, "height": 256}, "decode": {"kind": "simcc"}}`, "/input/width: is 9000000000, far out of range"},
		{"size", `{"input": {"width": 0, "height": 5000}, "decode": {"kind": "boxes"}}`, "/input/width: is 0, want the width of the network's input in pixels, 1 to 4096; /input/height: is 5000"},
		{"layout", `{"input": {"width": 1, "height": 1, "layout": "NCHW"}, "decode": {"kind": "boxes"}}`, `/input/layout: is "NCHW", want nchw or nhwc`},
		{"channels", `{"input": {"width": 1, "height": 1, "channels": "grey"}, "decode": {"kind": "boxes"}}`, `/input/channels: is "grey", want rgb or bgr`},
		{"mean", `{"input": {"width": 1, "height": 1, "mean": [1, 2]}, "decode": {"kind": "boxes"}}`, "/input/mean: has 2 numbers, want 3"},
		{"mean's type", `{"input": {"width": 1, "height": 1, "mean": [1, 2, "3"]}, "decode": {"kind": "boxes"}}`, "/input/mean/2: is a string, want a number"},
		{"null in a list", `{"input": {"width": 1, "height": 1, "mean": [1, 2, null]}, "decode": {"kind": "boxes"}}`, "/input/mean/2: is null"},
		{"large mean", `{"input": {"width": 1, "height": 1, "mean": [1, 2, 1e9]}, "decode": {"kind": "boxes"}}`, "/input/mean/2: is 1e+09"},
		{"scale", `{"input": {"width": 1, "height": 1, "scale": [0.0171, 0.0175, 0.0174]}, "decode": {"kind": "boxes"}}`, "/input/scale/0: is 0.0171, want what samples of 0 to 255 are divided by"},
		{"no scale", `{"input": {"width": 1, "height": 1, "scale": [0, 0, 0]}, "decode": {"kind": "boxes"}}`, "/input/scale: is 0"},
		{"kind", pose(`"kind": "openpose"`, coco), `/decode/kind: is "openpose", want one of [simcc heatmap yolopose yolo yolox boxes]`},
		{"foreign parameter", pose(`"kind": "simcc", "refine": "dark"`, coco), "/decode/refine: does not apply to simcc: leave it out (only for [heatmap])"},
		{"split ratio", pose(`"kind": "simcc", "splitRatio": -2`, coco), "/decode/splitRatio: is out of range, want bins to a pixel, 0.1 to 16"},
		{"refine", pose(`"kind": "heatmap", "refine": "megvii"`, coco), "/decode/refine: is out of range, want quarter, dark or none"},
		{"even kernel", pose(`"kind": "heatmap", "refine": "dark", "blurKernel": 10`, coco), "/decode/blurKernel: is out of range, want an odd number"},
		{"idle kernel", pose(`"kind": "heatmap", "blurKernel": 11`, coco), "together with refine dark"},
		{"points", pose(`"kind": "yolopose", "points": 26`, coco), "/decode/points: is out of range"},
		{"overlap", pose(`"kind": "yolopose", "overlap": 2`, coco), "/decode/overlap: is out of range, want above 0 to 1"},
		{"class", pose(`"kind": "yolox", "class": -1`, ""), "/decode/class: is out of range"},
		{"class of yolo", pose(`"kind": "yolo", "class": 10000`, ""), "/decode/class: is out of range"},
		{"parts of yolo", pose(`"kind": "yolo"`, coco), "/parts: a detector has no parts"},
		{"18 parts", pose(`"kind": "simcc"`, `, "parts": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]`), "/parts: has 18 numbers, want 17, one for each part from the nose to the right ankle, or 23 with the feet"},
		{"strides", pose(`"kind": "yolox", "strides": [8, 0]`, ""), "/decode/strides: is out of range"},
		{"no strides", pose(`"kind": "yolox", "strides": []`, ""), "/decode/strides: is out of range"},
		{"no parts", pose(`"kind": "simcc"`, ""), "/parts: is missing: want coco17"},
		{"set", pose(`"kind": "simcc"`, `, "parts": "coco18"`), `/parts: is "coco18", want coco17, halpe26, coco-wholebody133 or an array`},
		{"parts' type", pose(`"kind": "simcc"`, `, "parts": 17`), "/parts: is a number, want the name of a set or an array"},
		{"short list", pose(`"kind": "simcc"`, `, "parts": [0, 1]`), "/parts: has 2 numbers, want 17"},
		{"empty list", pose(`"kind": "simcc"`, `, "parts": []`), "/parts: has 0 numbers, want 17"},
		{"list", pose(`"kind": "simcc"`, `, "parts": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,14,-2]`), "/parts/15: is 14, which is another part already; /parts/16: is -2"},
		{"beyond the points", pose(`"kind": "yolopose"`, `, "parts": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,17]`), "/parts/16: is 17, but a body has 17 points"},
		{"no point", pose(`"kind": "simcc"`, `, "parts": [-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1]`), "/parts: names no point"},
		{"parts of a detector", pose(`"kind": "boxes"`, coco), "/parts: a detector has no parts"},
		{"outputs", pose(`"kind": "heatmap"`, coco+`, "outputs": ["a", "b"]`), "/outputs: has 2 names, want 1 at most for heatmap"},
		{"one output", pose(`"kind": "simcc"`, coco+`, "outputs": ["a"]`), "/outputs: has 1 name, want 2"},
		{"same output", pose(`"kind": "simcc"`, coco+`, "outputs": ["a", "a"]`), `/outputs/1: is "a", want names that are not empty and differ`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := onnx.ParseDescriptor([]byte(c.json))
			var errs keypoint.FieldErrors
			if !errors.As(err, &errs) {
				t.Fatalf("error %T: %v", err, err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error does not say %q: %v", c.want, err)
			}
			var d onnx.Descriptor
			if err := json.Unmarshal([]byte(c.json), &d); err == nil && c.name != "null" {
				t.Error("json.Unmarshal takes it")
			}
		})
	}
	both := onnx.Descriptor{Input: onnx.Input{Width: 1, Height: 1}, Decode: onnx.Decode{Kind: onnx.SimCC}, Parts: onnx.Parts{Set: "coco17", List: []int{1}}}
	if err := both.Validate(); err == nil || !strings.Contains(err.Error(), "a set and a list") {
		t.Errorf("a set and a list: %v", err)
	}
}

// FuzzParseDescriptor: a descriptor that is parsed is valid and survives a round trip.
func FuzzParseDescriptor(f *testing.F) {
	for _, d := range full() {
		data, err := json.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"input": {"width": 1, "height": 1, "scale": [1, 1, 1e999]}, "decode": {"kind": "boxes"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := onnx.ParseDescriptor(data)
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatalf("what was read is not valid: %v", err)
		}
		written, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		back, err := onnx.ParseDescriptor(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(written) {
			t.Fatalf("read again it is %s, not %s (%v)", again, written, err)
		}
	})
}
