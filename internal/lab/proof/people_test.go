package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// film writes a recording of a rendered movement by a camera as if a network without errors had found it.
func film(t *testing.T, folder, person string, number int, known *truth.Truth, c keypoint.Camera) {
	t.Helper()
	name := fmt.Sprintf("%s_%d", person, number)
	r := c.Rotation
	meta, err := json.Marshal(map[string]any{
		"kind": "B", "name": name, "person": person, "take": "squat", "cam": number, "n": known.Parts.Len(), "rate": 1 / known.Parts.Times[1], "w": c.Size.X, "h": c.Size.Y,
		"focal": c.Focal, "R": [3]mgl64.Vec3{r.Row(0), r.Row(1), r.Row(2)}, "t": c.Translation, "height": known.Height,
	})
	if err != nil {
		t.Fatal(err)
	}
	var found, markers, flat, depth []float32
	none := float32(math.NaN())
	middle := known.World[0].Middle(keypoint.LeftHip).Add(known.World[len(known.World)-1].Middle(keypoint.LeftHip)).Mul(0.5)
	middle[1] = 0
	for _, w := range known.World {
		for p := range w {
			at := w[p].Sub(middle)
			xy, _ := c.Project(at)
			x, y := float32(xy[0]), float32(xy[1])
			found, flat, depth = append(found, x, y, 0.9, none), append(flat, x, y), append(depth, none, none, none)
			markers = append(markers, float32(at[0]), float32(at[1]), float32(at[2]))
		}
	}
	var numbers bytes.Buffer
	for _, block := range [][]float32{found, markers, flat, depth, flat} {
		if err := binary.Write(&numbers, binary.LittleEndian, block); err != nil {
			t.Fatal(err)
		}
	}
	for path, data := range map[string][]byte{name + ".json": meta, name + ".bin": numbers.Bytes()} {
		if err := os.WriteFile(filepath.Join(folder, path), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPeople: of a squat and a lunge that are filmed from the side without errors the knees are told, and right; two cameras are
// joined, and those of two movements are refused.
func TestPeople(t *testing.T) {
	folder := t.TempDir()
	for person, movie := range map[string]string{"BS1": "squat_90_slow", "BS6": "lunge_90", "BS5": "squat_90_slow"} {
		film(t, folder, person, 1, truthOf(t, movie), recorded.Around(keypoint.Position{}, 0, 4))
		film(t, folder, person, 2, truthOf(t, movie), recorded.Around(keypoint.Position{}, 60, 4))
	}
	var out bytes.Buffer
	for _, args := range [][]string{{"-json"}, {"-exact", "-pairs"}} {
		if err := run(t.Context(), append(append([]string{"people"}, args...), folder), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	document, tables, _ := strings.Cut(out.String(), "\n")
	var said struct {
		Choose map[string]map[string]struct {
			Told, Unmarked, UnmarkedWrong, Within2, RMSE float64
			Interval                                     map[string]float64
		}
		View struct{ Median, P90 float64 }
	}
	if err := json.Unmarshal([]byte(document), &said); err != nil {
		t.Fatal(err)
	}
	near := said.Choose["kneeFlexion"]["side near"]
	if near.Told < 95 || near.Unmarked < 85 || near.UnmarkedWrong > 2 || near.RMSE > 8 || near.Interval["told"] > 1 || said.View.P90 < 1 || said.View.P90 > 30 {
		t.Errorf("%+v, view %+v", near, said.View)
	}
	for _, want := range []string{"BS6", "unmarked %", "side near", "20-40", "BS1_1 BS6_2 (wrong)", "notSame", "2 of 2 genuine pairs joined"} {
		if !strings.Contains(tables, want) {
			t.Errorf("no %q in\n%s", want, tables)
		}
	}
	if strings.Contains(out.String(), "BS5") {
		t.Error("somebody of the other half is measured")
	}
	if err := os.Truncate(filepath.Join(folder, "BS5_1.bin"), 8); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{"8 bytes": {"-half", "check", folder}, "want choose or check": {"-half", "both", folder}, "there is nobody": {t.TempDir()}} {
		if err := run(t.Context(), append([]string{"people"}, args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
}

// TestPeopleClips: the repetitions of a clip are counted by view.
func TestPeopleClips(t *testing.T) {
	folder := t.TempDir()
	name := "s10_sit_to_stand.json.gz"
	data, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal/testkit/testdata/recorded", name))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"people", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"repetitions in space: 4 right, 0 lost, 0 invented", "repetitions from 030°: 4 right, 0 lost, 0 invented", "ui10"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestLifted: what is estimated of a squat from the front is measured.
func TestLifted(t *testing.T) {
	folder, name := t.TempDir(), "s01_deep_squat.json.gz"
	if err := os.Symlink(filepath.Join(testkit.Root(t), "internal/testkit/testdata/recorded", name), filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"lifted", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kneeFlexion of deep_squat, peak", "needed ± °", "hipFlexion of deep_squat, lifted", "0-20", "behind"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestPeopleSteps: the steps of a walk across the picture are those of its places.
func TestPeopleSteps(t *testing.T) {
	folder := t.TempDir()
	film(t, folder, "BS1", 1, truthOf(t, "walk_across_90"), recorded.Around(keypoint.Position{}, 0, 6))
	var out bytes.Buffer
	if err := run(t.Context(), []string{"people", "-json", folder}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var said struct {
		Choose map[string]map[string]struct{ Told, RMSE float64 }
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatal(err)
	}
	for what, limit := range map[string]float64{"heel strike, ms": 40, "cadence, %": 2, "stride length, %": 4} {
		if f := said.Choose[what]["all"]; f.Told < 75 || f.RMSE > limit {
			t.Errorf("%s: %+v, want at most %v", what, f, limit)
		}
	}
}

// TestPeopleReadOuts: a constant offset does not count but for what is told, and a repetition that is less deep than told is wrong.
func TestPeopleReadOuts(t *testing.T) {
	w := newWatched(1)
	s := series{kind: analyze.KneeFlexion, side: analyze.LeftSide, offset: 12, measure: study.Measure{Trust: quality.TrustGood}}
	for k, v := range []float64{0, 50, 100, 50, 0} {
		s.readings = append(s.readings, reading{value: v + 12, want: v, sigma: 5, known: true, trust: quality.TrustGood, frame: k, truth: k})
	}
	said := study.Study{Lead: &study.Lead{Type: s.kind, Side: s.side}, Repetitions: &analyze.Repetitions{List: []analyze.Repetition{{
		Start: analyze.Moment{Frame: 0, Value: 12}, Turn: analyze.Moment{Frame: 2, Value: 112}, End: analyze.Moment{Frame: 4, Value: 12}, Depth: 89,
		At: []analyze.Reading{{Type: s.kind, Side: s.side, Reading: quality.Reading{Value: 112, Uncertainty: 5, Trust: quality.TrustGood}}},
	}}}}
	for range fewest {
		w.readOuts(s, said)
	}
	for name, want := range map[string]float64{"peak": 0, "turn": 0, "repetition": 100, "peak, as told": 100, "turn, as told": 100} {
		if got, ok := w.tallies[sight{name + ", °", every}].figure("unmarkedWrong"); !ok || got != want {
			t.Errorf("%s: %v %% are wrong, want %v", name, got, want)
		}
	}
	if got, ok := w.tallies[sight{"read-outs, °", every}].figure("unmarkedWrong"); !ok || math.Abs(got-100.0/3) > 1e-9 {
		t.Errorf("%v %% of all are wrong", got)
	}
}

// TestTally holds the shares: wrong is more than 10 degrees off without the constant offset, the uncertainty is that of the value as
// it is read.
func TestTally(t *testing.T) {
	c := tally{shares: map[string]score.Share{}}
	var list []reading
	for k := range 100 {
		x := reading{value: 8 + float64(k%2), sigma: 5, known: true, trust: quality.TrustGood}
		switch {
		case k < 10:
			x.value = 20
		case k < 20:
			x.trust = quality.TrustWithheld
		}
		list = append(list, x)
	}
	c.add(list)
	for name, want := range map[string]float64{
		"told": 90, "unmarked": 90, "unmarkedWrong": 100.0 * 10 / 90, "within1": 0, "within2": 100.0 * 80 / 90, "bias": (20*10 + 8.5*80) / 90,
	} {
		if got, ok := c.figure(name); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if v, ok := c.figure("markedRight"); ok {
		t.Errorf("%v of 10 values", v)
	}
	known := map[string]float64{"a": 1, "b": 2, "c": 6}
	persons := map[string]*watched{}
	for name, v := range known {
		persons[name] = &watched{views: []float64{v}}
	}
	if v, half, n := mean(persons, viewFigure(0.5)); v != 3 || n != 3 || math.Abs(half-4.3027*math.Sqrt(7.0/3)) > 1e-3 {
		t.Errorf("%v ± %v of %d people", v, half, n)
	}
	for view, want := range map[float64]string{10: "0-20", -175: "0-20", 25: "20-40", -50: "40-64", 64: "40-64", 90: "side near", -100: "side far"} {
		if got := sightOf(view, "left"); got != want {
			t.Errorf("%v° is %s, want %s", view, got, want)
		}
	}
}
