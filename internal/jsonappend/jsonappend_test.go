package jsonappend_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/jsonappend"
)

// want rounds with strconv, which is right by definition: it rounds the exact value of v,
// and Append that of v times a power of ten, which may differ where v lies between.
func want(v float64, decimals int) (text string, tie bool) {
	long := strconv.FormatFloat(v, 'f', 25, 64)
	_, after, _ := strings.Cut(long, ".")
	tie = strings.HasPrefix(after[decimals:], "5000000") || strings.HasPrefix(after[decimals:], "4999999")
	text = strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		text = "0"
	}
	return text, tie
}

func FuzzAppend(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), -0.004, 0.05, 1.005, 12.3, 99.999, 123456.789, 1e9, 12345678901.25, 1e17, math.MaxFloat64, 5e-324} {
		f.Add(v, uint8(2))
		f.Add(-v, uint8(6))
	}
	f.Fuzz(func(t *testing.T, v float64, d uint8) {
		decimals := int(d % 7)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		got := string(jsonappend.Number([]byte("x"), v, decimals))[1:]
		back, err := strconv.ParseFloat(got, 64)
		if err != nil || math.Abs(back-v) > 0.5000001*math.Pow10(-decimals)+math.Abs(v)*1e-15 {
			t.Fatalf("%v with %d decimals is %q", v, decimals, got)
		}
		text, tie := want(v, decimals)
		if math.Abs(v)*math.Pow10(decimals) < 1e8 && !tie && got != text {
			t.Fatalf("%v with %d decimals is %q, want %q", v, decimals, got, text)
		}
	})
}

func TestMarshal(t *testing.T) {
	doc := map[string]any{"a\"1.23456": []any{1.23456, -0.00001, 1e-7, 7, nil, "2.34567 \\"}}
	want := `{"a\"1.23456":[1.2346,0,0,7,null,"2.34567 \\"]}`
	if b, err := jsonappend.Marshal(doc, 4); err != nil || string(b) != want {
		t.Errorf("%s (%v), want %s", b, err, want)
	}
	if _, err := jsonappend.Marshal(math.NaN(), 4); err == nil {
		t.Error("NaN is written")
	}
}
