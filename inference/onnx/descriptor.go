package onnx

import "encoding/json"

// Kind is the format of a network's output.
type Kind string

// The kinds of pose networks and person detectors.
const (
	// SimCC: for each point a row of bins for x and one for y (RTMPose).
	SimCC Kind = "simcc"
	// Heatmap: one map per point (HRNet, ViTPose).
	Heatmap Kind = "heatmap"
	// YOLOPose: all people in the whole picture with their points.
	YOLOPose Kind = "yolopose"

	// YOLO: the output of a YOLOv8, YOLO11 or YOLO26 detector, raw or end to end.
	YOLO Kind = "yolo"
	// YOLOX: the raw output of a YOLOX detector.
	YOLOX Kind = "yolox"
	// Boxes: boxes with scores and optional labels, after non-maximum suppression (RTMDet, YOLOX if exported with it).
	Boxes Kind = "boxes"
)

// Descriptor describes the input and output of a network. Input.Width, Input.Height and Decode.Kind are required, and Parts for
// pose networks. All other fields are optional: zero selects the default. ParseDescriptor reads its JSON form.
type Descriptor struct {
	Input  Input  `json:"input"`
	Decode Decode `json:"decode"`
	// Outputs are the names of the outputs: x and y for SimCC, boxes and labels for Boxes, else one. Default: simcc_x
	// and simcc_y, or dets and labels, if the graph has them, else its first outputs.
	Outputs []string `json:"outputs,omitempty"`
	Parts   Parts    `json:"parts,omitzero"`
}

// Input describes a network's input.
type Input struct {
	Name   string `json:"name,omitempty"` // default: the name of the graph's only input
	Width  int    `json:"width"`          // pixels, 1 to 4096
	Height int    `json:"height"`         // pixels, 1 to 4096
	// Layout is "nchw", a plane per channel, or "nhwc", interleaved. Default: nchw.
	Layout string `json:"layout,omitempty"`
	// Channels is the order of the channels, "rgb" or "bgr". Default: rgb.
	Channels string `json:"channels,omitempty"`
	// Mean and Scale normalise a sample s, 0 to 255, to (s − Mean) / Scale, by channel in the network's order. Scale
	// is often called the standard deviation; it is 255 for a range of 0 to 1. Default: 0 and 1.
	Mean  [3]float64 `json:"mean,omitzero"`
	Scale [3]float64 `json:"scale,omitzero"`
}

// Decode describes a network's output. Parameters that do not apply to the kind must be zero.
type Decode struct {
	Kind Kind `json:"kind"`

	// SplitRatio (simcc) is the number of bins per pixel of the input, 0.1 to 16. Default: 2.
	SplitRatio float64 `json:"splitRatio,omitempty"`

	// Refine (heatmap) is how a map's maximum is located within its cell: "quarter" moves it a quarter of a cell
	// towards the larger neighbour, "dark" to the peak of a Gaussian, and "none" leaves it. Default: quarter.
	Refine string `json:"refine,omitempty"`
	// BlurKernel (heatmap, with refine dark) is the width of the smoothing kernel in cells, odd, 1 (no smoothing) to 31. Default: 11.
	BlurKernel int `json:"blurKernel,omitempty"`
	// UDP (heatmap) is for networks trained with unbiased data processing (ViTPose, and those with "udp" in their
	// name): the first and last cells of their maps lie on the first and last pixels of the input.
	UDP bool `json:"udp,omitempty"`

	// Points (yolopose) is the number of points per body. Default: that of the named set of Parts, 17 for a list.
	Points int `json:"points,omitempty"`
	// Overlap (yolopose, yolo, yolox) is the largest intersection over union of two boxes, above 0 to 1; if two overlap more, the
	// one with the lower score is dropped. It does not apply to outputs of end-to-end exports. Default: 0.45.
	Overlap float64 `json:"overlap,omitempty"`
	// Class (yolo, yolox, boxes) is the index of the class "person". Default: 0.
	Class int `json:"class,omitempty"`
	// Strides (yolo, yolox) are the cell sizes of the grids in pixels of the input, in the order of the output. Default: 8, 16, 32.
	Strides []int `json:"strides,omitempty"`
}

// Parts maps the points of a network to the parts: a named set, or a list. In JSON it is a string or an array.
type Parts struct {
	// Set is "coco17", "halpe26" or "coco-wholebody133", sets of 17, 26 and 133 points. The last two have the parts of the feet.
	Set string
	// List has 17 numbers, or 23 with the feet: for each part, in the order of keypoint.Part,
	// the index of the network's point, or −1 if the network has none.
	List []int
}

// MarshalJSON writes the name of the set, or the list.
func (p Parts) MarshalJSON() ([]byte, error) {
	if p.Set != "" {
		return json.Marshal(p.Set)
	}
	return json.Marshal(p.List)
}

// IsZero reports whether both Set and List are empty.
func (p Parts) IsZero() bool { return p.Set == "" && p.List == nil }
