//go:build !cgo && !android && !ios && (linux || darwin) && (amd64 || arm64)

package ort

import "github.com/ebitengine/purego"

// encodedPath is a path as ONNX Runtime takes it.
type encodedPath = string

func encoded(path string) encodedPath                        { return path }
func openLibrary(path string) (uintptr, error)               { return purego.Dlopen(path, purego.RTLD_LAZY) }
func symbolOf(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
func closeLibrary(library uintptr) error                     { return purego.Dlclose(library) }
