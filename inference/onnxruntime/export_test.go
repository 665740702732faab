package onnxruntime

var Carriers = carriers
