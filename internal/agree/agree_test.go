package agree_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/agree"
)

// pair is the value of a person, what it should have been, and its uncertainty.
type pair struct {
	person                    string
	value, truth, uncertainty float64
}

// agreement returns how well pairs agree.
func agreement(pairs []pair) agree.Agreement {
	people := map[string]agree.Sums{}
	for _, p := range pairs {
		s := people[p.person]
		s.Add(p.value, p.truth, p.uncertainty)
		people[p.person] = s
	}
	return agree.Of(people)
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestOf: five values that are 1 too large: rows vary by 5, columns by 2.5, and nothing is left, so that ICC(A,1) is 5/6.
func TestOf(t *testing.T) {
	var pairs []pair
	for v := range 5 {
		pairs = append(pairs, pair{person: "a", value: float64(v) + 1, truth: float64(v), uncertainty: 0.6})
	}
	a := agreement(pairs)
	if a.Pairs != 5 || a.People != 1 || a.Bias != 1 || a.RMSE != 1 || a.Limits != (agree.Interval{Low: 1, High: 1}) || !near(*a.ICC, 5.0/6) ||
		*a.Within != 0 || *a.Within2 != 1 || a.BiasInterval != nil || a.ICCInterval != nil {
		t.Errorf("%+v", a)
	}
	if a := agreement(pairs[:2]); a.ICC != nil {
		t.Errorf("an ICC of two pairs: %v", *a.ICC)
	}
	pairs[0].uncertainty = 0
	if a := agreement(pairs[:1]); a.Within != nil || a.Limits != (agree.Interval{Low: 1, High: 1}) {
		t.Errorf("%+v", a)
	}
}

// TestPeople: the differences of three people with means of −2, 0 and 2, of which each varies by ±1: within people the variance is 2,
// between them 8; two pairs each make it 2 + (8 − 2)/2 = 5.
func TestPeople(t *testing.T) {
	var pairs []pair
	for k, name := range []string{"a", "b", "c"} {
		for _, off := range []float64{-1, 1} {
			pairs = append(pairs, pair{person: name, value: float64(10*k) + off + 2*float64(k-1), truth: float64(10 * k)})
		}
	}
	a := agreement(pairs)
	s := math.Sqrt(5)
	if a.People != 3 || a.Bias != 0 || !near(a.Limits.High, 1.96*s) || !near(a.Limits.Low, -1.96*s) || a.Within != nil {
		t.Errorf("%+v", a)
	}
	// Three means with a standard deviation of 2: t(0.975, 2) = 4.302653.
	if half := 4.30265272991 * 2 / math.Sqrt(3); a.BiasInterval == nil || math.Abs(a.BiasInterval.High-half) > 1e-4 || math.Abs(a.BiasInterval.Low+half) > 1e-4 {
		t.Errorf("%+v, want ± %v", a.BiasInterval, half)
	}
	if a.ICCInterval == nil || !(a.ICCInterval.Low <= *a.ICC && *a.ICC <= a.ICCInterval.High) || a.ICCInterval.High > 1 {
		t.Errorf("%v in %+v", *a.ICC, a.ICCInterval)
	}
}

// TestProperties: an agreement does not change with the order of its pairs, and moves with a bias that is added.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-200, 200)
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pair {
			return pair{person: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "person"), value: number.Draw(t, "value"), truth: number.Draw(t, "truth")}
		}), 1, 30).Draw(t, "pairs")
		a, moved := agreement(pairs), rapid.Permutation(pairs).Draw(t, "order")
		moved = append([]pair(nil), moved...)
		for i := range moved {
			moved[i].value += 5
		}
		b := agreement(moved)
		if math.Abs(b.Bias-a.Bias-5) > 1e-6 || math.Abs((b.Limits.High-b.Limits.Low)-(a.Limits.High-a.Limits.Low)) > 1e-4 || (a.ICC == nil) != (b.ICC == nil) {
			t.Fatalf("%+v\n%+v", a, b)
		}
		if a.ICC != nil && !(*a.ICC <= 1+1e-9) {
			t.Fatalf("an ICC of %v", *a.ICC)
		}
	})
}

func ExampleOf() {
	people := map[string]agree.Sums{}
	for name, p := range map[string]struct{ value, truth float64 }{"a": {92, 90}, "b": {61, 60}, "c": {33, 30}} {
		var s agree.Sums
		s.Add(p.value, p.truth, 0)
		people[name] = s
	}
	a := agree.Of(people)
	fmt.Printf("%.1f, 95 %% between %.1f and %.1f, ICC %.3f\n", a.Bias, a.Limits.Low, a.Limits.High, *a.ICC)
	// Output: 2.0, 95 % between 0.0 and 4.0, ICC 0.997
}
