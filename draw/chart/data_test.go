package chart_test

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
)

// squats is the knee angle in n frames of three squats in 6 seconds. In some frames the knee is
// not visible.
func squats(n int, depth, phase float64) chart.Series {
	s := chart.Series{Result: analyze.Result{Type: analyze.VectorAngle}}
	for i := range n {
		t := 6 * float64(i) / float64(n-1)
		v := analyze.Value{X: 172 - depth*math.Pow(math.Sin(math.Pi*t/2+phase), 2) + 1.5*math.Sin(37*t), Present: true}
		if t > 4.4 && t < 4.7 || i == n/8 || i == n/8+2 {
			v = analyze.Value{}
		}
		s.Result.Values = append(s.Result.Values, v)
		s.Times = append(s.Times, t)
	}
	return s
}

// withRepetitions adds the repetitions, of which the last is incomplete, and the smallest angle.
func withRepetitions(s chart.Series) chart.Series {
	n, least := len(s.Times), 0
	for k := range 3 {
		s.Repetitions = append(s.Repetitions, analyze.Repetition{Start: analyze.Moment{Frame: k * n / 3}, End: analyze.Moment{Frame: (k+1)*n/3 - 1}, Complete: k < 2})
	}
	for i, v := range s.Result.Values {
		if v.Present && v.X < s.Result.Values[least].X {
			least = i
		}
	}
	s.Result.Movie = &analyze.Summary{
		MovieOption: analyze.MovieOption{Statistic: analyze.Min, Target: "all"},
		Value:       s.Result.Values[least],
		Time:        analyze.Value{X: s.Times[least], Present: true},
	}
	return s
}

// strides is the mean flexion of a knee over some strides. Its deviation is missing in the middle.
func strides(side string, shift float64) chart.Series {
	var all []analyze.Curve
	for k := range 4 {
		c := make(analyze.Curve, 101)
		for i := range c {
			x := float64(i)/100 + 0.01*float64(k)
			v := 12 + 8*math.Sin(4*math.Pi*x) + 45*math.Exp(-math.Pow((x-0.72-shift)/0.1, 2)) + 1.5*float64(k)
			c[i] = analyze.Value{X: v, Present: k == 0 || i < 40 || i > 44}
		}
		all = append(all, c)
	}
	mean := analyze.MeanCurve(all)
	return chart.Series{Result: kneeOf(analyze.Side(side)), Band: &mean}
}

// kneeOf is a flexion of a knee without values.
func kneeOf(side analyze.Side) analyze.Result {
	return analyze.Result{Type: analyze.KneeFlexion, Name: string(side) + " knee flexion", Side: side}
}

// knees are the flexions of both knees of a person who walks for four seconds.
func knees() []chart.Series {
	both := []chart.Series{{Result: kneeOf(analyze.RightSide)}, {Result: kneeOf(analyze.LeftSide)}}
	for k := range both {
		s := &both[k]
		for i := range 120 {
			x := math.Mod(float64(i)/32+float64(k)/2, 1)
			v := 12 + 8*math.Sin(4*math.Pi*x) + 45*math.Exp(-math.Pow((x-0.72)/0.1, 2))
			s.Times, s.Result.Values = append(s.Times, float64(i)/30), append(s.Result.Values, analyze.Value{X: v, Present: true})
		}
	}
	return both
}

// path is the path of a wrist, without times.
func path(n int) chart.Series {
	s := chart.Series{Result: analyze.Result{Type: analyze.Coordinate}}
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		s.Result.Values = append(s.Result.Values, analyze.Value{X: 320 + 120*math.Cos(a), Y: 240 + 90*math.Sin(a), Present: i%29 != 7})
	}
	return s
}
