package score_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
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

// fixture is what testdata/make_fixtures.py drew by chance, in the form of COCO.
func fixture(t *testing.T) []score.Picture {
	t.Helper()
	var labels struct {
		Images      []struct{}
		Annotations []struct {
			Image     int `json:"image_id"`
			BBox      [4]float64
			Area      float64
			Crowd     int `json:"iscrowd"`
			Keypoints []float64
		}
	}
	readJSON(t, "testdata/coco_truth.json", &labels)
	pictures := make([]score.Picture, len(labels.Images))
	for _, a := range labels.Annotations {
		who := truth.Person{Box: truth.Box{X: a.BBox[0], Y: a.BBox[1], Width: a.BBox[2], Height: a.BBox[3]}, Area: a.Area, Crowd: a.Crowd == 1}
		for p := range keypoint.Part(keypoint.NumBody) {
			if k := a.Keypoints[3*p:]; k[2] > 0 {
				who.Parts.Set(p, keypoint.Point{k[0], k[1]}, 1)
			}
		}
		to := &pictures[a.Image-1]
		to.People = append(to.People, who)
	}
	var results []struct {
		Image     int `json:"image_id"`
		Score     float64
		Keypoints []float64
	}
	readJSON(t, "testdata/coco_found.json", &results)
	for _, r := range results {
		d := score.Detection{Score: r.Score}
		for p := range keypoint.Part(keypoint.NumBody) {
			d.Parts.Set(p, keypoint.Point{r.Keypoints[3*p], r.Keypoints[3*p+1]}, 1)
		}
		to := &pictures[r.Image-1]
		to.Found = append(to.Found, d)
	}
	return pictures
}

// TestPycocotools holds every OKS, average precision and recall against those
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
		slices.SortStableFunc(found, func(a, b score.Detection) int { return cmp.Compare(b.Score, a.Score) })
		for d, row := range want.OKS[fmt.Sprint(i+1)] {
			for g, oks := range row {
				compared++
				if got := score.OKS(&p.People[g], &found[d].Parts); math.Abs(got-oks) > 1e-12 {
					t.Errorf("picture %d, result %d, label %d: OKS %v, want %v", i+1, d, g, got, oks)
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d similarities are compared", compared)
	}

	p, ok := score.AveragePrecision(pictures)
	if !ok || math.Abs(p.AP-want.Stats["AP"]) > 1e-9 || math.Abs(p.AR-want.Stats["AR"]) > 1e-9 {
		t.Errorf("%+v (%v), want %v", p, ok, want.Stats)
	}
}

func TestAveragePrecision(t *testing.T) {
	who := standing(0, 0, 100)
	away := detection(standing(5000, 0, 100), .9)
	good := func(sure float64) score.Detection { return detection(who, sure) }
	crowd := who
	crowd.Crowd = true
	bare := truth.Person{Box: who.Box, Area: who.Area}
	people := func(p ...truth.Person) []truth.Person { return p }
	for _, c := range []struct {
		name   string
		people []truth.Person
		found  []score.Detection
		ok     bool
		ap, ar float64
	}{
		{name: "nothing"},
		{name: "only a false positive", found: []score.Detection{away}},
		{name: "found", people: people(who), found: []score.Detection{good(.5)}, ok: true, ap: 1, ar: 1},
		{name: "not found", people: people(who), ok: true},
		{name: "without a part", people: people(who), found: []score.Detection{{Score: 1}}, ok: true},
		{name: "a surer false positive", people: people(who), found: []score.Detection{good(.5), away}, ok: true, ap: .5, ar: 1},
		{name: "a less sure false positive", people: people(who), found: []score.Detection{good(.95), away}, ok: true, ap: 1, ar: 1},
		{name: "found twice", people: people(who), found: []score.Detection{good(.5), good(.6)}, ok: true, ap: 1, ar: 1},
		{name: "only a crowd", people: people(crowd), found: []score.Detection{good(.5)}},
		{name: "only a person without labels", people: people(bare), found: []score.Detection{good(.5)}},
		{name: "somebody of a crowd is no false positive", people: people(standing(5000, 0, 100), bare), found: []score.Detection{good(.95), away}, ok: true, ap: 1, ar: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := score.AveragePrecision([]score.Picture{{People: c.people, Found: c.found}})
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
		p, ok := score.AveragePrecision(pictures)
		for _, v := range []float64{p.AP, p.AR} {
			if v < 0 || v > 1 || math.IsNaN(v) {
				t.Fatalf("%+v", p)
			}
		}
		if p.AP > p.AR+.01 {
			t.Fatalf("%+v", p)
		}
		scale := rapid.SampledFrom([]float64{.5, 2, 4}).Draw(t, "scale") // exact in floats
		changed := make([]score.Picture, len(pictures))
		for i, p := range pictures {
			for _, who := range p.People {
				changed[i].People = append(changed[i].People, scaledPerson(who, scale))
			}
			for _, d := range p.Found {
				changed[i].Found = append(changed[i].Found, score.Detection{Parts: scaled(d.Parts, scale), Score: 3*d.Score + 7})
			}
		}
		q, ok2 := score.AveragePrecision(changed)
		if ok != ok2 || !near(p.AP, q.AP) || !near(p.AR, q.AR) {
			t.Fatalf("%+v (%v), scaled by %v %+v (%v)", p, ok, scale, q, ok2)
		}
	})
}

func ExampleAveragePrecision() {
	person := standing(0, 0, 100)
	pictures := []score.Picture{
		{People: []truth.Person{person}, Found: []score.Detection{{Parts: person.Parts, Score: 0.9}}},
		{People: []truth.Person{person}}, // not found
	}
	p, ok := score.AveragePrecision(pictures)
	fmt.Printf("AP %.3f, AR %.3f, %v\n", p.AP, p.AR, ok)
	// Output: AP 0.505, AR 0.500, true
}
