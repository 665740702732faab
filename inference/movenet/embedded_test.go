package movenet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

// TestEmbedded compares the embedded networks with their checksums.
func TestEmbedded(t *testing.T) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model(), multipose.Model()} {
		if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
			t.Errorf("%s: the SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
		}
	}
}
