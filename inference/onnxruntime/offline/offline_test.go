package offline_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/onnxruntime/offline"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUse: what is in the program is used unless another library is named, and an error says what hinders it.
func TestUse(t *testing.T) {
	testkit.NeedLinux(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("ONNXRUNTIME_LIB", "")
	t.Cleanup(func() { ort.Unpack = nil })
	const library = "a library"
	sum := sha256.Sum256([]byte(library))
	offline.Use(zipped(t, library), hex.EncodeToString(sum[:]))
	found, err := ort.Find("")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(found[0]); err != nil || string(text) != library || !strings.HasPrefix(found[0], cache) || len(found) != 1 {
		t.Errorf("%q: %q (%v)", found, text, err)
	}
	named := filepath.Join(t.TempDir(), "another")
	if err := os.WriteFile(named, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := ort.Find(named); err != nil || len(found) != 1 || found[0] != named {
		t.Errorf("%q (%v), want the one that is named", found, err)
	}
	for name, packed := range map[string][]byte{
		"SHA-256": zipped(t, "another"), "gzip": []byte("a library that is not packed"), "unexpected EOF": zipped(t, library)[:20],
	} {
		offline.Use(packed, strings.Repeat("0", 64))
		if _, err := ort.Find(""); !errors.Is(err, onnxruntime.ErrLibrary) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(cache, "motion", "onnxruntime", "*", "*", "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%q are left (%v), want the library alone", left, err)
	}
}
