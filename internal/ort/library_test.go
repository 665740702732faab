package ort_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

func open(library string) (*ort.Graph, error) {
	return ort.OpenGraph(ort.Model{Data: lightning.Model().ONNX}, ort.GraphOptions{Options: ort.Options{Library: library}, Input: "input", Bytes: true, Outputs: []string{"output"}})
}

func mustOpen(t *testing.T, library string) *ort.Graph {
	t.Helper()
	g, err := open(library)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, g)
	return g
}

// run runs the model on a picture of one value and returns the output.
func run(t *testing.T, g *ort.Graph, value byte) (out []float32) {
	t.Helper()
	err := g.Use([]int64{1, 192, 192, 3}, [][]int64{{1, 1, 17, 3}}, func(r *ort.Run) error {
		for i := range r.Bytes {
			r.Bytes[i] = value + byte(i*i>>9)
		}
		if err := r.Do(t.Context()); err != nil {
			return err
		}
		out = slices.Clone(r.Outputs()[0].Data)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

// TestManyGoroutines: one session, used by many goroutines while others come and go,
// gives each its own answer.
func TestManyGoroutines(t *testing.T) {
	library := ortkit.Library(t)
	s := mustOpen(t, library)
	want := make([][]float32, 4)
	for i := range want {
		want[i] = run(t, s, byte(60*i))
	}
	if slices.Equal(want[0], want[1]) {
		t.Fatal("different pictures give the same answer")
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 10 {
				k := (g + i) % len(want)
				if got := run(t, s, byte(60*k)); !slices.Equal(got, want[k]) {
					t.Errorf("goroutine %d, run %d: the answer is another one's", g, i)
				}
			}
			other, err := open(library)
			if err != nil {
				t.Error(err)
				return
			}
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestLoadedOnce(t *testing.T) {
	library := ortkit.Library(t)
	if v := ort.Version(); v != "" {
		t.Fatalf("version %s is loaded before the first session", v)
	}
	a, b := mustOpen(t, library), mustOpen(t, "")
	if v := ort.Version(); !strings.HasPrefix(v, "1.") {
		t.Errorf("version %q", v)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil { // a second time does nothing
		t.Fatal(err)
	}
	if err := a.Use([]int64{1, 192, 192, 3}, nil, func(*ort.Run) error { return nil }); err == nil || !strings.Contains(err.Error(), "is closed") {
		t.Errorf("used after Close: %v", err)
	}
	if ort.Version() == "" {
		t.Error("the library is gone while a session is open")
	}
	other := filepath.Join(t.TempDir(), "other.so")
	touch(t, other)
	if _, err := open(other); !errors.Is(err, ort.ErrLibrary) || !strings.Contains(err.Error(), other) {
		t.Errorf("a second library in the process: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if v := ort.Version(); v != "" {
		t.Errorf("version %s is loaded after the last session", v)
	}
}

func TestModelIsRefused(t *testing.T) {
	if _, err := ort.OpenGraph(ort.Model{Data: []byte("no model")}, ort.GraphOptions{Options: ort.Options{Library: ortkit.Library(t)}, Input: "input", Outputs: []string{"output"}}); err == nil {
		t.Error("no error")
	}
	if v := ort.Version(); v != "" {
		t.Errorf("version %s is still loaded", v)
	}
}

// stub compiles a shared library out of C.
func stub(t *testing.T, source string) []byte {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		testkit.Skip(t, "cc, a C compiler")
	}
	dir := t.TempDir()
	c, so := filepath.Join(dir, "stub.c"), filepath.Join(dir, "stub.so")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", so, c).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(so)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// header returns the header of a shared library for another machine.
func header(machine elf.Machine) []byte {
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: 1, Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(h.Ident[:], "\x7fELF\x02\x01\x01")
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestPoorLibraries: what cannot be loaded is named with its path, what is wrong with
// it, what is wanted and what to do, and does not stand in the way of a good one.
func TestPoorLibraries(t *testing.T) {
	good, err := filepath.EvalSymlinks(ortkit.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	cached := cache(t)
	touch(t, cached)
	if err := os.Remove(cached); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(good, cached); err != nil {
		t.Fatal(err)
	}
	otherMachine := elf.EM_AARCH64
	if runtime.GOARCH == "arm64" {
		otherMachine = elf.EM_X86_64
	}
	for _, c := range []struct {
		name, why string
		content   func(t *testing.T) []byte
	}{
		{"empty", "damaged or no shared library", func(*testing.T) []byte { return nil }},
		{"text", "damaged or no shared library", func(*testing.T) []byte { return []byte("version https://git-lfs\n") }},
		{"other machine", "it is built for linux/", func(*testing.T) []byte { return header(otherMachine) }},
		{"other library", "it is another library", func(t *testing.T) []byte { return stub(t, "int answer(void) { return 42; }") }},
		{"too old", "it is older", func(t *testing.T) []byte {
			return stub(t, `
				static const void *get(unsigned version) { return 0; }
				static const char *name(void) { return "1.17.1"; }
				static const struct { const void *(*get)(unsigned); const char *(*name)(void); } base = {get, name};
				const void *OrtGetApiBase(void) { return &base; }`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			poor := filepath.Join(dir, ort.FileName())
			if err := os.WriteFile(poor, c.content(t), 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := open(poor)
			if !errors.Is(err, ort.ErrLibrary) {
				t.Fatalf("error is no ErrLibrary: %v", err)
			}
			if library, ok := errors.AsType[*ort.LibraryError](err); !ok || !strings.Contains(library.Problem, c.why) || strings.Contains(library.Problem, "install") {
				t.Errorf("what is wrong is not apart from what to do: %+v", library)
			}
			for _, want := range []string{poor, c.why, ort.MinVersion, ort.InstallCommand} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
			t.Setenv("LD_LIBRARY_PATH", dir)
			found, version, err := ort.Check("")
			if err != nil || found == poor || !strings.HasPrefix(version, "1.") {
				t.Errorf("with a good library behind the poor one: %s, version %q, %v", found, version, err)
			}
		})
	}
}
