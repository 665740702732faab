package thunder_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/thunder"
)

// TestModel holds the embedded network against its checksum.
func TestModel(t *testing.T) {
	m := thunder.Model()
	if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
		t.Errorf("the SHA-256 is %x, want %s", sum, m.SHA256)
	}
	if m.Name != "thunder" || m.Size != 256 {
		t.Errorf("name %q, size %d", m.Name, m.Size)
	}
}
