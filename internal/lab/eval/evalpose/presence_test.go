package evalpose_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

func TestDominant(t *testing.T) {
	big, middle, small := standing(0, 0, 200), standing(0, 0, 145), standing(0, 0, 60)
	crowd := standing(0, 0, 400)
	crowd.Crowd = true
	for _, c := range []struct {
		name   string
		people []evalpose.Person
		want   int
	}{
		{"nobody", nil, -1},
		{"one", []evalpose.Person{small}, 0},
		{"much larger", []evalpose.Person{small, big}, 1},
		{"not twice as large", []evalpose.Person{big, middle}, -1},
		{"not half of all", []evalpose.Person{big, standing(0, 0, 120), standing(0, 0, 120), standing(0, 0, 120)}, -1},
		{"equal", []evalpose.Person{big, big}, -1},
		{"a crowd is larger", []evalpose.Person{big, crowd}, -1},
		{"without labels", []evalpose.Person{{Box: big.Box}}, -1},
		{"no box at all", []evalpose.Person{{Parts: big.Parts}}, -1},
	} {
		if i, ok := evalpose.Dominant(c.people); i != c.want || ok != (c.want >= 0) {
			t.Errorf("%s: %d, %v, want %d", c.name, i, ok, c.want)
		}
	}
}

func TestPresence(t *testing.T) {
	a, b := standing(0, 0, 300), standing(400, 0, 100)
	crowd := b
	crowd.Crowd = true
	both := evalpose.Labelled{People: []evalpose.Person{a, b}, Dominant: 0}
	alone := evalpose.Labelled{People: []evalpose.Person{a, crowd}, Dominant: 0}
	equal := evalpose.Labelled{People: []evalpose.Person{a, a}, Dominant: -1}
	nobody := evalpose.Labelled{Dominant: -1}
	none, far := keypoint.Frame{}, moved(a.Parts, 1e6, 0)
	share := func(count, of int) evalpose.Share { return evalpose.Share{Count: count, Of: of} }
	for _, c := range []struct {
		name           string
		picture        evalpose.Labelled
		found          keypoint.Frame
		chosen, missed evalpose.Share
		false          evalpose.Share
		parts          int
	}{
		{"the dominant one", both, a.Parts, share(1, 1), share(0, 1), share(0, 0), 0},
		{"the other one", both, b.Parts, share(0, 1), share(0, 1), share(0, 0), 0},
		{"like nobody", both, far, share(0, 1), share(0, 1), share(0, 0), 0},
		{"nobody found", both, none, share(0, 0), share(1, 1), share(0, 0), 0},
		{"a person and a crowd", alone, a.Parts, share(0, 0), share(0, 1), share(0, 0), 0},
		{"nobody dominant", equal, a.Parts, share(0, 0), share(0, 0), share(0, 0), 0},
		{"somebody invented", nobody, a.Parts, share(0, 0), share(0, 0), share(1, 1), 17},
		{"nobody there", nobody, none, share(0, 0), share(0, 0), share(0, 1), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := evalpose.Chosen(&c.picture, &c.found); got != c.chosen {
				t.Errorf("chosen %v, want %v", got, c.chosen)
			}
			if got := evalpose.Missed(&c.picture, &c.found); got != c.missed {
				t.Errorf("missed %v, want %v", got, c.missed)
			}
			want := evalpose.FalsePositives{Pictures: c.false, Parts: c.parts}
			if got := (evalpose.FalsePositives{}).Plus(&c.picture, &c.found); got != want {
				t.Errorf("false positives %v, want %v", got, want)
			}
		})
	}
}

func ExampleDominant() {
	people := []evalpose.Person{standing(0, 0, 90), standing(100, 0, 300)}
	fmt.Println(evalpose.Dominant(people))
	// Output: 1 true
}

func ExampleChosen() {
	people := []evalpose.Person{standing(0, 0, 90), standing(100, 0, 300)}
	picture := evalpose.Labelled{People: people, Dominant: 1}
	fmt.Println(evalpose.Chosen(&picture, &people[0].Parts), evalpose.Chosen(&picture, &people[1].Parts))
	// Output: {0 1} {1 1}
}

func ExampleBest() {
	people := []evalpose.Person{standing(0, 0, 90), standing(100, 0, 300)}
	found := moved(people[1].Parts, 3, 0)
	i, oks, ok := evalpose.Best(people, &found)
	fmt.Printf("%d %.2f %v\n", i, oks, ok)
	// Output: 1 0.98 true
}
