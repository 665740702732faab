package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// ownFolder returns a folder with a walk as keypoints, a reference of it that is turned by 5 degrees, and its strikes 20 ms late.
func ownFolder(t *testing.T) (folder string) {
	t.Helper()
	known := truthOf(t, "walk_across_90")
	reference := known.Parts.Clone()
	for i := range reference.Frames {
		f := &reference.Frames[i]
		for _, side := range []func(keypoint.Part) keypoint.Part{func(p keypoint.Part) keypoint.Part { return p }, keypoint.Part.Mirror} {
			knee, okK := f.At(side(keypoint.LeftKnee))
			ankle, okA := f.At(side(keypoint.LeftAnkle))
			if okK && okA {
				at := ankle.Sub(knee)
				sin, cos := math.Sincos(5 * math.Pi / 180)
				f.Set(side(keypoint.LeftAnkle), knee.Add(keypoint.Point{cos*at[0] - sin*at[1], sin*at[0] + cos*at[1]}), 1)
			}
		}
	}
	events := "time,side,event\n"
	for _, e := range known.Events {
		if e.What == truth.HeelStrike {
			events += fmt.Sprintf("%.4f,%s,%s\n", e.Time+0.02, e.Side, e.What)
		}
	}
	found, err := known.Parts.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var other bytes.Buffer
	if err := formats.Write(&other, "csv", reference); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"walk.json": found, "walk.reference.csv": other.Bytes(), "walk.events.csv": []byte(events)}
	folder = t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// cells returns the cells of a row of a table after its name.
func cells(t *testing.T, table, name string) []string {
	t.Helper()
	for row := range strings.Lines(table) {
		if list := strings.Split(row, " | "); strings.TrimPrefix(list[0], "| ") == name {
			return list[1:]
		}
	}
	t.Fatalf("there is no %q in\n%s", name, table)
	return nil
}

// TestOwnFolder: the table of keypoints beside a reference has the error that the reference has, and that of annotated steps.
func TestOwnFolder(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"told", ownFolder(t)}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ bias, within, spread float64 }{
		"kneeFlexion, each frame, °": {5, 0.1, 1}, "hipFlexion, each frame, °": {0, 0.1, 1}, "heel strike, ms": {20, 5, 10},
	} {
		row := cells(t, out.String(), name)
		bias, err := strconv.ParseFloat(row[2], 64)
		spread, errS := strconv.ParseFloat(row[5], 64)
		if err != nil || errS != nil || math.Abs(math.Abs(bias)-want.bias) > want.within || spread > want.spread {
			t.Errorf("%s: %q, want a bias of %v and %v without it", name, row, want.bias, want.spread)
		}
	}
}

// TestOwnFolderMistakes: what is missing or cannot be read is named.
func TestOwnFolderMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string // "": the file is taken away
		want  string
	}{
		"no recording":   {map[string]string{"walk.json": ""}, "0 recordings are called walk.*"},
		"two recordings": {map[string]string{"walk.csv": "frame"}, "2 recordings are called walk.*"},
		"a movie alone":  {map[string]string{"walk.json": "", "walk.mp4": "movie"}, "-estimator finds them"},
		"no header":      {map[string]string{"walk.events.csv": "1.5,left,heel strike\n"}, "line 1"},
		"another event":  {map[string]string{"walk.events.csv": "time,side,event\n1.5,left,hop\n"}, "line 2"},
		"no time":        {map[string]string{"walk.events.csv": "time,side,event\nsoon,left,toe off\n"}, "line 2"},
		"no keypoints":   {map[string]string{"walk.reference.csv": "markers"}, "walk.reference.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := ownFolder(t)
			for file, text := range c.files {
				path := filepath.Join(folder, file)
				err := os.WriteFile(path, []byte(text), 0o600)
				if text == "" {
					err = os.Remove(path)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := run(t.Context(), []string{"told", folder}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestMarkers: the flat picture of walks with markers shows hips and ankles within 1 degree, and knees within 5.
func TestMarkers(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"markers", testkit.Data(t, "gait_markers")}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]float64{"kneeFlexion, each frame, °": 5, "hipFlexion, each frame, °": 1, "ankleDorsiflexion, each frame, °": 1} {
		row := cells(t, out.String(), name)
		if rmse, err := strconv.ParseFloat(row[4], 64); err != nil || rmse > limit || rmse == 0 {
			t.Errorf("%s: %q, want at most %v", name, row, limit)
		}
	}
	if row := cells(t, out.String(), "heel strike, ms"); row[1] != "10" {
		t.Errorf("strikes: %q", row)
	}
}
