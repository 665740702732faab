package formats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func readTRC(text string) error {
	_, err := formats.ReadAs(strings.NewReader(text), "trc", formats.Options{})
	return err
}

func TestTRCRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sequences(0, true).Draw(t, "sequence")
		for i := range want.Frames {
			for _, p := range want.Frames[i].Present().List() {
				if at, _ := want.Frames[i].At(p); want.World.Point(at) == (keypoint.Point{}) {
					want.Frames[i].Set(p, at.Add(keypoint.Point{1, 0}), 1) // a marker at 0 0 0 was not seen
				}
			}
		}
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", want) })
		got, err := formats.ReadAs(strings.NewReader(text), "trc", formats.Options{})
		if err != nil {
			t.Fatal(err, text)
		}
		want = sure(want)
		want.Size.X, want.Size.Y = 0, 0
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestTRCText: absent parts are written as NaN, because OpenSim's readers lose an empty cell at the
// end of a row.
func TestTRCText(t *testing.T) {
	seq := short()
	seq.World = keypoint.World{MetresPerPixel: 0.005, Origin: keypoint.Point{300, 480}}
	text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", seq) })
	lines := strings.Split(text, "\n")
	nan := "\tNaN\tNaN\tNaN"
	for i, want := range map[int]string{
		2: "25\t25\t3\t17\tm\t25\t0\t3",
		5: "",
		7: "1\t0.04" + strings.Repeat(nan, 17),
		8: "2\t0.08" + strings.Repeat(nan, 5) + "\t0.20500000000000002\t1.75\t0" + strings.Repeat(nan, 11),
	} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
		}
	}
}

// TestTRCRate: the rates in the header are those of the camera, although times in JSON are rounded to
// microseconds.
func TestTRCRate(t *testing.T) {
	for rate, want := range map[float64]string{30: "30", 60: "60", 240: "240", 25: "25", 30000.0 / 1001: "29.97002997002997", 12.5: "12.5"} {
		seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 100)}
		for i := range seq.Frames {
			seq.Times = append(seq.Times, math.Round(float64(i)/rate*1e6)/1e6)
		}
		lines := strings.Split(written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", seq) }), "\n")
		if cells := strings.Split(lines[2], "\t"); cells[0] != want || cells[1] != cells[0] || cells[5] != cells[0] {
			t.Errorf("%v frames per second: %s", rate, lines[2])
		}
	}
}

