package decode_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference/onnx/internal/decode"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// zeros returns an empty tensor.
func zeros(name string, shape ...int) decode.Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return decode.Tensor{Name: name, Shape: shape, Data: make([]float32, n)}
}

// refuses checks that an error names the output and the expected form.
func refuses(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
}

func TestSimCC(t *testing.T) {
	x, y := zeros("simcc_x", 1, 4, 16), zeros("simcc_y", 1, 4, 24)
	x.Data[0*16+6], y.Data[0*24+10] = 0.9, 0.7
	x.Data[1*16+15], y.Data[1*24+23] = 0.5, 0.8
	for i := range 16 { // nothing but NaN across
		x.Data[2*16+i] = nan
	}
	y.Data[2*24] = 1
	x.Data[3*16], x.Data[3*16+1], x.Data[3*16+2] = nan, inf, 0.4
	y.Data[3*24+1] = 0.6
	got, err := decode.SimCC(nil, x, y, 8, 12, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []decode.Spot{{X: 3.5, Y: 5.5, Score: 0.7}, {X: 8, Y: 12, Score: 0.5}, {}, {X: 1.5, Y: 1, Score: 0.4}}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestSimCCShapes(t *testing.T) {
	good := func() (x, y decode.Tensor) { return zeros("x", 1, 3, 16), zeros("y", 1, 3, 24) }
	for name, c := range map[string]struct {
		change func(x, y *decode.Tensor)
		words  []string
	}{
		"bins":        {func(x, y *decode.Tensor) { *x = zeros("x", 1, 3, 17) }, []string{`"x"`, "[1 3 17]", "[1, points, 16]", "split ratio 2"}},
		"bins down":   {func(x, y *decode.Tensor) { *y = zeros("y", 1, 3, 16) }, []string{`"y"`, "[1, points, 24]"}},
		"points":      {func(x, y *decode.Tensor) { *y = zeros("y", 1, 4, 24) }, []string{"3 points", "has 4"}},
		"batch":       {func(x, y *decode.Tensor) { *x = zeros("x", 2, 3, 16) }, []string{"[2 3 16]"}},
		"rank":        {func(x, y *decode.Tensor) { *y = zeros("y", 24) }, []string{"[24]"}},
		"numbers":     {func(x, y *decode.Tensor) { x.Data = x.Data[1:] }, []string{"47 numbers"}},
		"negative":    {func(x, y *decode.Tensor) { x.Shape = []int{1, -3, 16} }, []string{"[1 -3 16]"}},
		"overflowing": {func(x, y *decode.Tensor) { x.Shape = []int{math.MaxInt32, math.MaxInt32} }, []string{"want"}},
		"no shape":    {func(x, y *decode.Tensor) { *x = decode.Tensor{Name: "x"} }, []string{`"x"`}},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := good()
			c.change(&x, &y)
			_, err := decode.SimCC(nil, x, y, 8, 12, 2)
			refuses(t, err, c.words...)
		})
	}
}

// bump adds a Gaussian of height 1 around (x, y), in cells.
func bump(m []float32, rows, columns int, x, y, sigma float64) {
	for j := range rows {
		for i := range columns {
			dx, dy := float64(i)-x, float64(j)-y
			m[j*columns+i] = float32(math.Exp(-(dx*dx + dy*dy) / (2 * sigma * sigma)))
		}
	}
}

