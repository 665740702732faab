package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
)

// TestTogether: a clock that is half a second ahead is found by an angle that is 4 degrees too large, and one of which nothing is told is
// an error.
func TestTogether(t *testing.T) {
	c := twoClocks{rate: 120, truth: [][]analyze.Value{nil}, told: []study.Measure{{}}}
	angle := func(at float64) float64 { return 60 * math.Exp(-(at-4)*(at-4)) }
	for i := range 240 {
		c.times = append(c.times, float64(i)/30)
		c.told[0].Values = append(c.told[0].Values, analyze.Value{X: angle(c.times[i]) + 4, Present: true})
		c.told[0].Uncertainty = append(c.told[0].Uncertainty, analyze.Value{X: 3, Present: true})
	}
	for i := range 960 {
		c.truth[0] = append(c.truth[0], analyze.Value{X: angle(float64(i)/120 - 0.5), Present: true})
	}
	ahead, err := c.together()
	if s := c.sums(ahead)[0]; err != nil || math.Abs(ahead-0.5) > 0.01 || math.Abs(s.Bias()-4) > 0.1 || s.N < 200 {
		t.Errorf("%v s ahead, %v; %d values with a bias of %v", ahead, err, s.N, s.Bias())
	}
	c.told[0].Values = make([]analyze.Value, 240)
	if _, err := c.together(); err == nil {
		t.Error("nothing is laid on something")
	}
}

// TestClocks: markers of a knee that bends are read with what OpenPose wrote of nobody, of which nothing is told; what is missing is named.
func TestClocks(t *testing.T) {
	dir := t.TempDir()
	var csv strings.Builder
	names := []string{"LASI", "RASI", "LPSI", "RPSI", "LKNE", "RKNE", "LANK", "RANK", "LSHO", "RSHO", "LELB", "RELB", "LWRA", "RWRA", "LWRB", "RWRB"}
	fmt.Fprint(&csv, "Trajectories\n120\n,")
	for _, name := range names {
		fmt.Fprintf(&csv, ",A:%s,,", name)
	}
	fmt.Fprint(&csv, "\n\n\n")
	for i := range 240 {
		fmt.Fprintf(&csv, "%d,0", i)
		for k := range names {
			fmt.Fprintf(&csv, ",%d,%d,%d", 100*(k%2), 10*k, 1500-60*k)
		}
		fmt.Fprintln(&csv)
	}
	if err := os.WriteFile(filepath.Join(dir, "walk.csv"), []byte(csv.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 60 {
		f, err := z.Create(fmt.Sprintf("walk_%012d_keypoints.json", i))
		if err == nil {
			_, err = io.WriteString(f, `{"version":1.3,"people":[]}`)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"clocks", dir}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "walk.zip") {
		t.Errorf("without what OpenPose wrote: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "walk.zip"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"clocks", dir}, &out, io.Discard); err != nil || !strings.Contains(out.String(), "nothing is told") {
		t.Errorf("%v: %s", err, out.String())
	}
	if err := run(t.Context(), []string{"clocks", t.TempDir()}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "NAME.csv") {
		t.Errorf("an empty folder: %v", err)
	}
}
