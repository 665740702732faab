package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// doll is a recording of the doll from its side.
func doll() keypoint.Sequence {
	return sample.Film(sample.Camera(mgl64.Vec3{4.6, 1.2, 0}, mgl64.Vec3{0, 0.95, 0}, 700), 120)
}

// squats is somebody who faces right and bends both knees twice in four seconds.
func squats() keypoint.Sequence {
	seq := keypoint.Sequence{Size: image.Pt(400, 450)}
	for i := range 121 {
		var f keypoint.Frame
		t := float64(i) / 30
		sin, cos := math.Sincos(40 * (1 - math.Cos(math.Pi*t)) * math.Pi / 180)
		for _, hip := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip} {
			f.Set(hip-6, keypoint.Point{100, 150 - 100*cos}, 1) // the shoulder
			f.Set(hip, keypoint.Point{100, 300 - 100*cos}, 1)
			f.Set(hip+2, keypoint.Point{100 + 100*sin, 300}, 1) // the knee
			f.Set(hip+4, keypoint.Point{100 + 100*sin, 400}, 1)
		}
		f.Set(keypoint.Nose, keypoint.Point{120, 60}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}

// inProcess runs a command line, and returns its rows, standard error and error.
func inProcess(t *testing.T, line string) (rows []row, stderr string, err error) {
	t.Helper()
	var stdout, problems bytes.Buffer
	root := newRoot(&stdout, &problems)
	root.SetArgs(append(strings.Fields(line), "--json"))
	err = root.ExecuteContext(t.Context())
	for d := json.NewDecoder(&stdout); d.More(); {
		var r row
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows, problems.String(), err
}

// TestGiven: keypoints in each format are measured as those of the movie are, without networks and FFmpeg. What a file does not
// say is asked for by the flag that says it.
func TestGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", t.TempDir())
	seq := doll()
	text, err := json.Marshal(seq)
	if err != nil {
		t.Fatal(err)
	}
	put(t, ".", "doll.json", text)
	want, stderr, err := inProcess(t, "analyze doll.json")
	if err != nil || stderr != "" || len(want) != 1 || want[0].Frames != 120 || want[0].Quality == "" {
		t.Fatalf("%+v, %v %s", want, err, stderr)
	}
	for _, f := range keypointFormats {
		name := "doll." + f.file
		err := writeFile(name, func(w io.Writer) error { return f.write(w, seq) })
		if err != nil {
			t.Fatal(err)
		}
		line := "analyze " + name
		for _, need := range map[string][]string{"mediapipe": {"--size", "--rate"}, "openpose": {"--rate"}}[f.name] {
			if _, said, err := inProcess(t, line); err == nil || !strings.Contains(said, need) {
				t.Errorf("%s: %v, %s, want %s", line, err, said, need)
			}
			line += map[string]string{"--size": " --size 1280x720", "--rate": " --rate 30"}[need]
		}
		got, stderr, err := inProcess(t, line)
		if err != nil || len(got) != 1 || got[0].Frames != 120 || len(got[0].Values) != len(want[0].Values) {
			t.Errorf("%s: %v %s, %+v", line, err, stderr, got)
			continue
		}
		for i, v := range got[0].Values {
			if w := want[0].Values[i]; w.Trust == quality.TrustGood && v.Trust == quality.TrustGood && math.Abs(v.Value.X-w.Value.X) > 0.5 {
				t.Errorf("%s: %s is %.2f, that of the JSON %.2f", line, v.Name, v.Value.X, w.Value.X)
			}
		}
	}
}

// TestGivenWrong: what cannot be read, drawn or be the movie says so in a line.
func TestGivenWrong(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", "notes.json", []byte(`{"notes": 1}`))
	put(t, ".", "body.jpg", sample.JPEG())
	seq := doll()
	seq.Size = image.Point{}
	err := writeJSON("doll.json", seq)
	seq.Frames, seq.Times = seq.Frames[:1], nil
	if err == nil {
		err = writeJSON("one.json", seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"analyze notes.json":                                "notes.json: format: ",
		"analyze --size 640 doll.json":                      "want width and height in pixels",
		"analyze --size 640x480x3 doll.json":                "want width and height in pixels",
		"analyze --size 0x480 doll.json":                    "want width and height in pixels",
		"draw doll.json":                                    "the keypoints have no size",
		"draw --phases 2 doll.json":                         "want 3 to 15 pictures",
		"draw --phases 5 --repetition 9 doll.json":          "--repetition is 9: ",
		"draw --movie body.jpg body.jpg":                    "--movie is for one keypoint file, not 0",
		"draw --movie body.jpg doll.json one.json":          "--movie is for one keypoint file, not 2",
		"draw --movie none.mp4 one.json":                    "--movie: ",
		"compare --movie body.jpg doll.json one.json":       "--movie is for one keypoint file, not 2",
		"report --size 1000x800 --movie body.jpg one.json":  "that of its keypoints 1000 × 800",
		"draw --size 1000x800 --movie body.jpg one.json":    "its keypoints are of a picture of (1000,800)",
		"report --size 1280x720 --movie body.jpg doll.json": "not a movie",
	} {
		_, stderr, err := inProcess(t, line+" --out "+t.TempDir())
		if err == nil || !strings.Contains(stderr+err.Error(), want) {
			t.Errorf("%s: %v %s, want %s", line, err, stderr, want)
		}
	}
}

// TestGivenDrawn: keypoints without a movie are drawn onto a plain background, with one onto it.
func TestGivenDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	t.Chdir(t.TempDir())
	put(t, ".", "body.jpg", sample.JPEG())
	seq := doll()
	err := writeJSON("doll.json", seq)
	size := image.Rectangle{}
	if err == nil {
		var picture image.Image
		picture, _, err = image.Decode(bytes.NewReader(sample.JPEG()))
		size = picture.Bounds()
	}
	seq.Size, seq.Frames, seq.Times = size.Max, seq.Frames[:1], nil
	if err == nil {
		err = writeJSON("one.json", seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(line string) []byte {
		t.Helper()
		rows, stderr, err := inProcess(t, line)
		if err != nil || len(rows) != 1 {
			t.Fatalf("%s: %v %s", line, err, stderr)
		}
		b, err := os.ReadFile(filepath.Join("motion-out", rows[0].Files[len(rows[0].Files)-1]))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if movie := drawn("draw doll.json"); len(movie) < 1000 || string(movie[4:8]) != "ftyp" {
		t.Errorf("%d bytes, want a movie", len(movie))
	}
	if err := writeJSON("squats.json", squats()); err != nil {
		t.Fatal(err)
	}
	if phases := drawn("draw --phases 5 --repetition 2 squats.json"); !bytes.HasPrefix(phases, []byte("\x89PNG")) || binary.BigEndian.Uint32(phases[16:]) != 2600 {
		t.Errorf("phases of %d bytes, want a picture 2600 pixels wide", len(phases))
	}
	plain := drawn("draw one.json")
	if onto := drawn("draw --movie body.jpg one.json"); len(onto) < len(plain) || bytes.Equal(onto, plain) {
		t.Errorf("onto the picture %d bytes, onto nothing %d", len(onto), len(plain))
	}
	with := drawn("report --movie body.jpg one.json")
	if without := drawn("report one.json"); len(with) <= len(without) {
		t.Errorf("a report with the picture has %d bytes, without %d", len(with), len(without))
	}
	if b := drawn("compare --draw doll.json doll.json one.json"); len(b) < 100 {
		t.Errorf("a comparison of %d bytes", len(b))
	}
}
