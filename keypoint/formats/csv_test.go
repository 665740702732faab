package formats_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func readCSV(text string) error {
	_, err := formats.ReadAs(strings.NewReader(text), "csv", formats.Options{})
	return err
}

func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sequences(0, rapid.Bool().Draw(t, "timed")).Draw(t, "sequence")
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "csv", want) })
		got, err := formats.ReadAs(strings.NewReader(text), "csv", formats.Options{})
		if err != nil {
			t.Fatal(err, text)
		}
		want.Size.X, want.Size.Y = 0, 0 // CSV has none
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestCSVOfOthers(t *testing.T) {
	for name, text := range map[string]string{
		"as Excel saves it":  "\ufeffnose_x,nose_y,frame,left_hip_x,left_hip_y,LKnee_x,LKnee_y\r\n1,2,7,,,,\r\n,,8,3,4,5,6\r\n",
		"NaN, another order": "nose_y,nose_x,left_hip_x,left_hip_y,LKnee_y,LKnee_x,frame,nose_confidence\n2,1,NaN,nan,,,7,\n,,3,4,6,5,8,0.5\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := formats.ReadAs(strings.NewReader(text), "csv", formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := keypoint.Sequence{Frames: make([]keypoint.Frame, 2)}
			want.Frames[0].Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
			want.Frames[1].Set(keypoint.LeftHip, keypoint.Point{3, 4}, 1)
			want.Frames[1].Set(keypoint.LeftKnee, keypoint.Point{5, 6}, 1)
			if d := diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCSVWrong(t *testing.T) {
	const wide = "frame,time,nose_x,nose_y,nose_confidence\n"
	wrongs(t, readCSV, map[string][2]string{
		"empty":                  {"", "line 1: the input is empty"},
		"no frame column":        {"nose_x,nose_y\n", "line 1: frame: the column is missing"},
		"unknown column":         {"frame,nose_x,nose_y,note\n", "line 1: note: is not a known column"},
		"column without name":    {",frame,nose_x,nose_y\n", "line 1: \"\": is not a known column"},
		"column twice":           {"frame,nose_x,nose_x\n", "nose_x: the column appears twice"},
		"column in two ways":     {"frame,leftEye_x,leftEye_y,left_eye_x\n", "left_eye_x: the column appears twice"},
		"x without y":            {"frame,nose_x\n", "nose: a column is missing"},
		"no parts":               {"frame,time\n", "there is no part"},
		"too many columns":       {strings.Repeat("x,", 5000) + "\n", "5001 columns, want at most 4096"},
		"cells":                  {wide + "0,0,1,2\n", "line 2: there are 4 cells, want 5"},
		"quotes":                 {wide + "0,0,\"1,2,3\n", "line 2: "},
		"no number":              {wide + "0,0,1,2,1\n1,1,one,2,1\n", `line 3: nose_x: is "one", want a finite number`},
		"infinite":               {wide + "0,0,1,-Inf,1\n", "line 2: nose_y: is"},
		"out of range":           {wide + "0,0,1,1e999,1\n", "line 2: nose_y: is"},
		"half a point":           {wide + "0,0,1,,1\n", "line 2: nose_y: is missing"},
		"frame":                  {wide + "0.5,0,1,2,1\n", `line 2: frame: is "0.5", want a whole number`},
		"frames with a gap":      {wide + "0,0,1,2,1\n2,1,1,2,1\n", "line 3: frame: is 2, want 1"},
		"times that stand still": {wide + "0,1,1,2,1\n1,1,1,2,1\n", "line 3: time: is 1 s, want more than"},
		"a time is missing":      {wide + "0,1,1,2,1\n1,,1,2,1\n", "line 3: time: is missing"},
		"a time too many":        {wide + "0,,1,2,1\n1,1,1,2,1\n", "line 3: time: is a number"},
		"long line":              {wide + strings.Repeat("1", 2<<20), "line 2: the line is longer than 1048576 bytes"},
	})
}

func TestLimits(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "csv", short()) })
	for _, c := range []struct {
		limits formats.Limits
		want   string // of the error; "" for none
	}{
		{formats.Limits{}, ""},
		{formats.Limits{Bytes: -1, Frames: -1}, ""},
		{formats.Limits{Bytes: int64(len(text)), Frames: 3}, ""},
		{formats.Limits{Bytes: int64(len(text)) - 1}, "the input is longer than"},
		{formats.Limits{Frames: 2}, "line 4: frame: there are more than 2 frames"},
	} {
		_, err := formats.Read(strings.NewReader(text), "csv", formats.Options{Limits: c.limits})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.limits, err, c.want)
		}
	}
}

func TestCSVFaults(t *testing.T) {
	if _, err := formats.ReadAs(broken{}, "csv", formats.Options{}); !errors.Is(err, errBroken) || errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("reading: %v", err)
	}
	if err := formats.Write(broken{}, "csv", short()); !errors.Is(err, errBroken) {
		t.Errorf("writing: %v", err)
	}
	if err := formats.Write(io.Discard, "csv", keypoint.Sequence{Times: []float64{math.NaN()}}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no sequence: %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add(written(f, func(b *bytes.Buffer) error { return formats.Write(b, "csv", short()) }))
	f.Add("frame,nose_x,nose_y\n3,NaN,\n4,1e-300,-0\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := formats.ReadAs(strings.NewReader(text), "csv", formats.Options{Limits: formats.Limits{Frames: 1000}})
		sound(t, s, err)
		if err != nil || s.Len() == 0 {
			return
		}
		again, err := formats.ReadAs(strings.NewReader(written(t, func(b *bytes.Buffer) error { return formats.Write(b, "csv", s) })), "csv", formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(s, again); d != "" {
			t.Fatal(d)
		}
	})
}
