package score_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

func TestDominant(t *testing.T) {
	big, middle, small := standing(0, 0, 200), standing(0, 0, 145), standing(0, 0, 60)
	crowd := standing(0, 0, 400)
	crowd.Crowd = true
	for _, c := range []struct {
		name   string
		people []truth.Person
		want   int
	}{
		{"nobody", nil, -1},
		{"one", []truth.Person{small}, 0},
		{"much larger", []truth.Person{small, big}, 1},
		{"not twice as large", []truth.Person{big, middle}, -1},
		{"not half of all", []truth.Person{big, standing(0, 0, 120), standing(0, 0, 120), standing(0, 0, 120)}, -1},
		{"equal", []truth.Person{big, big}, -1},
		{"a crowd is larger", []truth.Person{big, crowd}, -1},
		{"without labels", []truth.Person{{Box: big.Box}}, -1},
		{"no box at all", []truth.Person{{Parts: big.Parts}}, -1},
	} {
		if i, ok := truth.Dominant(c.people); i != c.want || ok != (c.want >= 0) {
			t.Errorf("%s: %d, %v, want %d", c.name, i, ok, c.want)
		}
	}
}

func TestPresence(t *testing.T) {
	a, b := standing(0, 0, 300), standing(400, 0, 100)
	crowd := b
	crowd.Crowd = true
	both := truth.Picture{People: []truth.Person{a, b}, Dominant: 0}
	alone := truth.Picture{People: []truth.Person{a, crowd}, Dominant: 0}
	equal := truth.Picture{People: []truth.Person{a, a}, Dominant: -1}
	nobody := truth.Picture{Dominant: -1}
	none, far := keypoint.Frame{}, moved(a.Parts, 1e6, 0)
	share := func(count, of int) score.Share { return score.Share{Count: count, Of: of} }
	for _, c := range []struct {
		name                 string
		picture              truth.Picture
		found                keypoint.Frame
		judged               int
		pck, missed, someone score.Share
	}{
		{"the dominant one", both, a.Parts, 1, share(17, 17), share(0, 1), share(0, 0)},
		{"the other one", both, b.Parts, 1, share(0, 17), share(0, 1), share(0, 0)},
		{"like nobody", both, far, 1, share(0, 17), share(0, 1), share(0, 0)},
		{"nobody found", both, none, 1, share(0, 17), share(1, 1), share(0, 0)},
		{"a person and a crowd", alone, a.Parts, 1, share(17, 17), share(0, 1), share(0, 0)},
		{"nobody dominant", equal, a.Parts, 0, share(0, 0), share(0, 0), share(0, 0)},
		{"somebody invented", nobody, a.Parts, 1, share(0, 0), share(0, 0), share(1, 1)},
		{"nobody there", nobody, none, 1, share(0, 0), share(0, 0), share(0, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got score.Pictures
			got.Add(&c.picture, &c.found)
			if got.N != 1 || len(got.Judged) != c.judged || got.PCK != c.pck || got.Missed != c.missed || got.Empty != c.someone {
				t.Errorf("%d judged, PCK %v, missed %v, in empty pictures %v; want %d, %v, %v, %v", len(got.Judged), got.PCK, got.Missed, got.Empty, c.judged, c.pck, c.missed, c.someone)
			}
			if two := got.Plus(got); two.N != 2 || len(two.Judged) != 2*c.judged || two.PCK.Of != 2*c.pck.Of {
				t.Errorf("twice: %+v", two)
			}
		})
	}
}

func ExampleDominant() {
	people := []truth.Person{standing(0, 0, 90), standing(100, 0, 300)}
	fmt.Println(truth.Dominant(people))
	// Output: 1 true
}
