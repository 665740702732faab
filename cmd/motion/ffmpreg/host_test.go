package ffmpreg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// jumps is a module whose _start calls __wasm_longjmp(0, 1) and then ends as if all were well.
const jumps = "\x00asm\x01\x00\x00\x00" +
	"\x01\x09\x02\x60\x02\x7f\x7f\x00\x60\x00\x00" + // types: (i32, i32), ()
	"\x02\x16\x01\x03env\x0e__wasm_longjmp\x00\x00" +
	"\x03\x02\x01\x01" + // a function of the second type
	"\x07\x0a\x01\x06_start\x00\x01" +
	"\x0a\x0a\x01\x08\x00\x41\x00\x41\x01\x10\x00\x0b"

// TestGivesUp: a program that gives up on a stream with longjmp has failed.
func TestGivesUp(t *testing.T) {
	r := &Runner{runtime: wazero.NewRuntime(t.Context())}
	defer r.runtime.Close(t.Context())
	err := host(t.Context(), r.runtime)
	if err == nil {
		r.module, err = r.runtime.CompileModule(t.Context(), []byte(jumps))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context(), program.Command{Program: "ffmpeg"}); err == nil || !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("%v", err)
	}
}

// TestOrigin: SECURITY.md names the module that FFmpeg comes from, and its checksum.
func TestOrigin(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(testkit.Root(t), "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{Carried.Path, Carried.Module, Carried.SHA256} {
		if !strings.Contains(string(b), "`"+want+"`") {
			t.Errorf("SECURITY.md lacks %s", want)
		}
	}
}

// TestInstall: FFmpeg is downloaded once, and what is downloaded names its licence.
func TestInstall(t *testing.T) {
	testkit.NeedLinux(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if path := Find(); path != "" {
		t.Fatalf("%s is in an empty cache", path)
	}
	var said []string
	for range 2 { // a second call does nothing
		path, err := install(t.Context(), func(line string) { said = append(said, line) })
		if err != nil {
			testkit.Skip(t, "ffmpeg as WebAssembly: "+err.Error())
		}
		if path != Find() {
			t.Errorf("%s, found %q", path, Find())
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "a separate program under the GPL-3") {
		t.Errorf("said %q", said)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	if _, err := install(t.Context(), func(string) {}); err == nil || !strings.Contains(err.Error(), "the go command is needed") || !strings.Contains(err.Error(), "(or install FFmpeg 5.1") {
		t.Errorf("without Go: %v", err)
	}
}
