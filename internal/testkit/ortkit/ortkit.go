// Package ortkit provides ONNX Runtime to tests, and tests the networks that it runs.
package ortkit

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

// Library returns the path of an ONNX Runtime that can be loaded. If there is none, it installs one
// into the user cache, or else skips the test.
func Library(t testing.TB) string {
	t.Helper()
	path, err := library()
	if errors.Is(err, ort.ErrNoCgo) {
		testkit.Skip(t, "cgo")
	}
	if err != nil {
		testkit.Skip(t, "onnxruntime: "+err.Error())
	}
	return path
}

// Main runs the tests of a package whose examples need ONNX Runtime, with one installed if there is
// none. If that fails, it leaves out the examples, which cannot skip themselves.
func Main(m *testing.M) {
	flag.Parse()
	if _, err := library(); err != nil {
		testkit.LeaveOutExamples("onnxruntime: " + err.Error())
	}
	os.Exit(m.Run())
}

func library() (string, error) {
	path, _, err := ort.Check("")
	if err == nil || errors.Is(err, ort.ErrNoCgo) {
		return path, err
	}
	path, err = onnxruntime.Install(context.Background(), func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		return "", err
	}
	path, _, err = ort.Check(path)
	return path, err
}

// Graph loads a network that takes bytes, to be run alone.
func Graph(t testing.TB, data []byte, threads int, outputs ...string) *ort.Graph {
	t.Helper()
	g, err := ort.OpenGraph(ort.Model{Data: data}, ort.GraphOptions{
		Options: ort.Options{Library: Library(t), Threads: threads}, Input: "input", Bytes: true, Outputs: outputs,
	})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, g)
	return g
}