// TestTRCScaled: converting to metres and back gives the same position up to rounding.
func TestTRCScaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.Float64Range(-4000, 4000)
		scale := rapid.Float64Range(1, 1000).Draw(t, "scale") // pixels a metre
		origin := keypoint.Point{place.Draw(t, "originX"), place.Draw(t, "originY")}
		want := keypoint.Point{place.Draw(t, "x"), place.Draw(t, "y")}
		s := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Times: []float64{0}}
		s.World = keypoint.World{MetresPerPixel: 1 / scale, Origin: origin}
		s.Frames[0].Set(keypoint.RightEar, want, 1)
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "trc", s) })
		back, err := formats.Read(strings.NewReader(text), "trc", formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := back.Frames[0].At(keypoint.RightEar)
		if got = got.Mul(back.World.MetresPerPixel * scale).Add(origin); !ok || got.Sub(want).Len() > 1e-9 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// reference returns the keypoints of a file of the data, such as reference_keypoints.json.
func reference(t *testing.T, file string) []keypoint.Frame {
	t.Helper()
	b, err := os.ReadFile(testkit.Data(t, "videos/"+file))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Frames []struct {
			Keypoints map[keypoint.Part][]float64 `json:"keypoints"`
		} `json:"frames"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	frames := make([]keypoint.Frame, len(doc.Frames))
	for i, f := range doc.Frames {
		for p, at := range f.Keypoints {
			confidence := 1.0
			if len(at) > 2 {
				confidence = at[2]
			}
			frames[i].Set(p, keypoint.Point{at[0], at[1]}, confidence)
		}
	}
	return frames
}

// near checks that frames equal those of a reference, whose numbers have two decimals.
func near(t *testing.T, want, got []keypoint.Frame) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range want {
		for _, p := range want[i].Present().List() {
			a, _ := want[i].At(p)
			b, ok := got[i].At(p)
			if !ok || math.Abs(a[0]-b[0]) > 0.0051 || math.Abs(a[1]-b[1]) > 0.0051 {
				t.Errorf("frame %d: %v is at %v, want %v", i, p, b, a)
			}
		}
	}
}

func TestTRCOfSports2D(t *testing.T) {
	f, err := os.Open(testkit.Data(t, "videos/sports2d_demo/sports2d_px_frames0-27.trc"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := formats.ReadAs(f, "trc", formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, reference(t, "sports2d_demo/reference_keypoints.json"), got.Frames)
	if got.Times[0] != 0 || got.Times[1] != 0.26436781609195403 {
		t.Errorf("times %v", got.Times[:2])
	}
}

// TestTRCOfPose2Sim reads metres with the y axis up: the person stands on the ground and has the
// height of a person.
func TestTRCOfPose2Sim(t *testing.T) {
	for _, name := range []string{"pose2sim_3d_m.trc", "pose2sim_3d_m_filtered.trc"} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(testkit.Data(t, "videos/pose2sim_balance_cam01/"+name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s, err := formats.Read(f, "", formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if fps, _ := s.FrameRate(); s.Len() != 100 || math.Abs(fps-60) > 0.01 {
				t.Fatalf("%d frames at %v per second", s.Len(), fps)
			}
			hip, _ := s.Frames[0].At(keypoint.RightHip)
			if want := (keypoint.Point{-65, -901.5}); hip.Sub(want).Len() > 0.1 {
				t.Errorf("the right hip is at %v, want %v", hip, want)
			}
			for i := range s.Frames {
				low, high, _ := s.Frames[i].Bounds()
				if h := high[1] - low[1]; s.Frames[i].Len() != 19 || s.Frames[i].Present()&keypoint.Feet != keypoint.Feet || h < 1200 || h > 1900 {
					t.Errorf("frame %d: %d parts over %v mm", i, s.Frames[i].Len(), h)
				}
			}
		})
	}
}

const trcHead = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n30\t2\t2\tmm\n" +
	"Frame#\tTime\tHead\t\t\tNose\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"

func TestTRCUnits(t *testing.T) {
	const text = trcHead + "1\t0\t1\t2\t3\t1000\t2000\t0\n2\t0.1\n"
	for name, c := range map[string]struct {
		read func(io.Reader, string, formats.Options) (keypoint.Sequence, error)
		want keypoint.Point
	}{
		"alone":   {formats.ReadAs, keypoint.Point{1000, -2000}},
		"checked": {formats.Read, keypoint.Point{1000, -2000}},
	} {
		s, err := c.read(strings.NewReader(text), "trc", formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Frames[0].At(keypoint.Nose); got.Sub(c.want).Len() > 1e-9 || s.Frames[0].Len() != 1 || !s.Frames[1].Empty() {
			t.Errorf("%s: %v, want %v; %v", name, got, c.want, s.Frames)
		}
	}
	s, err := formats.ReadAs(strings.NewReader(trcHead+"1\t0\t1\t2\t3\t0\t0\t0\n2\t1\t1\t2\t3\tNaN\tNaN\t\n"), "trc", formats.Options{})
	if err != nil || !s.Frames[0].Empty() || !s.Frames[1].Empty() {
		t.Errorf("absent: %v %v", s.Frames, err)
	}
}

func TestTRCWrong(t *testing.T) {
	row := "1\t0\t1\t2\t3\t1\t2\t3\n"
	wrongs(t, readTRC, map[string][2]string{
		"empty":          {"", "line 1: the input ends here, want a line that begins with PathFileType"},
		"something else": {"frame,time", `line 1: begins with "frame,time", want PathFileType`},
		"names":          {"PathFileType\nDataRate Units\n30\n", "line 3: there are 1 values, want 2"},
		"a count":        {"PathFileType\nNumFrames\nmany\n", `line 3: NumFrames: is "many"`},
		"no markers":     {"PathFileType\nUnits\nm\n", "line 4: the input ends here, want the names of the markers"},
		"spaces":         {"PathFileType\nUnits\nm\nFrame# Time Nose\n", "line 4: want Frame#, Time"},
		"markers":        {strings.Replace(trcHead, "Nose", "Nose\t\t\tLEye", 1), "line 4: NumMarkers: there are names for 3 markers, want 2"},
		"between":        {strings.Replace(trcHead, "Nose", "\tNose", 1), "line 4: Nose: the name of the marker is in column 7"},
		"twice":          {strings.Replace(trcHead, "Head", "Nose", 1), `line 4: "Nose" is there twice`},
		"no part":        {strings.Replace(trcHead, "Nose", "Neck", 1), "line 4: no marker is one of the parts"},
		"no axes":        {"PathFileType\nUnits\nm\nFrame#\tTime\tNose\n", "line 5: the input ends here, want the line X1"},
		"cells":          {trcHead + "1\t0\t1\t2\t3\t1\t2\n", "line 7: there are 7 cells, want 8"},
		"more cells":     {trcHead + "1\t0\t1\t2\t3\t1\t2\t3\t4\n", "line 7: there are 9 cells, want 8"},
		"frame":          {trcHead + "a\t0\n", `line 7: Frame#: is "a"`},
		"gap":            {trcHead + row + "3\t1\n", "line 8: frame: is 3, want 2"},
		"no time":        {trcHead + "1\t \n", "line 7: Time: is not a number"},
		"bad time":       {trcHead + "1\tx\n", `line 7: Time: is "x"`},
		"still":          {trcHead + row + "2\t0\n", "line 8: time: is 0 s"},
		"bad number":     {trcHead + "1\t0\t1\t2\t3\t1\ty\t3\n", `line 7: Nose Y: is "y"`},
		"half a point":   {trcHead + "1\t0\t1\t2\t3\t1\t\t3\n", "line 7: Nose: has only one of X and Y"},
		"too few":        {trcHead + row, "NumFrames: there are 1 frames, want 2"},
	})
	if err := formats.Write(io.Discard, "trc", keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no times: %v", err)
	}
	if _, err := formats.ReadAs(broken{}, "trc", formats.Options{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := formats.Write(broken{}, "trc", short()); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func FuzzReadTRC(f *testing.F) {
	f.Add(written(f, func(b *bytes.Buffer) error { return formats.Write(b, "trc", short()) }))
	f.Add(trcHead + "1\t0\t1\t2\t3\t1000\t2000\t0\n2\t0.1\n")
	f.Fuzz(func(t *testing.T, text string) {
		opt := formats.Options{Limits: formats.Limits{Frames: 1000}}
		s, err := formats.ReadAs(strings.NewReader(text), "trc", opt)
		sound(t, s, err)
	})
}
