package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// header is that of a file with two markers.
const header = "\ufeffTrajectories\r\n100\r\n,,F1:LASI,,,F1:RASI,,,\r\nFrame,Sub Frame,X,Y,Z,X,Y,Z\r\n,,mm,mm,mm,mm,mm,mm\r\n"

// TestTrajectories: places are metres with y up, what was not seen is nowhere, and what is no such file is refused.
func TestTrajectories(t *testing.T) {
	rate, markers, err := trajectories(strings.NewReader(header + "1,0,100,-2000,950,,,\r\n2,0,110,-2000,950,1,2,3\r\n\r\n"))
	if err != nil || rate != 100 || len(markers) != 2 || len(markers["LASI"]) != 2 {
		t.Fatalf("%v, %v, %v", rate, markers, err)
	}
	if at := markers["LASI"][0]; at.Sub(keypoint.Position{0.1, 0.95, 2}).Len() > 1e-9 {
		t.Errorf("%v, want 0.1 m to the side, 0.95 high, 2 ahead", at)
	}
	if a, b := markers["RASI"][0], markers["RASI"][1]; !math.IsNaN(a.Len()) || b[1] != 0.003 {
		t.Errorf("%v, then %v", a, b)
	}
	for text, want := range map[string]string{"Frames\n": "line 1", "Trajectories\n0\n": "line 2", header + "1,0,one,2,3,4,5,6\n": "line 6, LASI"} {
		if _, _, err := trajectories(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestThin: a short gap is a line, a long one stays.
func TestThin(t *testing.T) {
	list := track{{0}, nowhere, {2}, nowhere, nowhere, nowhere, {6}}.thin(1, 10) // bridges two frames
	if list[1][0] != 1 || !math.IsNaN(list[4][0]) || len(list.thin(3, 10)) != 3 {
		t.Errorf("%v", list)
	}
}

// laboratoryFile writes the markers of a movement as a laboratory does, 20 mm and more behind the joints, after standing for four seconds.
func laboratoryFile(t *testing.T, path string, world []rendered.World, step float64) {
	t.Helper()
	names := []string{"LASI", "RASI", "LPSI", "RPSI", "LKNE", "LANK", "LHEE", "LTOE", "RKNE", "RANK", "RHEE", "RTOE"}
	var file bytes.Buffer
	fmt.Fprintf(&file, "Trajectories\n%.3f\n,,F1:%s,,,\nFrame\n,,mm\n", 1/step, strings.Join(names, ",,,F1:"))
	for i := range len(world) + int(4/step) {
		w := &world[max(i-int(4/step), 0)]
		hips := w.Middle(keypoint.LeftHip)
		left := w[keypoint.LeftHip].Sub(w[keypoint.RightHip]).Normalize()
		ahead := left.Cross(keypoint.Position{0, 1, 0})
		at := func(aside, up, far float64) keypoint.Position {
			return hips.Add(left.Mul(aside)).Add(keypoint.Position{0, up, 0}).Add(ahead.Mul(far))
		}
		fmt.Fprintf(&file, "%d,0", i+1)
		for _, p := range []keypoint.Position{
			at(0.12, 0.08, 0.05), at(-0.12, 0.08, 0.05), at(0.05, 0.08, -0.1), at(-0.05, 0.08, -0.1),
			w[keypoint.LeftKnee].Add(left.Mul(kneeInward)), w[keypoint.LeftAnkle].Add(left.Mul(ankleInward)), w[keypoint.LeftHeel], w[keypoint.LeftBigToe],
			w[keypoint.RightKnee].Sub(left.Mul(kneeInward)), w[keypoint.RightAnkle].Sub(left.Mul(ankleInward)), w[keypoint.RightHeel], w[keypoint.RightBigToe],
		} {
			fmt.Fprintf(&file, ",%.3f,%.3f,%.3f", 1000*p[0], -1000*p[2], 1000*p[1])
		}
		file.WriteString("\n")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = os.WriteFile(path, file.Bytes(), 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLaboratory: the joints of a walk are behind its markers, standing is cut off, and its strides are told;
// what lacks a marker is left out.
func TestLaboratory(t *testing.T) {
	folder, known := t.TempDir(), truthOf(t, "walk_across_90")
	laboratoryFile(t, filepath.Join(folder, "F1", "Gang", "F1Gang1.csv"), known.World, known.Parts.Times[1])
	laboratoryFile(t, filepath.Join(folder, "F5", "Gang", "F5Gang1.csv"), known.World, known.Parts.Times[1])
	var out bytes.Buffer
	list, err := laboratory(folder, &out)
	if err != nil || len(list) != 12 || out.Len() > 0 {
		t.Fatalf("%d recordings, %v, %q", len(list), err, &out)
	}
	c := list[0].Clip
	if long := c.Times[len(c.Times)-1]; long > known.Parts.Times[len(known.Parts.Times)-1]+1 || c.Person != "EF1" || c.Movement != "walk" {
		t.Errorf("%s of %s, %.1f s", c.Movement, c.Person, long)
	}
	if a, b := c.World[len(c.World)-1][keypoint.LeftKnee], known.World[len(known.World)-1][keypoint.LeftKnee]; a.Sub(b).Len() > 0.05 {
		t.Errorf("the knee is at %v, want %v", a, b)
	}
	if err := run(t.Context(), []string{"people", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"EF1", "stride length, %", "walks, runs in space: 0 right, 0 lost, 0 invented"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "EF5") {
		t.Error("somebody of the other half is measured")
	}
	if err := os.WriteFile(filepath.Join(folder, "F1", "Gang", "F1Gang1.csv"), []byte(header+"1,0,1,2,3,4,5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if list, err := laboratory(folder, &out); err != nil || len(list) != 6 || !strings.Contains(out.String(), "F1Gang1.csv is left out: all joints are known for 0.0 s") {
		t.Errorf("%d recordings, %v, %q", len(list), err, &out)
	}
}
