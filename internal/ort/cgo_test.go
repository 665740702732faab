//go:build cgo

package ort_test

import (
	"testing"

	onnx "github.com/yalue/onnxruntime_go"

	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestForeign: a program that has loaded onnxruntime for itself keeps it.
func TestForeign(t *testing.T) {
	onnx.SetSharedLibraryPath(ortkit.Library(t))
	if err := onnx.InitializeEnvironment(); err != nil {
		t.Fatal(err)
	}
	defer onnx.DestroyEnvironment()
	s, err := open("")
	if err != nil {
		t.Fatal(err)
	}
	if len(run(t, s, 9)) != 51 {
		t.Error("no answer")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !onnx.IsInitialized() {
		t.Error("the program's own onnxruntime was shut down")
	}
}
