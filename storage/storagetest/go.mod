module github.com/bodymotion/motion/storage/storagetest

go 1.26.0

require github.com/bodymotion/motion v0.1.0

require github.com/google/go-cmp v0.7.0

require (
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/ncruces/go-sqlite3 v0.37.0 // indirect
	github.com/ncruces/go-sqlite3-wasm/v6 v6.5.35401 // indirect
	github.com/ncruces/julianday v1.0.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
