package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestVersion: what is there is named with its version, and what is missing with the reason.
func TestVersion(t *testing.T) {
	library := ortkit.Library(t)
	list := versions(t, "--json")
	if len(list) != 4 || list[0].Name != "motion" || list[0].Version == "" || list[2] != (component{Name: "ONNX Runtime", Version: list[2].Version, Path: library}) || !strings.HasPrefix(list[2].Version, "1.") {
		t.Errorf("%+v", list)
	}
	t.Setenv("ONNXRUNTIME_LIB", library)
	t.Setenv("PATH", "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	if list = versions(t, "--json"); list[3].Version != "" || !strings.Contains(list[3].Problem, "install FFmpeg 5.1 or newer") {
		t.Errorf("without FFmpeg: %+v", list[3])
	}
	var out bytes.Buffer
	if err := writeComponents(&out, list[2:]); err != nil || !strings.HasPrefix(out.String(), "ONNX Runtime  "+list[2].Version+"  "+library+"\n") || !strings.Contains(out.String(), "\nFFmpeg        none") {
		t.Errorf("%s (%v)", &out, err)
	}
}

func versions(t *testing.T, args ...string) (list []component) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(&out, nil)
	root.SetArgs(append([]string{"version"}, args...))
	err := root.ExecuteContext(t.Context())
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}
