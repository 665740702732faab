package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// triangulated reads a real person in a folder NAME_CAMERA of Pose2Sim: a movie video.mp4, the joints that several cameras
// triangulate (pose2sim_3d_m.trc, metres, y up), these in the picture (reference_keypoints.json), and the place of the camera
// (calibration.qca.txt, millimetres, z up). The joints of each camera are those of OpenPose, a network as well.
func triangulated(folder string) (*evalpose.Truth, error) {
	f, err := os.Open(filepath.Join(folder, "reference_keypoints.json"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &evalpose.Truth{Name: filepath.Base(folder)}
	if t.Parts, _, err = evalpose.ReadReference(f); err != nil {
		return nil, err
	}
	c, err := lensOf(folder, t.Name[strings.LastIndex(t.Name, "_")+1:])
	if err != nil {
		return nil, err
	}
	camera := keypoint.Position{c.Transform.Y / 1000, c.Transform.Z / 1000, c.Transform.X / 1000}
	if t.World, err = readTRC(filepath.Join(folder, "pose2sim_3d_m.trc")); err != nil {
		return nil, err
	}
	n := min(t.Parts.Len(), len(t.World))
	t.Parts = t.Parts.Slice(0, n-1)
	for i := range n {
		w := &t.World[i]
		trunk, _ := trunkOf(&t.Parts.Frames[i])
		t.View, t.Inside = append(t.View, viewOf(w, camera)), append(t.Inside, 1)
		t.Scale = append(t.Scale, torsoOf(w)/trunk.Len())
	}
	return t, nil
}

// viewOf returns the view of a person from a place, as in a Truth.
func viewOf(w *evalpose.World, place keypoint.Position) float64 {
	at := func(p keypoint.Part) keypoint.Position { return keypoint.Position(w[p]) }
	left := at(keypoint.LeftHip).Sub(at(keypoint.RightHip)).Sub(at(keypoint.RightShoulder).Sub(at(keypoint.LeftShoulder)))
	forward := left.Cross(keypoint.Position{0, 1, 0})
	left = keypoint.Position{0, 1, 0}.Cross(forward)
	to := place.Sub(at(keypoint.LeftHip))
	return math.Atan2(to.Dot(left), to.Dot(forward)) * 180 / math.Pi
}

// readTRC reads the limbs of a file of markers.
func readTRC(path string) (frames []evalpose.World, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sides := map[byte]string{'L': "left", 'R': "right"}
	columns := map[int]keypoint.Part{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if n == 4 {
			for k, name := range fields {
				if len(name) < 2 {
					continue
				}
				if p, err := keypoint.ParsePart(sides[name[0]] + name[1:]); err == nil {
					columns[k] = p
				}
			}
		}
		if n < 6 || len(fields) < 10 {
			continue
		}
		var w evalpose.World
		for k, p := range columns {
			for axis := range 3 {
				if w[p][axis], err = strconv.ParseFloat(fields[k+axis], 64); err != nil {
					return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
				}
			}
		}
		frames = append(frames, w)
	}
	return frames, lines.Err()
}
