//go:build !cgo && !js && (android || ios || (!linux && !darwin && !windows) || (!amd64 && !arm64))

package ort

// bound is nil: neither binding is there for this platform.
var bound Binding
