// Package onnx finds keypoints with a network of your own: an .onnx file, and a descriptor
// that says how it is fed and read. It runs on ONNX Runtime, a shared library that is loaded
// at run time: see Options.Library.
package onnx
