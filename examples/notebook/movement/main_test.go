package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// TestRecordings holds that the recordings of the notebooks are those of this command.
func TestRecordings(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"reference.json", "squats.json"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the command writes", name)
		}
	}
}

// TestAngles holds that the knee bends as far as the squat says.
func TestAngles(t *testing.T) {
	for _, s := range []squat{{knee: 100, lean: 40}, {knee: 80, lean: 58}} {
		for at, want := range map[float64]float64{0: 180, period / 2: 180 - s.knee, period / 4: 180 - s.knee/2} {
			f := s.at(at)
			got, ok := f.Angle(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
			if !ok || math.Abs(got-want) > 1e-6 {
				t.Errorf("%+v after %v s: knee %v, want %v", s, at, got, want)
			}
		}
	}
}
