// Package onnx finds keypoints with a network of your own: an .onnx file, and a Descriptor
// that says how it is fed and read. It runs on ONNX Runtime, a shared library that is loaded
// at run time: see Options.Library.
//
// # RTMPose
//
// The file that OpenMMLab's deployment tools write for RTMPose, end2end.onnx, has the
// outputs simcc_x and simcc_y. For RTMPose-m of 192×256 pixels with the 17 points of COCO
// this is its descriptor:
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
// It is read by ParseDescriptor; the same can be written as a Go value. With the model
// trained on 26 points of Halpe the parts are "halpe26", with those of the whole body
// "coco-wholebody133". RTMPose looks at one person, whom a detector finds: RTMDet (kind
// "boxes"), or YOLOX ("yolox", or "boxes" as exported with its suppression). The example
// shows both together.
//
// # Other networks
//
//	HRNet      {"kind": "heatmap"}, with "refine": "dark" for those trained with DARK
//	ViTPose    {"kind": "heatmap", "refine": "dark", "udp": true}
//	YOLO-pose  {"kind": "yolopose"}, with "scale": [255, 255, 255]; needs no detector
//	RTMDet     {"kind": "boxes"}, "bgr", with "mean": [103.53, 116.28, 123.675] and
//	           "scale": [57.375, 57.12, 58.395]
//	YOLOX      {"kind": "yolox"}, "bgr", samples as they are
//
// A network quantised to 8 bits (QDQ or the operators for integers) is described like the
// one that it was made of, as long as what goes in and comes out is still in floating point.
//
// Descriptor tells every member with its default. New and NewDetector run a network once,
// so that a descriptor that does not fit is found out at once and not in the first movie.
//
// # What happens in an estimate
//
// With a network that looks at crops, the detector finds the people in the picture, shrunk
// into its input; the one most in the centre and in the foreground is chosen; the network
// sees the box of that person with a quarter more room, in the aspect ratio of its input.
// In a movie the box comes from the keypoints of the frame before, and the detector is asked
// again only when the person seems to be lost. Without a detector the network looks at the
// whole picture first, and then at what it has found there. A network of the kind yolopose
// sees the whole picture, each time.
//
// Crops are upright: somebody who lies is found as well as the network has learnt it.
//
// Places are in pixels from the picture's corner, so that the middle of the first pixel is
// at (0.5, 0.5). Tools that count from that middle, as OpenMMLab's, give places that are
// 0.5 smaller on both axes.
package onnx
