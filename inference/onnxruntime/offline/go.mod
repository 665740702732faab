module github.com/bodymotion/motion/inference/onnxruntime/offline

go 1.26.0

require github.com/bodymotion/motion v0.1.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/yalue/onnxruntime_go v1.27.0 // indirect
	golang.org/x/image v0.48.0 // indirect
)
