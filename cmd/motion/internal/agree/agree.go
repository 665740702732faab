// Package agree says how well values agree with the truth, as studies of methods do: bias, limits of agreement and an intraclass
// correlation, with intervals over people.
package agree

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Pair is a value and what it should have been.
type Pair struct {
	Person       string
	Value, Truth float64
	Uncertainty  float64 // one standard deviation of the value; 0: it is not told
}

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

// Of returns how well the pairs agree; there is at least one.
//
// Limits are bias ± 1.96 s. Where there are several pairs of people, s² has the variance within and between people, as Bland and
// Altman (J Biopharm Stat 17:571, 2007) find it for true values that vary.
func Of(pairs []Pair) Agreement {
	of := map[string][]Pair{}
	var off []float64
	squares, told, within, within2 := 0.0, 0.0, 0.0, 0.0
	for _, p := range pairs {
		of[p.Person] = append(of[p.Person], p)
		d := p.Value - p.Truth
		off, squares = append(off, d), squares+d*d
		if p.Uncertainty > 0 {
			told++
			within += number(math.Abs(d) <= p.Uncertainty)
			within2 += number(math.Abs(d) <= 2*p.Uncertainty)
		}
	}
	n := float64(len(pairs))
	a := Agreement{Pairs: len(pairs), People: len(of), Bias: stat.Mean(off, nil), RMSE: math.Sqrt(squares / n)}
	s := deviation(of, len(pairs), a.Bias)
	a.Limits = Interval{a.Bias - 1.96*s, a.Bias + 1.96*s}
	if told > 0 {
		within, within2 = within/told, within2/told
		a.Within, a.Within2 = &within, &within2
	}
	if icc, ok := icc(pairs); ok {
		a.ICC = &icc
	}
	if len(of) < 3 {
		return a
	}
	var people [][]Pair
	var means []float64
	for _, name := range sorted(of) {
		people = append(people, of[name])
		means = append(means, meanOff(of[name]))
	}
	k := float64(len(means))
	half := distuv.StudentsT{Sigma: 1, Nu: k - 1}.Quantile(0.975) * stat.StdDev(means, nil) / math.Sqrt(k)
	a.BiasInterval = &Interval{stat.Mean(means, nil) - half, stat.Mean(means, nil) + half}
	if a.ICC != nil {
		a.ICCInterval = drawn(people)
	}
	return a
}

// deviation returns the standard deviation of the differences of a new pair of a new person.
func deviation(of map[string][]Pair, n int, bias float64) float64 {
	within, between, squares := 0.0, 0.0, 0.0
	for _, name := range sorted(of) {
		list := of[name]
		mean, k := meanOff(list), float64(len(list))
		between += k * (mean - bias) * (mean - bias)
		squares += k * k
		for _, p := range list {
			d := p.Value - p.Truth - mean
			within += d * d
		}
	}
	people, all := float64(len(of)), float64(n)
	if n == len(of) || len(of) == 1 { // one pair each, or one person
		return math.Sqrt((within + between) / max(all-1, 1))
	}
	within, between = within/(all-people), between/(people-1)
	each := (all - squares/all) / (people - 1) // pairs a person, where their numbers differ
	return math.Sqrt(within + max(between-within, 0)/each)
}

// icc returns ICC(A,1).
func icc(pairs []Pair) (r float64, ok bool) {
	n := float64(len(pairs))
	if n < 3 {
		return 0, false
	}
	var value, truth float64
	for _, p := range pairs {
		value, truth = value+p.Value/n, truth+p.Truth/n
	}
	all := (value + truth) / 2
	rows, columns, rest := 0.0, n*((value-all)*(value-all)+(truth-all)*(truth-all)), 0.0
	for _, p := range pairs {
		row := (p.Value + p.Truth) / 2
		rows += 2 * (row - all) * (row - all)
		for _, x := range []float64{p.Value - row - value + all, p.Truth - row - truth + all} {
			rest += x * x
		}
	}
	rows, rest = rows/(n-1), rest/(n-1)
	below := rows + rest + 2/n*(columns-rest)
	return (rows - rest) / below, below > 0
}

// drawn returns the interval of ICC(A,1) over people who are drawn with replacement; nil: it cannot be told.
func drawn(people [][]Pair) *Interval {
	random := rand.New(rand.NewPCG(1, 2)) // the same every time
	var found []float64
	for range draws {
		var list []Pair
		for range people {
			list = append(list, people[random.IntN(len(people))]...)
		}
		if r, ok := icc(list); ok {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	return &Interval{stat.Quantile(0.025, stat.Empirical, found, nil), stat.Quantile(0.975, stat.Empirical, found, nil)}
}

func meanOff(list []Pair) (mean float64) {
	for _, p := range list {
		mean += (p.Value - p.Truth) / float64(len(list))
	}
	return mean
}

func sorted(of map[string][]Pair) (names []string) {
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
