// Command movement writes the two recordings of the notebooks. They are computed, so that their angles
// are known: reference.json has three correct squats; squats.json has three that are less deep and
// lean too far, with noise, a gap and two outliers like an estimator's.
//
//	go run ./examples/notebook/movement FOLDER
package main

import (
	"bytes"
	"image"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

const (
	frames = 121
	rate   = 20.0 // frames per second
	period = 2.0  // seconds per squat
)

// squat is a style of squat: the largest angles of knee and torso from upright, in degrees.
type squat struct{ knee, lean float64 }

// at returns the person t seconds after the start, seen from the right.
func (s squat) at(t float64) keypoint.Frame {
	down := (1 - math.Cos(2*math.Pi*t/period)) / 2
	knee, lean := s.knee*down, s.lean*down
	up := func(from keypoint.Point, degrees, length float64) keypoint.Point {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return keypoint.Point{from[0] + length*sin, from[1] - length*cos}
	}
	ankle := keypoint.Point{160, 420}
	kneeAt := up(ankle, 0.35*knee, 100) // the thigh leans back by the rest
	hip := up(kneeAt, -0.65*knee, 100)
	shoulder := up(hip, lean, 120)
	elbow := up(shoulder, 180-80*down, 62)
	wrist := up(elbow, 175-80*down, 56)
	nose := up(shoulder, lean/2+14, 52)
	eye, ear := up(shoulder, lean/2+9, 60), up(shoulder, lean/2-4, 54)
	var f keypoint.Frame
	for _, p := range []struct {
		left, right keypoint.Part
		at          keypoint.Point
	}{
		{keypoint.LeftEye, keypoint.RightEye, eye}, {keypoint.LeftEar, keypoint.RightEar, ear},
		{keypoint.LeftShoulder, keypoint.RightShoulder, shoulder}, {keypoint.LeftElbow, keypoint.RightElbow, elbow},
		{keypoint.LeftWrist, keypoint.RightWrist, wrist}, {keypoint.LeftHip, keypoint.RightHip, hip},
		{keypoint.LeftKnee, keypoint.RightKnee, kneeAt}, {keypoint.LeftAnkle, keypoint.RightAnkle, ankle},
	} {
		f.Set(p.right, p.at, 0.95)
		f.Set(p.left, p.at.Add(keypoint.Point{9, -4}), 0.85) // the far side
	}
	f.Set(keypoint.Nose, nose, 0.95)
	return f
}

// estimated returns the frame with the errors of an estimator.
func estimated(f keypoint.Frame, i int, noise *rand.Rand) keypoint.Frame {
	for p := range keypoint.Part(keypoint.NumBody) {
		at, _ := f.At(p)
		f.Set(p, at.Add(keypoint.Point{1.5 * noise.NormFloat64(), 1.5 * noise.NormFloat64()}), f.Confidence(p))
	}
	switch {
	case i == 30:
		f.Unset(keypoint.RightKnee)
	case i == 55 || i == 90:
		at, _ := f.At(keypoint.RightKnee)
		f.Set(keypoint.RightKnee, at.Add(keypoint.Point{-60, 25}), 0.4)
	}
	return f
}

// record writes a frame for each picture.
func record(file string, frame func(i int, t float64) keypoint.Frame) error {
	seq := keypoint.Sequence{Size: image.Pt(400, 450)}
	for i := range frames {
		t := float64(i) / rate
		seq.Frames, seq.Times = append(seq.Frames, frame(i, t)), append(seq.Times, t)
	}
	var buf bytes.Buffer
	if err := formats.Write(&buf, "json", seq); err != nil {
		return err
	}
	return os.WriteFile(file, buf.Bytes(), 0o644)
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: movement FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write writes both recordings to the folder.
func write(folder string) error {
	should, does := squat{knee: 100, lean: 40}, squat{knee: 80, lean: 58}
	if err := record(filepath.Join(folder, "reference.json"), func(_ int, t float64) keypoint.Frame {
		return should.at(t)
	}); err != nil {
		return err
	}
	noise := rand.New(rand.NewPCG(1, 2))
	return record(filepath.Join(folder, "squats.json"), func(i int, t float64) keypoint.Frame {
		return estimated(does.at(t), i, noise)
	})
}
