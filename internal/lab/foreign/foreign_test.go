// Package foreign has no code: its test reads the files of package keypoint/formats with programs of others.
package foreign

import (
	"bytes"
	"encoding/json"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// readers are the programs, without what they need but do not use to read files.
var readers = []string{
	"opensim==4.6", "trc-data-reader==0.4.1", "c3d==0.6.0", "pycocotools==2.0.11", "pose-format==0.15.0", "tqdm==4.70.1",
	"mediapipe==0.10.21", "protobuf==4.25.8", "numpy==2.4.6", "ezc3d==1.7.2", "bvh==0.3",
}

// python returns the Python of a virtual environment with the readers, which it makes in a cache once.
func python(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		testkit.Skip(t, "python3")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		testkit.Skip(t, "a user cache folder: "+err.Error())
	}
	venv := filepath.Join(cache, "motion", "test-venv-formats-opensim-4.6-c")
	bin, done := filepath.Join(venv, "bin", "python"), filepath.Join(venv, "complete")
	if _, err := os.Stat(done); err == nil {
		return bin
	}
	t.Log("making a virtual environment with ", readers, " in ", venv)
	install := append([]string{bin, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps"}, readers...)
	for _, args := range [][]string{{"python3", "-m", "venv", "--clear", venv}, install} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			testkit.Skip(t, "programs that read files: "+strings.Join(args, " ")+": "+err.Error()+"\n"+string(out))
		}
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return bin
}

// movie is somebody who bends the left knee, at 30 frames per second: in frame 1 nobody, in frame 2 without
// a right wrist.
func movie() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 4), Times: []float64{0, 0.033333, 0.066667, 0.1}, Size: image.Pt(640, 480)}
	body := sample.Visible()
	for i := range s.Frames {
		for k, p := range body.Present().List() {
			at, _ := body.At(p)
			if p == keypoint.LeftAnkle {
				at[0] += float64(20 * i)
			}
			if i != 1 && (i != 2 || p != keypoint.RightWrist) {
				s.Frames[i].Set(p, at, 1-float64(k)/64)
			}
		}
	}
	return s
}

// found is what a program read.
type found struct {
	Times           []float64
	Frames          []map[string][]float64
	Residuals       []map[string]float64
	Columns         map[string][]*float64
	DataRate, Units string
	InDegrees       string
	AP              float64
}

// part returns the part of a name of another program: LKnee, left_knee or LEFT_KNEE.
func part(t *testing.T, name string) keypoint.Part {
	t.Helper()
	short := func(name string) string {
		name = strings.ReplaceAll(strings.ToLower(name), "_", "")
		if rest, ok := strings.CutPrefix(name, "left"); ok {
			name = "l" + rest
		} else if rest, ok := strings.CutPrefix(name, "right"); ok {
			name = "r" + rest
		}
		return strings.Replace(name, "footindex", "bigtoe", 1)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		if short(p.String()) == short(name) {
			return p
		}
	}
	return keypoint.NumParts
}

