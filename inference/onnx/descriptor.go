package onnx

import "encoding/json"

// Kind is how the answer of a network is read.
type Kind string

// The kinds of pose networks, and of person detectors after them.
const (
	// SimCC: two rows of bins a point, one across and one down (RTMPose).
	SimCC Kind = "simcc"
	// Heatmap: one map a point (HRNet, ViTPose).
	Heatmap Kind = "heatmap"
	// YOLOPose: people with their points, found in the whole picture at once.
	YOLOPose Kind = "yolopose"

	// YOLOX: the raw answer of a YOLOX detector.
	YOLOX Kind = "yolox"
	// Boxes: boxes with scores, and labels where there are any, of a detector that has done
	// its own suppression (RTMDet, YOLOX as exported with it).
	Boxes Kind = "boxes"
)

// Descriptor says how a network is fed and read. Input.Width, Input.Height and
// Decode.Kind are required, and Parts for pose networks; what else is zero has the default
// that is told beside it. Its JSON form is read by ParseDescriptor.
type Descriptor struct {
	Input  Input  `json:"input"`
	Decode Decode `json:"decode"`
	// Outputs are the names of the outputs: of SimCC those across and down, of Boxes those
	// of the boxes and of the labels, else of the answer. Default: the outputs that are
	// called simcc_x and simcc_y, or dets and labels, else the first ones of the graph.
	Outputs []string `json:"outputs,omitempty"`
	Parts   Parts    `json:"parts,omitzero"`
}

// Input is what a network wants to see.
type Input struct {
	Name   string `json:"name,omitempty"` // default: the name of the graph's only input
	Width  int    `json:"width"`          // pixels, 1 to 4096
	Height int    `json:"height"`         // pixels, 1 to 4096
	// Layout is "nchw", planes of the channels, or "nhwc", channels pixel by pixel. Default:
	// nchw.
	Layout string `json:"layout,omitempty"`
	// Channels is the order of the channels, "rgb" or "bgr". Default: rgb.
	Channels string `json:"channels,omitempty"`
	// Mean and Scale bring samples s of 0 to 255 into the range of the network: it gets
	// (s − Mean) / Scale, for each channel in the order of the network's channels. Scale is
	// what others call the standard deviation, or 255 for a range of 0 to 1. Default: 0
	// and 1.
	Mean  [3]float64 `json:"mean,omitzero"`
	Scale [3]float64 `json:"scale,omitzero"`
}

// Decode says how the answer is read. A parameter that the kind does not have must be
// zero.
type Decode struct {
	Kind Kind `json:"kind"`

	// SplitRatio (simcc) is how many bins there are to a pixel of the input, 0.1 to 16.
	// Default: 2.
	SplitRatio float64 `json:"splitRatio,omitempty"`

	// Refine (heatmap) is how the place of a map's maximum is made finer than a cell:
	// "quarter" of a cell towards the larger neighbour, "dark" to the top of the Gaussian
	// around it, or "none". Default: quarter.
	Refine string `json:"refine,omitempty"`
	// BlurKernel (heatmap, with refine dark) is how many cells the smoothing before is
	// wide, an odd number of 1 (no smoothing) to 31. Default: 11.
	BlurKernel int `json:"blurKernel,omitempty"`
	// UDP (heatmap) is set for networks trained with unbiased data processing (ViTPose and
	// those with "udp" in their name): the first and last cells of their maps lie on the
	// first and last pixels of the input.
	UDP bool `json:"udp,omitempty"`

	// Points (yolopose) is how many points a body has in the answer. Default: as many as
	// the named set of Parts, 17 for a list.
	Points int `json:"points,omitempty"`
	// Overlap (yolopose, yolox) is by how much two boxes may overlap, as the area common
	// to both over that of both together, above 0 to 1; of those that overlap more the
	// better one counts. Default: 0.45.
	Overlap float64 `json:"overlap,omitempty"`
	// Class (yolox, boxes) is the number of the class that is a person. Default: 0.
	Class int `json:"class,omitempty"`
	// Strides (yolox) are the pixels of the input from cell to cell of each grid, in the
	// answer's order. Default: 8, 16, 32.
	Strides []int `json:"strides,omitempty"`
}

// Parts says which points of a network are our 17 parts: a named set, or a list. In JSON
// it is a string or an array.
type Parts struct {
	// Set is "coco17", "halpe26" or "coco-wholebody133", sets of 17, 26 and 133 points.
	Set string
	// List has 17 numbers: of each part, in the order of keypoint.Part, the number of the
	// network's point from 0 on, or −1 for a part that the network does not know.
	List []int
}

// MarshalJSON writes the name of the set, or the list.
func (p Parts) MarshalJSON() ([]byte, error) {
	if p.Set != "" {
		return json.Marshal(p.Set)
	}
	return json.Marshal(p.List)
}

// IsZero reports whether there is neither a set nor a list.
func (p Parts) IsZero() bool { return p.Set == "" && p.List == nil }
