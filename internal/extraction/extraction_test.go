package extraction_test

import (
	"encoding/json"
	"testing"

	"github.com/bodymotion/motion/internal/extraction"
)

// TestForm holds the form of a stored result.
func TestForm(t *testing.T) {
	b, err := json.Marshal(extraction.Documents{Cleaned: []byte(`{"keypoint":[]}`), Raw: []byte(`{}`)})
	if want := `{"cleaned":{"keypoint":[]},"raw":{}}`; string(b) != want || err != nil {
		t.Errorf("%s (%v), want %s", b, err, want)
	}
}
