package formats_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func readMOT(text string) error {
	_, err := formats.ReadMOT(strings.NewReader(text), formats.Limits{})
	return err
}

func TestMOTRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := formats.Motion{Name: rapid.StringMatching(`[a-z]([ a-z]*[a-z])?`).Draw(t, "name"), Times: []float64{}}
		n := rapid.IntRange(0, 5).Draw(t, "rows")
		for i := range n {
			want.Times = append(want.Times, float64(i)+rapid.Float64Range(0, 0.9).Draw(t, "time"))
		}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching(`[A-Za-z]{3}_[rl]`), rapid.ID).Draw(t, "names") {
			c := formats.Column{Name: name, Values: []analyze.Value{}}
			for range n {
				v := analyze.Value{Present: rapid.Bool().Draw(t, "present")}
				if v.Present {
					v.X = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "value")
				}
				c.Values = append(c.Values, v)
			}
			want.Columns = append(want.Columns, c)
		}
		text := written(t, func(b *bytes.Buffer) error { return formats.WriteMOT(b, want) })
		got, err := formats.ReadMOT(strings.NewReader(text), formats.Limits{})
		if err != nil {
			t.Fatal(err, text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestMOTOfOpenSim reads angles that OpenSim computed for a movie, and compares the knees with those
// of the markers they were computed from. SOURCES.md gives a difference of 3 to 8 degrees.
func TestMOTOfOpenSim(t *testing.T) {
	for name, columns := range map[string]int{"opensim_ik_LSTM.mot": 68, "opensim_ik_body25b.mot": 62} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(testkit.Data(t, "videos/pose2sim_balance_cam01/"+name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			m, err := formats.ReadMOT(f, formats.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Name != "Coordinates" || len(m.Times) != 100 || len(m.Columns) != columns {
				t.Fatalf("%q, %d rows, %d columns", m.Name, len(m.Times), len(m.Columns))
			}
			knee := m.Columns[9]
			if knee.Name != "knee_angle_r" {
				t.Fatalf("column 9 is %s", knee.Name)
			}
			var off []float64
			for i, inner := range innerKnees(t) {
				off = append(off, math.Abs(knee.Values[i].X-(180-inner)))
			}
			slices.Sort(off)
			if median := off[len(off)/2]; median > 8 {
				t.Errorf("the right knee is off by %v degrees", median)
			}
			text := written(t, func(b *bytes.Buffer) error { return formats.WriteMOT(b, m) })
			again, err := formats.ReadMOT(strings.NewReader(text), formats.Limits{})
			if err != nil || !cmp.Equal(m, again) {
				t.Errorf("written and read again it is another: %v", err)
			}
		})
	}
}

// innerKnees returns the angle at the right knee in the markers, degrees, 180 when straight.
func innerKnees(t *testing.T) (degrees []float64) {
	t.Helper()
	b, err := os.ReadFile(testkit.Data(t, "videos/pose2sim_balance_cam01/geom3d_angles.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		v, err := strconv.ParseFloat(strings.Split(row, ",")[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		degrees = append(degrees, v)
	}
	return degrees
}

func TestMOTWrong(t *testing.T) {
	const head = "a\ninDegrees=yes\nendheader\ntime\tknee\n"
	wrongs(t, readMOT, map[string][2]string{
		"empty":          {"", "line 1: the input ends here, want the name"},
		"no name":        {"endheader\n", "line 1: the header ends here"},
		"no end":         {"a\nversion=1\n", "line 3: the input ends here, want a line endheader"},
		"radians":        {"a\ninDegrees=no\n", `line 2: inDegrees: is "no", want yes`},
		"unknown unit":   {"a\nendheader\n", "line 2: inDegrees: is missing"},
		"no names":       {"a\ninDegrees=yes\nendheader\n", "line 4: the input ends here"},
		"no time":        {"a\ninDegrees=yes\nendheader\nknee\n", `begin with "knee", want time`},
		"blank names":    {"a\ninDegrees=yes\nendheader\n\n", `begin with "", want time`},
		"name twice":     {"a\ninDegrees=yes\nendheader\ntime a a\n", "line 4: a: the name of the column is taken"},
		"columns":        {"a\nnColumns=3\ninDegrees=yes\nendheader\ntime a\n", "nColumns: there are 2 names, want 3"},
		"bad count":      {"a\nnRows=-1\n", `line 2: nRows: is "-1"`},
		"too many names": {"a\ninDegrees=yes\nendheader\ntime" + strings.Repeat(" a", 4096), "4097 columns"},
		"rows":           {"a\nnRows=2\ninDegrees=yes\nendheader\ntime a\n0 1\n", "nRows: there are 1 rows, want 2"},
		"cells":          {head + "0 1 2\n", "line 5: there are 3 cells, want 2"},
		"no number":      {head + "0 x\n", `line 5: knee: is "x"`},
		"bad time":       {head + "x 0\n", `line 5: time: is "x"`},
		"NaN time":       {head + "NaN 0\n", "line 5: time: is not a number"},
		"still":          {head + "1 0\n\n1 0\n", "line 7: time: is 1 s"},
	})
	_, err := formats.ReadMOT(strings.NewReader(head+"0 1\n1 2\n"), formats.Limits{Frames: 1})
	if err == nil || !strings.Contains(err.Error(), "line 6: there are more than 1 frames") {
		t.Errorf("too many: %v", err)
	}
	for name, m := range map[string]formats.Motion{
		"no times":  {},
		"two lines": {Name: "a\nb", Times: []float64{}},
		"spaces":    {Times: []float64{}, Columns: []formats.Column{{Name: "a b"}, {Name: "a_b"}}},
	} {
		if err := formats.WriteMOT(io.Discard, m); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := formats.ReadMOT(broken{}, formats.Limits{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := formats.WriteMOT(broken{}, formats.Motion{Times: []float64{}}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func FuzzReadMOT(f *testing.F) {
	f.Add("Coordinates\nversion=1\nnRows=2\nnColumns=2\ninDegrees=yes\n\nfree text\nendheader\ntime\tknee\n  0.5\t  1\n0.75\tNaN\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := formats.ReadMOT(strings.NewReader(text), formats.Limits{Frames: 1000})
		if err != nil {
			sound(t, keypoint.Sequence{}, err)
			return
		}
		out := written(t, func(b *bytes.Buffer) error { return formats.WriteMOT(b, m) })
		again, err := formats.ReadMOT(strings.NewReader(out), formats.Limits{})
		if m.Name == "" {
			m.Name = "Coordinates"
		}
		if err != nil || !cmp.Equal(m, again, cmpopts.EquateEmpty()) {
			t.Fatalf("%v\n%s", err, cmp.Diff(m, again))
		}
	})
}
