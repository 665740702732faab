module github.com/bodymotion/motion/examples

go 1.26.0

replace (
	github.com/bodymotion/motion => ../
	github.com/bodymotion/motion/cmd/motion => ../cmd/motion
	github.com/bodymotion/motion/httpapi/live => ../httpapi/live
	github.com/bodymotion/motion/httpapi/viewer => ../httpapi/viewer
	github.com/bodymotion/motion/inference/blazepose/heavy => ../inference/blazepose/heavy
	github.com/bodymotion/motion/inference/inferencetest => ../inference/inferencetest
	github.com/bodymotion/motion/storage/postgres => ../storage/postgres
	github.com/bodymotion/motion/storage/s3 => ../storage/s3
	github.com/bodymotion/motion/storage/storagetest => ../storage/storagetest
)

require (
	github.com/bodymotion/motion v0.1.0
	github.com/bodymotion/motion/cmd/motion v0.1.0
	github.com/bodymotion/motion/httpapi/live v0.1.0
	github.com/bodymotion/motion/httpapi/viewer v0.1.0
	github.com/bodymotion/motion/inference/inferencetest v0.1.0
)

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/google/go-cmp v0.7.0
)

require (
	github.com/coder/websocket v1.8.14 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/fogleman/gg v1.3.0 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/ncruces/go-sqlite3 v0.37.0 // indirect
	github.com/ncruces/go-sqlite3-wasm/v6 v6.5.35401 // indirect
	github.com/ncruces/julianday v1.0.0 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	github.com/yalue/onnxruntime_go v1.27.0 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
