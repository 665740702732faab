// Package agree says how well values agree with the truth, as studies of methods do: bias, limits of agreement and an intraclass
// correlation, with intervals over people.
package agree

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/bodymotion/motion/internal/rank"
)

// Sums are those of a person's values: how many there are, and of the differences and of the sums of value and truth the sums and
// the sums of squares; of those whose uncertainty is told, how many are off by no more than it, and than twice that.
type Sums struct {
	N                         int
	off, off2, both, both2    float64
	told, within, withinTwice int
}

// Add adds a value, what it should have been, and its uncertainty; 0: it is not told.
func (s *Sums) Add(value, truth, uncertainty float64) {
	off, both := value-truth, value+truth
	*s = s.Plus(Sums{N: 1, off: off, off2: off * off, both: both, both2: both * both})
	if uncertainty > 0 {
		s.told++
		s.within += number(math.Abs(off) <= uncertainty)
		s.withinTwice += number(math.Abs(off) <= 2*uncertainty)
	}
}

// Plus returns the sums of both.
func (s Sums) Plus(o Sums) Sums {
	return Sums{
		s.N + o.N, s.off + o.off, s.off2 + o.off2, s.both + o.both, s.both2 + o.both2,
		s.told + o.told, s.within + o.within, s.withinTwice + o.withinTwice,
	}
}

// Bias returns the mean of value − truth; NaN of none.
func (s Sums) Bias() float64 { return s.off / float64(s.N) }

// RMSE returns the root of the mean square of value − truth; NaN of none.
func (s Sums) RMSE() float64 { return math.Sqrt(s.off2 / float64(s.N)) }

// Spread returns the root of the mean square of value − truth without the bias; NaN of none.
func (s Sums) Spread() float64 { return math.Sqrt(s.rest() / float64(s.N)) }

// rest returns the sum of squares of the differences without their mean.
func (s Sums) rest() float64 { return max(s.off2-s.off*s.Bias(), 0) }

// Interval is a 95 % interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Agreement is how well values agree with the truth, in their unit.
type Agreement struct {
	Pairs        int       `json:"pairs"`
	People       int       `json:"people"`
	Bias         float64   `json:"bias"`         // mean of value − truth
	BiasInterval *Interval `json:"biasInterval"` // by the people's means; nil: fewer than three people
	Limits       Interval  `json:"limits"`       // of agreement: 95 % of the differences
	RMSE         float64   `json:"rmse"`
	// ICC is ICC(A,1) of McGraw and Wong (Psychol Methods 1:30, 1996), the absolute agreement of single values in a two-way model; nil:
	// fewer than three pairs, or values that do not vary.
	ICC         *float64  `json:"icc"`
	ICCInterval *Interval `json:"iccInterval"` // from people drawn with replacement; nil: fewer than three
	Within      *float64  `json:"within"`      // share of the pairs that are within their uncertainty, 0 to 1; nil: it is not told
	Within2     *float64  `json:"within2"`     // within twice that
}

// draws is how often people are drawn.
const draws = 2000

// Of returns how well values agree with the truth. Each person has at least one value.
//
// Limits are bias ± 1.96 s. Where there are several values of people, s² has the variance within and between people, as Bland and
// Altman (J Biopharm Stat 17:571, 2007) find it for true values that vary.
func Of(people map[string]Sums) Agreement {
	var all Sums
	var list []Sums
	var means []float64
	for _, name := range slices.Sorted(maps.Keys(people)) {
		one := people[name]
		all, list, means = all.Plus(one), append(list, one), append(means, one.Bias())
	}
	a := Agreement{Pairs: all.N, People: len(list), Bias: all.Bias(), RMSE: all.RMSE()}
	s := deviation(list, all)
	a.Limits = Interval{a.Bias - 1.96*s, a.Bias + 1.96*s}
	if all.told > 0 {
		within, twice := float64(all.within)/float64(all.told), float64(all.withinTwice)/float64(all.told)
		a.Within, a.Within2 = &within, &twice
	}
	if icc, ok := all.icc(); ok {
		a.ICC = &icc
	}
	if len(list) < 3 {
		return a
	}
	mean, half := Mean(means)
	a.BiasInterval = &Interval{mean - half, mean + half}
	if a.ICC != nil {
		a.ICCInterval = drawn(list)
	}
	return a
}

// Mean returns the mean of numbers, one of each person, and half of its 95 % interval by Student's t; NaN of fewer than two.
func Mean(people []float64) (mean, half float64) {
	mean, half = rank.Mean(people), math.NaN()
	if n := float64(len(people)); n > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * rank.Deviation(people) / math.Sqrt(n)
	}
	return mean, half
}

// deviation returns the standard deviation of the difference of a new value of a new person.
func deviation(people []Sums, all Sums) float64 {
	k, n := float64(len(people)), float64(all.N)
	if len(people) == 1 || len(people) == all.N { // one person, or one value each
		return math.Sqrt(all.rest() / max(n-1, 1))
	}
	within, squares := 0.0, 0.0
	for _, s := range people {
		within, squares = within+s.rest(), squares+float64(s.N)*float64(s.N)
	}
	between := (all.rest() - within) / (k - 1)
	within /= n - k
	each := (n - squares/n) / (k - 1) // values a person, where their numbers differ
	return math.Sqrt(within + max(between-within, 0)/each)
}

// icc returns ICC(A,1).
func (s Sums) icc() (r float64, ok bool) {
	n := float64(s.N)
	if n < 3 {
		return 0, false
	}
	rows, columns, rest := (s.both2-s.both*s.both/n)/2/(n-1), n*s.Bias()*s.Bias()/2, s.rest()/2/(n-1)
	below := rows + rest + 2/n*(columns-rest)
	return (rows - rest) / below, below > 1e-12*(s.both2+s.off2)
}

// drawn returns the interval of ICC(A,1) over people who are drawn with replacement; nil: it cannot be told.
func drawn(people []Sums) *Interval {
	random := rand.New(rand.NewPCG(1, 2)) // the same every time
	var found []float64
	for range draws {
		var all Sums
		for range people {
			all = all.Plus(people[random.IntN(len(people))])
		}
		if r, ok := all.icc(); ok {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return &Interval{rank.Percentile(found, 0.025), rank.Percentile(found, 0.975)}
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
