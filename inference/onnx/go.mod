module github.com/bodymotion/motion/inference/onnx

go 1.26.0

require (
	github.com/bodymotion/motion v0.1.0
	github.com/bodymotion/motion/inference/inferencetest v0.1.0
)

require (
	github.com/google/go-cmp v0.7.0
	google.golang.org/protobuf v1.36.12
	pgregory.net/rapid v1.3.0
)

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/fogleman/gg v1.3.0 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/yalue/onnxruntime_go v1.27.0 // indirect
	golang.org/x/image v0.48.0 // indirect
)
