package evalpose_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fixture is what testdata/make_fixtures.py drew by chance.
func fixture(t *testing.T) []evalpose.Picture {
	t.Helper()
	f, err := os.Open("testdata/coco_truth.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	labels, err := evalpose.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	pictures := make([]evalpose.Picture, len(labels))
	for i, l := range labels {
		pictures[i].People = l.People
	}
	var results []struct {
		Image     int `json:"image_id"`
		Score     float64
		Keypoints []float64
	}
	readJSON(t, "testdata/coco_found.json", &results)
	for _, r := range results {
		d := evalpose.Detection{Score: r.Score}
		for p := range keypoint.Part(keypoint.NumBody) {
			d.Parts.Set(p, keypoint.Point{r.Keypoints[3*p], r.Keypoints[3*p+1]}, 1)
		}
		to := &pictures[r.Image-1]
		to.Found = append(to.Found, d)
	}
	return pictures
}

// TestPycocotools holds every OKS and the ten numbers of COCO's summary against those
// of pycocotools.
func TestPycocotools(t *testing.T) {
	var want struct {
		Stats map[string]float64
		OKS   map[string][][]float64
	}
	readJSON(t, "testdata/coco_want.json", &want)
	pictures := fixture(t)

	compared := 0
	for i, p := range pictures {
		found := slices.Clone(p.Found)
		slices.SortStableFunc(found, func(a, b evalpose.Detection) int { return cmp.Compare(b.Score, a.Score) })
		for d, row := range want.OKS[fmt.Sprint(i+1)] {
			for g, oks := range row {
				compared++
				if got := evalpose.OKS(&p.People[g], &found[d].Parts); math.Abs(got-oks) > 1e-12 {
					t.Errorf("picture %d, result %d, label %d: OKS %v, want %v", i+1, d, g, got, oks)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d similarities are compared", compared)
	}

	got := map[string]float64{}
	for name, size := range map[string]evalpose.SizeRange{"": evalpose.AllSizes, "Medium": evalpose.Medium, "Large": evalpose.Large} {
		p, ok := evalpose.AveragePrecision(pictures, size)
		if !ok {
			t.Fatalf("nobody counts of size %q", name)
		}
		got["AP"+name], got["AR"+name] = p.AP, p.AR
		if size == evalpose.AllSizes {
			got["AP50"], got["AP75"], got["AR50"], got["AR75"] = p.AP50, p.AP75, p.AR50, p.AR75
		}
	}
	if len(want.Stats) != len(got) {
		t.Errorf("%d numbers, want %d", len(got), len(want.Stats))
	}
	for name, w := range want.Stats {
		if math.Abs(got[name]-w) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got[name], w)
		}
	}
}

func TestAveragePrecision(t *testing.T) {
	who := standing(0, 0, 100)
	away := detection(standing(5000, 0, 100), .9)
	good := func(score float64) evalpose.Detection { return detection(who, score) }
	crowd := who
	crowd.Crowd = true
	bare := evalpose.Person{Box: who.Box, Area: who.Area}
	small := standing(1000, 0, 20)
	people := func(p ...evalpose.Person) []evalpose.Person { return p }
	for _, c := range []struct {
		name     string
		people   []evalpose.Person
		found    []evalpose.Detection
		ok       bool
		ap, ar   float64
		sizeOnly evalpose.SizeRange
	}{
		{name: "nothing"},
		{name: "only a false positive", found: []evalpose.Detection{away}},
		{name: "found", people: people(who), found: []evalpose.Detection{good(.5)}, ok: true, ap: 1, ar: 1},
		{name: "not found", people: people(who), ok: true},
		{name: "without a part", people: people(who), found: []evalpose.Detection{{Score: 1}}, ok: true},
		{name: "a surer false positive", people: people(who), found: []evalpose.Detection{good(.5), away}, ok: true, ap: .5, ar: 1},
		{name: "a less sure false positive", people: people(who), found: []evalpose.Detection{good(.95), away}, ok: true, ap: 1, ar: 1},
		{name: "found twice", people: people(who), found: []evalpose.Detection{good(.5), good(.6)}, ok: true, ap: 1, ar: 1},
		{name: "only a crowd", people: people(crowd), found: []evalpose.Detection{good(.5)}},
		{name: "only a person without labels", people: people(bare), found: []evalpose.Detection{good(.5)}},
		{name: "somebody of a crowd is no false positive", people: people(standing(5000, 0, 100), bare), found: []evalpose.Detection{good(.95), away}, ok: true, ap: 1, ar: 1},
		{name: "nobody is large", people: people(who), found: []evalpose.Detection{good(.5)}, sizeOnly: evalpose.Large},
		{name: "the small one does not count", people: people(who, small), found: []evalpose.Detection{good(.5), detection(small, .9)}, ok: true, ap: 1, ar: 1, sizeOnly: evalpose.Medium},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := evalpose.AveragePrecision([]evalpose.Picture{{People: c.people, Found: c.found}}, c.sizeOnly)
			if ok != c.ok || !near(got.AP, c.ap) || !near(got.AR, c.ar) {
				t.Errorf("AP %v, AR %v, %v; want %v, %v, %v", got.AP, got.AR, ok, c.ap, c.ar, c.ok)
			}
		})
	}
}

// TestPrecisionProperties: AP and AR are shares, AR is no less than AP, the scale of the
// picture does not matter, nor how scores are spread as long as their order stays. AP may rise with the
// threshold: a detection that is near enough no longer takes the person of a better one behind it.
func TestPrecisionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pictures := rapid.SliceOfN(rapid.Custom(drawPicture), 0, 5).Draw(t, "pictures")
		p, ok := evalpose.AveragePrecision(pictures, evalpose.AllSizes)
		for _, v := range []float64{p.AP, p.AP50, p.AP75, p.AR, p.AR50, p.AR75} {
			if v < 0 || v > 1 || math.IsNaN(v) {
				t.Fatalf("%+v", p)
			}
		}
		if p.AP > p.AR+.01 || p.AR75 > p.AR50+1e-9 {
			t.Fatalf("%+v", p)
		}
		scale := rapid.SampledFrom([]float64{.5, 2, 4}).Draw(t, "scale") // exact in floats
		changed := make([]evalpose.Picture, len(pictures))
		for i, p := range pictures {
			for _, who := range p.People {
				changed[i].People = append(changed[i].People, scaledPerson(who, scale))
			}
			for _, d := range p.Found {
				changed[i].Found = append(changed[i].Found, evalpose.Detection{Parts: scaled(d.Parts, scale), Score: 3*d.Score + 7})
			}
		}
		q, ok2 := evalpose.AveragePrecision(changed, evalpose.AllSizes)
		if ok != ok2 || !near(p.AP, q.AP) || !near(p.AR, q.AR) {
			t.Fatalf("%+v (%v), scaled by %v %+v (%v)", p, ok, scale, q, ok2)
		}
	})
}

func ExampleAveragePrecision() {
	person := standing(0, 0, 100)
	pictures := []evalpose.Picture{
		{People: []evalpose.Person{person}, Found: []evalpose.Detection{{Parts: person.Parts, Score: 0.9}}},
		{People: []evalpose.Person{person}}, // not found
	}
	p, ok := evalpose.AveragePrecision(pictures, evalpose.AllSizes)
	fmt.Printf("AP %.3f, AR %.3f, %v\n", p.AP, p.AR, ok)
	// Output: AP 0.505, AR 0.500, true
}