// TestOthers: programs of others find in the files what was written: the same parts at the same places
// under the right names, with the confidences and times that the format has.
func TestOthers(t *testing.T) {
	testkit.Thorough(t, "installs Python programs")
	folder, seq := t.TempDir(), movie()
	write := func(name string, write func(io.Writer) error) {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	metric := seq
	metric.World = keypoint.World{MetresPerPixel: 0.01, Origin: keypoint.Point{100, 400}}
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}})
	if err != nil {
		t.Fatal(err)
	}
	write("pixels.trc", func(w io.Writer) error { return formats.Write(w, "trc", seq) })
	write("metres.trc", func(w io.Writer) error { return formats.Write(w, "trc", metric) })
	write("metres.c3d", func(w io.Writer) error { return formats.Write(w, "c3d", metric) })
	write("space.trc", func(w io.Writer) error { return formats.Write(w, "trc", spatial(seq)) })
	write("space.c3d", func(w io.Writer) error { return formats.Write(w, "c3d", spatial(seq)) })
	write("space.bvh", func(w io.Writer) error { return formats.Write(w, "bvh", doll(4)) })
	write("angles.mot", func(w io.Writer) error {
		return analyze.WriteMOT(w, "Coordinates", seq.Times, results)
	})
	write("coco.json", func(w io.Writer) error { return formats.Write(w, "coco", seq) })
	write("openpose.zip", func(w io.Writer) error { return formats.Write(w, "openpose", seq) })
	write("mediapipe.json", func(w io.Writer) error { return formats.Write(w, "mediapipe", seq) })

	cmd := exec.Command(python(t), "read.py", folder)
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	var programs map[string]found
	if err != nil || json.Unmarshal(out, &programs) != nil {
		t.Fatalf("%v\n%s\n%s", err, messages.String(), out)
	}
	for name, c := range map[string]struct {
		place  func(p keypoint.Point, confidence float64) []float64
		extras []string // names that are no parts
		timed  bool
		units  string
	}{
		"OpenSim, TRC":                   {func(p keypoint.Point, _ float64) []float64 { return []float64{p[0], p[1], 0} }, nil, true, "px"},
		"OpenSim, TRC in metres":         {metres, nil, true, "m"},
		"trc-data-reader, TRC in metres": {metres, nil, true, "m"},
		"OpenSim, TRC in space":          {inSpace, nil, true, "torso"},
		"ezc3d, C3D in metres":           {metres, nil, true, "m"},
		"ezc3d, C3D in space":            {inSpace, nil, true, "torso"},
		"c3d, C3D in space":              {inSpace, nil, true, "torso"},
		"pycocotools, COCO":              {func(p keypoint.Point, _ float64) []float64 { return p[:] }, nil, false, ""},
		"pose-format, OpenPose":          {withConfidence, []string{"Neck", "MidHip"}, false, ""},
		"MediaPipe":                      {withConfidence, nil, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := programs[name]
			want := make([]map[string][]float64, seq.Len())
			have := make([]map[string][]float64, len(got.Frames))
			for i := range seq.Frames {
				want[i] = map[string][]float64{}
				for _, p := range seq.Frames[i].Present().List() {
					at, _ := seq.Frames[i].At(p)
					want[i][p.String()] = c.place(at, seq.Frames[i].Confidence(p))
				}
			}
			for i, f := range got.Frames {
				have[i] = map[string][]float64{}
				for name, numbers := range f {
					if p := part(t, name); p < keypoint.NumParts {
						name = p.String()
					} else if slices.Contains(c.extras, name) {
						continue
					}
					have[i][name] = numbers
				}
			}
			if d := cmp.Diff(want, have, cmpopts.EquateApprox(0, 1e-3)); d != "" {
				t.Error(d)
			}
			if c.timed && (!slices.Equal(got.Times, seq.Times) || strings.TrimSuffix(got.DataRate, ".0") != "30" || got.Units != c.units) {
				t.Errorf("%v s, %s frames/s, in %s", got.Times, got.DataRate, got.Units)
			}
		})
	}
	for i, residuals := range programs["c3d, C3D in space"].Residuals {
		if i == 1 && len(residuals) != 0 || i != 1 && math.Abs(residuals["LKnee"]-sigma) > 1e-3 {
			t.Errorf("C3D: residuals %v in frame %d", residuals, i)
		}
	}
	joints := map[string]keypoint.Part{"LeftArm": keypoint.LeftShoulder, "RightForeArm": keypoint.RightElbow, "LeftLeg": keypoint.LeftKnee, "RightLeg": keypoint.RightKnee}
	for i, joint := range programs["bvh, BVH"].Frames {
		for name, part := range joints {
			want, _ := doll(4).Frames[i].Positions().At(part)
			if d := cmp.Diff(want[:], joint[name], cmpopts.EquateApprox(0, 1e-5)); d != "" {
				t.Errorf("BVH: frame %d: %s: %s", i, name, d)
			}
		}
	}
	if of := programs["bvh, BVH"]; len(of.Frames) != 4 || of.DataRate != "30.0" {
		t.Errorf("BVH: %d frames, %s a second", len(of.Frames), of.DataRate)
	}
	if ap := programs["pycocotools, COCO"].AP; math.Abs(ap-1) > 1e-9 {
		t.Errorf("COCO: the average precision of the keypoints against themselves is %v", ap)
	}
	mot, flexion := programs["OpenSim, MOT"], make([]*float64, seq.Len())
	for i, v := range results[0].Values {
		if v.Present {
			flexion[i] = &v.X
		}
	}
	if d := cmp.Diff(map[string][]*float64{"left_knee_flexion": flexion}, mot.Columns, cmpopts.EquateApprox(0, 1e-9)); d != "" || mot.InDegrees != "yes" || !slices.Equal(mot.Times, seq.Times) {
		t.Errorf("MOT: inDegrees=%s, %v s, %s", mot.InDegrees, mot.Times, d)
	}
}

// metres is where a point of movie lies in metres, Y up.
func metres(p keypoint.Point, _ float64) []float64 {
	return []float64{(p[0] - 100) / 100, (400 - p[1]) / 100, 0}
}

// sigma is one standard deviation of each place of spatial.
const sigma = 0.05

// inSpace is where a point of movie lies in space.
func inSpace(p keypoint.Point, _ float64) []float64 {
	return []float64{p[0] / 100, 4 - p[1]/100, (p[0] - p[1]) / 200}
}

// spatial returns keypoints in space.
func spatial(seq keypoint.Sequence) keypoint.Sequence {
	seq = seq.Clone()
	seq.Space = &keypoint.Space{Unit: keypoint.Torso}
	for i := range seq.Frames {
		var places keypoint.Positions
		for _, p := range seq.Frames[i].Present().List() {
			at, _ := seq.Frames[i].At(p)
			places.Set(p, keypoint.Position(inSpace(at, 0)), sigma)
		}
		seq.Frames[i].SetPositions(&places)
	}
	return seq
}

// doll returns the places of a doll whose bones keep their lengths.
func doll(frames int) keypoint.Sequence {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, frames), Space: &keypoint.Space{Unit: keypoint.Metres}}
	for i := range seq.Frames {
		seq.Times = append(seq.Times, float64(i)/sample.DollRate)
		var places keypoint.Positions
		for p, at := range sample.Doll(seq.Times[i]) {
			if part := keypoint.Part(p); keypoint.Body.Has(part) {
				places.Set(part, at, 0)
			}
		}
		seq.Frames[i].SetPositions(&places)
	}
	return seq
}

func withConfidence(p keypoint.Point, confidence float64) []float64 {
	return []float64{p[0], p[1], confidence}
}
