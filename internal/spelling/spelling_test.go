package spelling_test

import (
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/spelling"
)

func TestHint(t *testing.T) {
	known := []string{"kneeFlexion", "kneeValgus", "hipFlexion", "ankleDorsiflexion", "leftKnee", "rightKnee", "side"}
	for name, want := range map[string]string{
		"kneeflexion": "kneeFlexion", "knee_flexion": "kneeFlexion", "Knee flexion": "kneeFlexion",
		"kneFlexion": "kneeFlexion", "neeFlexoin": "", "kneeFlex": "kneeFlexion", "dorsiflexion": "ankleDorsiflexion",
		"flexion": "", "knee": "", "lightKnee": "rightKnee", "sides": "side", "si": "", "": "", "elbow": "",
		strings.Repeat("kneeFlexion", 1000): "", "é": "",
	} {
		if want != "" {
			want = " (did you mean " + want + "?)"
		}
		if got := spelling.Hint(name, known...); got != want {
			t.Errorf("%.40q: %q, want %q", name, got, want)
		}
	}
}
