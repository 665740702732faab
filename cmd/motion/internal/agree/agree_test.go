package agree_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/cmd/motion/internal/agree"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestOf: five values that are 1 too large: rows vary by 5, columns by 2.5, and nothing is left, so that ICC(A,1) is 5/6.
func TestOf(t *testing.T) {
	var pairs []agree.Pair
	for v := range 5 {
		pairs = append(pairs, agree.Pair{Person: "a", Value: float64(v) + 1, Truth: float64(v), Uncertainty: 0.6})
	}
	a := agree.Of(pairs)
	if a.Pairs != 5 || a.People != 1 || a.Bias != 1 || a.RMSE != 1 || a.Limits != (agree.Interval{Low: 1, High: 1}) || !near(*a.ICC, 5.0/6) ||
		*a.Within != 0 || *a.Within2 != 1 || a.BiasInterval != nil || a.ICCInterval != nil {
		t.Errorf("%+v", a)
	}
	if a := agree.Of(pairs[:2]); a.ICC != nil {
		t.Errorf("an ICC of two pairs: %v", *a.ICC)
	}
	pairs[0].Uncertainty = 0
	if a := agree.Of(pairs[:1]); a.Within != nil || a.Limits != (agree.Interval{Low: 1, High: 1}) {
		t.Errorf("%+v", a)
	}
}

// TestPeople: the differences of three people with means of −2, 0 and 2, of which each varies by ±1: within people the variance is 2,
// between them 8; two pairs each make it 2 + (8 − 2)/2 = 5.
func TestPeople(t *testing.T) {
	var pairs []agree.Pair
	for k, name := range []string{"a", "b", "c"} {
		for _, off := range []float64{-1, 1} {
			pairs = append(pairs, agree.Pair{Person: name, Value: float64(10*k) + off + 2*float64(k-1), Truth: float64(10 * k)})
		}
	}
	a := agree.Of(pairs)
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
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) agree.Pair {
			return agree.Pair{Person: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "person"), Value: number.Draw(t, "value"), Truth: number.Draw(t, "truth")}
		}), 1, 30).Draw(t, "pairs")
		a, moved := agree.Of(pairs), rapid.Permutation(pairs).Draw(t, "order")
		moved = append([]agree.Pair(nil), moved...)
		for i := range moved {
			moved[i].Value += 5
		}
		b := agree.Of(moved)
		if math.Abs(b.Bias-a.Bias-5) > 1e-6 || math.Abs((b.Limits.High-b.Limits.Low)-(a.Limits.High-a.Limits.Low)) > 1e-4 || (a.ICC == nil) != (b.ICC == nil) {
			t.Fatalf("%+v\n%+v", a, b)
		}
		if a.ICC != nil && !(*a.ICC <= 1+1e-9) {
			t.Fatalf("an ICC of %v", *a.ICC)
		}
	})
}

// TestWriteSVG: each panel has its name, its lines and a dot for each pair; an error of writing is told.
func TestWriteSVG(t *testing.T) {
	pairs := []agree.Pair{{Person: "a", Value: 91, Truth: 90}, {Person: "b", Value: 60, Truth: 64}, {Person: "b", Value: 30, Truth: 30}}
	panel := agree.Panel{Title: "<knee>", Unit: "°", Pairs: pairs, Agreement: agree.Of(pairs)}
	var b strings.Builder
	if err := agree.WriteSVG(&b, []agree.Panel{panel, panel, {Title: "one", Unit: "°", Pairs: pairs[:1], Agreement: agree.Of(pairs[:1])}}); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for want, n := range map[string]int{"<circle": 7, "&lt;knee&gt;": 2, "bias: −1.0": 2, "bias: 1.0": 1, "NaN": 0, "Inf": 0} {
		if got := strings.Count(b.String(), want); got != n {
			t.Errorf("%q is there %d times, want %d", want, got, n)
		}
	}
	if err := agree.WriteSVG(full{}, []agree.Panel{panel}); err == nil {
		t.Error("an error of writing is lost")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func ExampleOf() {
	a := agree.Of([]agree.Pair{{Person: "a", Value: 92, Truth: 90}, {Person: "b", Value: 61, Truth: 60}, {Person: "c", Value: 33, Truth: 30}})
	fmt.Printf("%.1f, 95 %% between %.1f and %.1f, ICC %.3f\n", a.Bias, a.Limits.Low, a.Limits.High, *a.ICC)
	// Output: 2.0, 95 % between 0.0 and 4.0, ICC 0.997
}
