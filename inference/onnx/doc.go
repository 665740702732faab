// Package onnx finds keypoints with a network of your own on ONNX Runtime: an .onnx file, and a Descriptor of its input and output:
//
//	est, err := onnx.New(onnx.Options{
//		Pose:   onnx.Model{Path: "rtmpose.onnx", Descriptor: descriptor},
//		Finder: detector, // from NewDetector
//	})
//
// For RTMPose-m of 192×256 pixels with the 17 points of COCO, exported by OpenMMLab's tools as end2end.onnx, this is
// the descriptor, which ParseDescriptor reads:
//
//	{
//	  "input": {
//	    "width": 192, "height": 256,
//	    "mean": [123.675, 116.28, 103.53], "scale": [58.395, 57.12, 57.375]
//	  },
//	  "decode": {"kind": "simcc"},
//	  "parts": "coco17"
//	}
//
// The parts of models trained on 26 points of Halpe are "halpe26", those of the whole body "coco-wholebody133"; both
// have the feet. RTMPose estimates one person, whom a detector finds. Other networks:
//
//	HRNet      {"kind": "heatmap"}, with "refine": "dark" for those trained with DARK
//	ViTPose    {"kind": "heatmap", "refine": "dark", "udp": true}
//	YOLO-pose  {"kind": "yolopose"}, with "scale": [255, 255, 255]; needs no detector
//	YOLOv8, YOLO11, YOLO26
//	           {"kind": "yolo"}, with "scale": [255, 255, 255]; detectors of any number of
//	           classes, exported as they are or end to end
//	RTMDet     {"kind": "boxes"}, "bgr", with "mean": [103.53, 116.28, 123.675] and
//	           "scale": [57.375, 57.12, 58.395]
//	YOLOX      {"kind": "yolox"}, "bgr", samples as they are; or "boxes" if exported with non-maximum suppression
//
// A network quantised to 8 bits (QDQ or integer operators) has the descriptor of the original, if its inputs and
// outputs are floating-point.
//
// The network estimates a person's box, enlarged by a quarter, in the aspect ratio of its input; crops are never rotated. In a movie the
// box comes from the keypoints of the frame before, and people are searched for again only if the person seems to be lost. Without a Finder
// the network first estimates the whole picture, and then the body it found. A yolopose network estimates the whole picture every time.
//
// Coordinates are pixels from the picture's corner: the centre of the first pixel is at (0.5, 0.5). Tools that count
// from that centre, such as OpenMMLab's, give coordinates that are 0.5 smaller.
package onnx
