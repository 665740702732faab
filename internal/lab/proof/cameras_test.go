package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// TestCameras: of the true projections with noise of 2 pixels, the cameras of all pairs are found, and the angles are those of the
// true cameras. The second recording is the true one of another focal length, frame rate and beginning.
func TestCameras(t *testing.T) {
	list, err := groups(testkit.Data(t, "rendered/pairs"), cleaned(projected(2)))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 7 {
		t.Fatalf("%d pairs", len(list))
	}
	for _, g := range list {
		r, err := g.measure()
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if g.name == "return" { // half of the walk there and of that back look alike
			continue
		}
		if math.Abs(r.offset) > 0.02 || r.rotation > 10 || r.residual > 4 {
			t.Errorf("%s: the offset is off by %.3f s, the rotation by %.1f degrees, the residual %.1f px", g.name, r.offset, r.rotation, r.residual)
		}
		one, err := g.recorded(r.joined)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := angles(one)
		if err != nil {
			t.Fatal(err)
		}
		for kind, limit := range map[analyze.Type]float64{analyze.KneeFlexion: 4, analyze.HipFlexion: 4, analyze.ElbowFlexion: 6, analyze.ShoulderFlexion: 4} {
			var p quantities
			for _, s := range samples {
				if strings.HasPrefix(s.what, string(kind)) {
					s.what = string(kind)
					p.add(0, s)
				}
			}
			if off := p[0].unbiased.RMSE(); !(off < limit) || !(r.apart[kind] < limit) {
				t.Errorf("%s: %s is off by %.1f degrees, and by %.1f from what the true cameras give", g.name, kind, off, r.apart[kind])
			}
		}
		if r.joined.Space.Unit != keypoint.Metres {
			t.Errorf("%s: the unit is %q", g.name, r.joined.Space.Unit)
		}
		if told, err := bones(one); err != nil || len(told) < 3 || math.Abs(told[0].errors[0]) > 5 {
			t.Errorf("%s: bones %v (%v)", g.name, told, err)
		}
	}
}

// TestWrong: recordings that do not belong together are refused with the reason.
func TestWrong(t *testing.T) {
	folder := testkit.Data(t, "rendered/pairs")
	read := func(name string) keypoint.Sequence {
		seq, err := cleaned(projected(2))(filepath.Join(folder, name+".mp4"))
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	lunge := read("lunge_a")
	for _, c := range []struct {
		name  string
		views []keypoint.Sequence
		want  []space.Reason
	}{
		{"less than a second", []keypoint.Sequence{lunge.Slice(0, 20), read("lunge_b")}, []space.Reason{"noOverlap", "tooLittleSeen"}},
	} {
		_, err := space.Join(c.views, space.Options{})
		var refused *space.Error
		if !errors.As(err, &refused) || !errors.Is(err, keypoint.ErrInvalid) || !slices.Contains(c.want, refused.Reason) {
			t.Errorf("%s: %v, want one of %q", c.name, err, c.want)
		}
	}
}

// TestSeveral prints the tables of the true projections, and names what is missing.
func TestSeveral(t *testing.T) {
	all, folder := testkit.Data(t, "rendered/pairs"), t.TempDir()
	for _, name := range []string{"squat.json", "squat_a.json", "squat_b.json", "lunge_b.json"} {
		if err := os.Symlink(filepath.Join(all, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"pairs", "-noise", "1", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rotation", "hips' drop", "kneeFlexion, left, in space", "within 2 σ"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), []string{"pairs", "-keypoints", t.TempDir(), folder}, io.Discard, io.Discard); err == nil {
		t.Error("keypoints that are missing: no error")
	}
}