func TestHeatmaps(t *testing.T) {
	const rows, columns = 64, 48
	m := zeros("heat", 1, 3, rows, columns)
	bump(m.Data, rows, columns, 20.3, 30.6, 2)
	bump(m.Data[rows*columns:], rows, columns, 0, 63, 2) // in the corner
	for i := range rows * columns {
		m.Data[2*rows*columns+i] = nan
	}
	h := decode.Heat{Width: 192, Height: 256}
	for _, c := range []struct {
		name string
		set  func(*decode.Heat)
		want []decode.Spot
	}{
		{"cell", func(h *decode.Heat) { h.Refine = decode.Cell }, []decode.Spot{{X: 80.5, Y: 124.5}, {X: 0.5, Y: 252.5}, {}}},
		{"quarter", func(h *decode.Heat) {}, []decode.Spot{{X: 81.5, Y: 123.5}, {X: 0.5, Y: 252.5}, {}}},
		{"dark", func(h *decode.Heat) { h.Refine, h.Kernel = decode.Dark, 1 }, []decode.Spot{{X: 20.3*4 + 0.5, Y: 30.6*4 + 0.5}, {X: 0.5, Y: 252.5}, {}}},
		{"dark, smoothed", func(h *decode.Heat) { h.Refine, h.Kernel = decode.Dark, 11 }, []decode.Spot{{X: 20.3*4 + 0.5, Y: 30.6*4 + 0.5}, {X: 0.5, Y: 252.5}, {}}},
		{"corners", func(h *decode.Heat) { h.Refine, h.Corners = decode.Cell, true }, []decode.Spot{
			{X: 20*191.0/47 + 0.5, Y: 31*255.0/63 + 0.5}, {X: 0.5, Y: 255.5}, {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := h
			c.set(&h)
			got, err := decode.Heatmaps(nil, m, h)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 0.05), cmpopts.IgnoreFields(decode.Spot{}, "Score")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if got[1].Score != 1 || got[2].Score != 0 {
				t.Errorf("scores %v, %v", got[1].Score, got[2].Score)
			}
		})
	}
	for _, shape := range [][]int{{3, 64}, {1, 3, 1, 48}, {2, 3, 64, 48}, {}} {
		_, err := decode.Heatmaps(nil, zeros("heat", shape...), h)
		refuses(t, err, `"heat"`, "[1, points, rows, columns]")
	}
}

// TestDarkProperty: the maximum of a Gaussian is found at any position between the cells.
func TestDarkProperty(t *testing.T) {
	const rows, columns = 40, 30
	m := zeros("heat", 1, 1, rows, columns)
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(8, columns-9).Draw(t, "x")
		y := rapid.Float64Range(8, rows-9).Draw(t, "y")
		bump(m.Data, rows, columns, x, y, rapid.Float64Range(1.5, 3).Draw(t, "sigma"))
		for refine, limit := range map[decode.Refine]float64{decode.Dark: 0.1, decode.Quarter: 0.26, decode.Cell: 0.51} {
			got, err := decode.Heatmaps(nil, m, decode.Heat{Width: columns, Height: rows, Refine: refine, Kernel: 11})
			if err != nil {
				t.Fatal(err)
			}
			if dx, dy := got[0].X-0.5-x, got[0].Y-0.5-y; math.Abs(dx) > limit || math.Abs(dy) > limit {
				t.Errorf("refine %d: off by %g, %g cells", refine, dx, dy)
			}
		}
	})
}

// numbers are values that a tensor may hold, with NaN and infinities.
var numbers = rapid.OneOf(rapid.Float32Range(-2, 3), rapid.SampledFrom([]float32{nan, inf, -inf, 0, 1, math.MaxFloat32}), rapid.Float32())

// TestPointsAreFinite: points are finite and within the input for any tensor.
func TestPointsAreFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fill := func(name string, shape ...int) decode.Tensor {
			m := zeros(name, shape...)
			for i := range m.Data {
				m.Data[i] = numbers.Draw(t, name)
			}
			return m
		}
		spots, err := decode.SimCC(nil, fill("x", 1, 2, 8), fill("y", 1, 2, 6), 4, 3, 2)
		if err != nil {
			t.Fatal(err)
		}
		heat := fill("heat", 1, 2, 3, 4)
		for _, h := range []decode.Heat{{Refine: decode.Quarter}, {Refine: decode.Dark, Kernel: 3}, {Refine: decode.Cell, Corners: true}} {
			h.Width, h.Height = 4, 3
			if spots, err = decode.Heatmaps(spots, heat, h); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range spots {
			if !(s.X >= 0 && s.X <= 4.5 && s.Y >= 0 && s.Y <= 3.5 && s.Score >= 0) || math.IsInf(s.Score, 0) {
				t.Fatalf("a point is %v", s)
			}
		}
	})
}

func BenchmarkSimCC(b *testing.B) {
	x, y := zeros("x", 1, 17, 384), zeros("y", 1, 17, 512)
	spots := make([]decode.Spot, 0, 17)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode.SimCC(spots, x, y, 192, 256, 2); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeatmaps(b *testing.B) {
	m := zeros("heat", 1, 17, 64, 48)
	for k := range 17 {
		bump(m.Data[k*64*48:], 64, 48, 20+float64(k)/3, 30, 2)
	}
	for name, h := range map[string]decode.Heat{"quarter": {Refine: decode.Quarter}, "dark": {Refine: decode.Dark, Kernel: 11}} {
		b.Run(name, func(b *testing.B) {
			h.Width, h.Height = 192, 256
			spots := make([]decode.Spot, 0, 17)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode.Heatmaps(spots, m, h); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
