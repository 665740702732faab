package exercise_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"image"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

var pack = flag.String("pack", "", "`folder` of truth files NAME.json and raw keypoints raw/NAME.json, from which testdata is written anew")

// found is a rendered movie: what Balanced has found of it, raw, and what is true in the same frames. testdata/README.md has the
// form of its file.
type found struct {
	Name    string              `json:"name"`
	Size    [2]int              `json:"size"`
	Times   []int               `json:"times"`   // ten thousandths of a second
	Parts   map[string][4][]int `json:"parts"`   // x and y in fifths of pixels, confidence in hundredths (0: absent), 1 + visibility
	Changes []int               `json:"changes"` // keypoint.Sequence.PersonChanges

	Reps   []testkit.Rep    `json:"reps"`
	Motion testkit.Motion   `json:"motion"`
	Truth  map[string][]int `json:"truth"` // of measure and side: tenths of degrees, thousandths of torso lengths
	Hips   [3][]int         `json:"hips"`  // the middle of the hips in millimetres

	seq    keypoint.Sequence // cleaned
	judged quality.Report
	shown  study.Study
}

// unknown is a truth that has no meaning.
const unknown = 99999

// measured are what targets limit.
func measured() (rules []analyze.Rule) {
	for _, t := range analyze.Types() {
		switch {
		case t.Points() > 0:
		case t.Sided():
			rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
		default:
			rules = append(rules, analyze.Rule{Type: t})
		}
	}
	return rules
}

func key(t analyze.Type, side analyze.Side) string {
	return strings.TrimSpace(string(side) + " " + string(t))
}

// scaleOf returns what one of a measure is in the numbers of the file.
func scaleOf(t analyze.Type) float64 {
	if t.Unit() == "°" {
		return 10
	}
	return 1000
}

// lists calls change for each list of numbers that the file has as differences.
func (f *found) lists(change func([]int)) {
	change(f.Times)
	for _, name := range slices.Sorted(maps.Keys(f.Parts)) {
		for _, list := range f.Parts[name] {
			change(list)
		}
	}
	for _, list := range f.Truth {
		change(list)
	}
	for _, list := range f.Hips {
		change(list)
	}
}

func differences(list []int) {
	for i := len(list) - 1; i > 0; i-- {
		list[i] -= list[i-1]
	}
}

func sums(list []int) {
	for i := 1; i < len(list); i++ {
		list[i] += list[i-1]
	}
}

func tenths(x, scale float64) int {
	if math.IsNaN(x) {
		return unknown
	}
	return int(math.Round(x * scale))
}

// newFound packs raw keypoints with the truth of their frames.
func newFound(name string, seq keypoint.Sequence, m testkit.Movie) *found {
	f := &found{Name: name, Size: [2]int{seq.Size.X, seq.Size.Y}, Parts: map[string][4][]int{}, Truth: map[string][]int{}, Reps: m.Reps, Motion: m.Motion, Changes: seq.PersonChanges}
	at := make([]int, seq.Len()) // frames of the truth
	for i, t := range seq.Times {
		f.Times = append(f.Times, tenths(t, 1e4))
		k, _ := slices.BinarySearch(m.Seq.Times, t)
		if k = min(k, len(m.Seq.Times)-1); k > 0 && t-m.Seq.Times[k-1] < m.Seq.Times[k]-t {
			k--
		}
		at[i] = k
		for c, x := range m.Hips(k) {
			f.Hips[c] = append(f.Hips[c], tenths(x, 1000))
		}
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		var rows [4][]int
		last := keypoint.Point{}
		for i := range seq.Frames {
			one := &seq.Frames[i]
			score, seen := 0, 0
			if pt, ok := one.At(p); ok {
				last, score = pt, max(1, tenths(one.Confidence(p), 100))
			}
			if share, ok := one.Visibility(p); ok {
				seen = 1 + tenths(share, 100)
			}
			for r, x := range [4]int{tenths(last[0], 5), tenths(last[1], 5), score, seen} {
				rows[r] = append(rows[r], x)
			}
		}
		f.Parts[p.String()] = rows
	}
	for _, r := range measured() {
		want := m.Wanted(string(r.Type), string(r.Side))
		list := make([]int, len(at))
		for i, k := range at {
			list[i] = tenths(want[k], scaleOf(r.Type))
		}
		f.Truth[key(r.Type, r.Side)] = list
	}
	return f
}

// raw returns the keypoints as they were found.
func (f *found) raw(t testing.TB) keypoint.Sequence {
	t.Helper()
	seq := keypoint.Sequence{Size: image.Pt(f.Size[0], f.Size[1]), Frames: make([]keypoint.Frame, len(f.Times)), PersonChanges: f.Changes}
	for i, ms := range f.Times {
		seq.Times = append(seq.Times, float64(ms)/1e4)
		for name, rows := range f.Parts {
			p, err := keypoint.ParsePart(name)
			if err != nil {
				t.Fatal(err)
			}
			if rows[2][i] == 0 {
				continue
			}
			seq.Frames[i].Set(p, keypoint.Point{float64(rows[0][i]) / 5, float64(rows[1][i]) / 5}, float64(rows[2][i])/100)
			if rows[3][i] > 0 {
				seq.Frames[i].SetVisibility(p, float64(rows[3][i]-1)/100)
			}
		}
	}
	return seq
}

// studied are the movies, which no test changes: to study them takes longer than all else.
var studied []*found

// rendered returns all movies, cleaned and studied.
func rendered(t testing.TB) []*found {
	t.Helper()
	if studied != nil {
		return studied
	}
	paths, err := filepath.Glob("testdata/*.json.gz")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no movies in testdata (%v)", err)
	}
	for _, path := range paths {
		studied = append(studied, movie(t, path))
	}
	return studied
}

func movie(t testing.TB, path string) *found {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	f := new(found)
	if err := json.Unmarshal(data, f); err != nil {
		t.Fatal(err)
	}
	f.lists(sums)
	var report clean.Report
	if f.seq, report, err = clean.Run(f.raw(t), clean.Default()); err != nil {
		t.Fatal(err)
	}
	if f.judged, err = quality.Assess(quality.Input{Sequence: f.seq, Cleaning: report}); err != nil {
		t.Fatal(err)
	}
	if f.shown, err = study.Run(f.seq, f.judged); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPack writes testdata again from the folder that -pack names, and always checks that it is not too large.
func TestPack(t *testing.T) {
	if *pack != "" {
		paths, err := filepath.Glob(filepath.Join(*pack, "raw", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".json")
			truth, err := os.ReadFile(filepath.Join(*pack, name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var seq keypoint.Sequence
			if err := json.Unmarshal(raw, &seq); err != nil {
				t.Fatal(err)
			}
			f := newFound(name, seq, testkit.MovieOf(t, truth))
			f.lists(differences)
			var b bytes.Buffer
			w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
			if err := json.NewEncoder(w).Encode(f); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join("testdata", name+".json.gz"), b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	paths, err := filepath.Glob("testdata/*.json.gz")
	sum := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	if err != nil || sum > 1_500_000 {
		t.Errorf("%d movies have %d bytes, at most 1.5 MB are allowed (%v)", len(paths), sum, err)
	}
	t.Logf("%d movies, %d bytes", len(paths), sum)
}
