package document_test

import (
	"encoding/json"
	"testing"

	"github.com/bodymotion/motion/internal/document"
)

// TestForm holds the form of a stored result.
func TestForm(t *testing.T) {
	b, err := json.Marshal(document.Documents{Cleaned: []byte(`{"keypoint":[]}`), Raw: []byte(`{}`)})
	if want := `{"cleaned":{"keypoint":[]},"raw":{}}`; string(b) != want || err != nil {
		t.Errorf("%s (%v), want %s", b, err, want)
	}
}
