package formats_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// analysed returns the results of rules for a recording.
func analysed(t testing.TB, seq keypoint.Sequence, rules string) []formats.Column {
	t.Helper()
	list, err := analyze.ParseRules([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, list)
	if err != nil {
		t.Fatal(err)
	}
	return formats.Columns(results)
}

func TestColumnsCSV(t *testing.T) {
	columns := analysed(t, short(), `[
		{"analysisType":"coordinate","points":["nose"]},
		{"analysisType":"verticalDifference","points":["leftShoulder",{"pointType":"midpoint","pointName":["nose","leftShoulder"]}]},
		{"analysisType":"speed","points":["nose"]},
		{"analysisType":"coordinate","points":["nose"]}]`)
	const names = "nose coordinate x [px],nose coordinate y [px],vertical difference left shoulder - midpoint of nose and left shoulder [px]," +
		"nose speed [px/s],nose coordinate 2 x [px],nose coordinate 2 y [px]\n"
	for _, c := range []struct {
		name  string
		times []float64
		want  string
	}{
		{"times", short().Times, "frame,time [s]," + names + "0,0,317.4,88.12,21.189999999999998,,317.4,88.12\n1,0.04,,,,,,\n2,0.08,,,,,,\n"},
		{"no times", nil, "frame,time [s]," + names + "0,,317.4,88.12,21.189999999999998,,317.4,88.12\n1,,,,,,,\n2,,,,,,,\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := written(t, func(b *bytes.Buffer) error { return formats.WriteColumnsCSV(b, c.times, columns) })
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if got := written(t, func(b *bytes.Buffer) error { return formats.WriteColumnsCSV(b, nil, nil) }); got != "frame,time [s]\n" {
		t.Errorf("nothing: %q", got)
	}
}

func TestColumnsWrong(t *testing.T) {
	one := []analyze.Value{{X: 1, Present: true}}
	for name, c := range map[string]struct {
		times   []float64
		columns []formats.Column
		want    string
	}{
		"no name":    {[]float64{0}, []formats.Column{{"", "", one}}, "no name"},
		"taken":      {[]float64{0}, []formats.Column{{"a", "", one}, {"a", "m", one}}, "a: the name of the column is taken"},
		"time":       {[]float64{0}, []formats.Column{{"time", "", one}}, "time: the name of the column is taken"},
		"too few":    {[]float64{0, 1}, []formats.Column{{"a", "", one}}, "a: there are 1 values, want 2"},
		"NaN":        {[]float64{0}, []formats.Column{{"a", "", []analyze.Value{{X: math.NaN(), Present: true}}}}, "a: is NaN in frame 0"},
		"still":      {[]float64{1, 1}, nil, "time: is 1 s in frame 1"},
		"no instant": {[]float64{math.Inf(1)}, nil, "time: is +Inf s in frame 0"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range []error{
				formats.WriteColumnsCSV(io.Discard, c.times, c.columns),
				formats.WriteMOT(io.Discard, formats.Motion{Times: c.times, Columns: c.columns}),
			} {
				if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q in it", err, c.want)
				}
			}
		})
	}
	if err := formats.WriteColumnsCSV(broken{}, []float64{0}, []formats.Column{{"a", "", one}}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}
