package lightning_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/lightning"
)

// TestModel holds the embedded network against its checksum.
func TestModel(t *testing.T) {
	m := lightning.Model()
	if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
		t.Errorf("the SHA-256 is %x, want %s", sum, m.SHA256)
	}
	if m.Name != "lightning" || m.Size != 192 {
		t.Errorf("name %q, size %d", m.Name, m.Size)
	}
}
