module github.com/bodymotion/motion/inference/inferencetest

go 1.26.0

require github.com/bodymotion/motion v0.1.0

require golang.org/x/image v0.48.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/fogleman/gg v1.3.0 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/yalue/onnxruntime_go v1.27.0 // indirect
)
