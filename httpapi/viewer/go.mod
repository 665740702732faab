module github.com/bodymotion/motion/httpapi/viewer

go 1.26.0

require (
	github.com/bodymotion/motion v0.1.0
	github.com/bodymotion/motion/inference/inferencetest v0.1.0
)

require (
	github.com/fogleman/gg v1.3.0 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
