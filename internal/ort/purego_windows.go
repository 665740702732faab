//go:build !cgo && (amd64 || arm64)

package ort

import (
	"syscall"
	"unicode/utf16"
)

// encodedPath is a path as ONNX Runtime takes it.
type encodedPath = []uint16

func encoded(path string) encodedPath { return utf16.Encode([]rune(path + "\x00")) }

func openLibrary(path string) (uintptr, error) {
	library, err := syscall.LoadLibrary(path)
	return uintptr(library), err
}

func symbolOf(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

func closeLibrary(library uintptr) error { return syscall.FreeLibrary(syscall.Handle(library)) }
