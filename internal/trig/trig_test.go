package trig_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/trig"
)

func check(t rapid.TB, y, x float64) {
	got, want := trig.Atan2(y, x), math.Copysign(math.Atan2(math.Abs(y), x)*(180/math.Pi), y)
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > math.Abs(want)*0x1p-50 {
		t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
	}
}

func TestAtan2(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 3, 1e-300, 5e-324, 1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for k := range 65 { // both sides of every step
		for _, d := range []float64{-1e-9, -1e-16, 0, 1e-16, 1e-9} {
			values = append(values, (float64(k)+0.5)/64+d, float64(k)/64+d)
		}
	}
	for _, y := range values {
		for _, x := range values {
			check(t, y, x)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Float64().Draw(t, "y"), rapid.Float64().Draw(t, "x")) })
	for _, c := range [][3]float64{{0, 1, 0}, {1, 1, 45}, {1, 0, 90}, {1, -1, 135}, {0, -1, 180}, {-1, -1, -135}, {-1, 0, -90}, {-1, 1, -45}} {
		if got := trig.Atan2(7*c[0], 7*c[1]); got != c[2] {
			t.Errorf("(%v, %v): %v, want %v", c[1], c[0], got, c[2])
		}
	}
}

func TestAtan2s(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 3, 1e-300, 5e-324, 1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		y, x := make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], x[i] = r.NormFloat64()*100, float64(r.IntN(200)-100)
			if n%3 == 0 && r.IntN(20) == 0 {
				y[i] = special[r.IntN(len(special))]
			}
			if n%3 == 0 && r.IntN(20) == 0 {
				x[i] = special[r.IntN(len(special))]
			}
		}
		got := make([]float64, n)
		trig.Atan2s(got, y, x)
		for i := range n {
			if want := trig.Atan2(y[i], x[i]); math.Float64bits(got[i]) != math.Float64bits(want) {
				t.Fatalf("%d of %d: Atan2s(%v, %v) = %v, Atan2 %v", i, n, y[i], x[i], got[i], want)
			}
		}
		trig.Atan2s(y, y, x) // in place
		for i := range n {
			if math.Float64bits(got[i]) != math.Float64bits(y[i]) {
				t.Fatalf("%d of %d in place: %v, want %v", i, n, y[i], got[i])
			}
		}
	}
}

func BenchmarkAtan2s(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var y, x, out [4096]float64
	for i := range y {
		y[i], x[i] = r.NormFloat64(), r.NormFloat64()
	}
	for b.Loop() {
		trig.Atan2s(out[:], y[:], x[:])
	}
}

func BenchmarkAtan2(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var xy [4096][2]float64
	for i := range xy {
		xy[i] = [2]float64{r.NormFloat64(), r.NormFloat64()}
	}
	for name, f := range map[string]func(y, x float64) float64{
		"trig": trig.Atan2,
		"math": func(y, x float64) float64 { return math.Atan2(y, x) * (180 / math.Pi) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				sum := 0.0
				for i := range xy {
					sum += f(xy[i][0], xy[i][1])
				}
				if math.IsNaN(sum) {
					b.Fatal(sum)
				}
			}
		})
	}
}
