package multipose_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/multipose"
)

// TestModel holds the embedded network against its checksum.
func TestModel(t *testing.T) {
	m := multipose.Model()
	if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
		t.Errorf("the SHA-256 is %x, want %s", sum, m.SHA256)
	}
	if m.Name != "multipose" || m.Size != 0 {
		t.Errorf("name %q, size %d", m.Name, m.Size)
	}
}
