package say_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

func Example() {
	texts := say.Book{"peak": {say.English: "%s: %s", say.Japanese: "%s：%s"}}
	peak := say.Amount{Value: 93.4, Sigma: 7.2, Unit: "°"}
	for _, l := range say.Languages() {
		fmt.Println(say.Sentence(texts.Say("peak", say.Of("left", "kneeFlexion"), peak)).In(l))
	}
	// Output:
	// Left knee flexion: 93° ± 8.
	// 左膝の屈曲：93° ± 8。
}

func ExampleFrom() {
	for _, view := range []float64{12, 54, 90, 130, 175} {
		from := quality.FacingOf(view)
		fmt.Printf("%s: %s\n", say.From(from), say.Why(quality.CodeOutOfPlane, from))
	}
	// Output:
	// from the front: not visible from the front
	// 55° from the front: not from this view
	// from the side: not visible from the side
	// 50° from behind: not from this view
	// from behind: not visible from behind
}

// TestNames: every part, side and type has a name in every language, which no other has.
func TestNames(t *testing.T) {
	latin := regexp.MustCompile(`[A-Za-z]`)
	for _, l := range say.Languages() {
		names := []string{"left", "right"}
		for p := range keypoint.Part(keypoint.NumParts) {
			names = append(names, p.String())
		}
		for _, a := range analyze.Types() {
			names = append(names, string(a))
		}
		all, known := say.All(), map[string]string{}
		for _, name := range names {
			word := all[name][l]
			if word == "" || word != say.Name(name).In(l) || known[word] != "" || latin.MatchString(word) != (l == say.English) {
				t.Errorf("%s: %q is %q in the table, else %q; also the word of %q", l, name, word, say.Name(name).In(l), known[word])
			}
			known[word] = name
		}
	}
	for have, want := range map[string]string{
		say.Name("leftBigToe").String(): "left big toe", say.Part(keypoint.LeftBigToe).String(): "big toe", say.Of("right", "knee").String(): "right knee",
		say.Of("", "trunkLean").String(): "trunk lean", say.Name("whatever").String(): "whatever", say.Name("leftKnee").In(say.Japanese): "左膝",
	} {
		if have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}

// TestWhy: every reason has words and a tip with what to do, and an unknown one those of an uncertain number.
func TestWhy(t *testing.T) {
	for _, code := range []quality.Code{quality.CodeHidden, quality.CodeHiddenSide, quality.CodeOutOfPlane, quality.CodeSwapped, quality.CodeLowCoverage,
		quality.CodeImplausible, quality.CodeUncertain, quality.CodeFacing} {
		why := say.Why(code, quality.Facing{})
		if why == nil || code != quality.CodeUncertain && why.String() == say.Why("unknown", quality.Facing{}).String() {
			t.Errorf("%s: %q", code, why)
		}
	}
	for key, why := range say.All() { // one that does not come back, and another unit, are nothing that can be filmed better
		if of, ok := strings.CutPrefix(key, "why."); ok && !strings.HasSuffix(of, ".tip") && of != "incomplete" && of != "unit" && say.All()[key+".tip"] == nil {
			t.Errorf("%s: %q has no tip", key, why)
		}
	}
}

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		amount       say.Amount
		en, ja       string
		number, plus string
	}{
		{say.Amount{Value: 93.4, Sigma: 7.2, Unit: "°"}, "93° ± 8", "93° ± 8", "93", "± 8"},
		{say.Amount{Value: 93.5, Sigma: 8.0000000001, Unit: "°"}, "94° ± 8", "94° ± 8", "94", "± 8"},
		{say.Amount{Value: -0.4, Unit: "°"}, "0°", "0°", "0", "± 0"},
		{say.Amount{Value: -2.5, Unit: "°"}, "−3°", "−3°", "−3", "± 0"},
		{say.Measured("rise", 0.3164, 0.0251, "m"), "31.6 cm ± 2.6", "31.6 cm ± 2.6", "31.6", "± 2.6"},
		{say.Measured("strideLength", 1.316, 0, "m"), "1.32 m", "1.32 m", "1.32", "± 0.00"},
		{say.Amount{Value: 1.006, Sigma: 0.001, Unit: "torso"}, "1.01 × torso ± 0.01", "1.01 × 胴 ± 0.01", "1.01", "± 0.01"},
		{say.Measured("height", 0.31246, 0.02004, "m"), "31.3 cm ± 2.0", "31.3 cm ± 2.0", "31.3", "± 2.0"}, // in JSON 0.3125 and 0.02
		{say.Amount{Value: 0.8, Unit: "s"}, "0.80 s", "0.80秒", "0.80", "± 0.00"},
		{say.Amount{Value: 0.454, Unit: "%"}, "45 %", "45 %", "45", "± 0"},
		{say.Amount{Value: 3}, "3", "3", "3", "± 0"},
		{say.Amount{Value: 12.4, Unit: "px/s²"}, "12 px/s²", "12 px/s²", "12", "± 0"},
	} {
		if c.amount.String() != c.en || c.amount.In(say.Japanese) != c.ja || c.amount.Number() != c.number || c.amount.PlusMinus() != c.plus {
			t.Errorf("%+v: %q, %q, %q, %q", c.amount, c.amount, c.amount.In(say.Japanese), c.amount.Number(), c.amount.PlusMinus())
		}
	}
	if step := say.Measured("rise", 1, 0, "m").Step(); math.Abs(step-0.001) > 1e-12 {
		t.Errorf("centimetres are written in steps of %v m", step)
	}
}

func TestText(t *testing.T) {
	a, b, c := say.Name("nose"), say.Name("leftKnee"), say.Name("rightKnee")
	for have, want := range map[string]string{
		say.List(a, b, c).String():                                       "nose, left knee and right knee",
		say.List(a, b, c).In(say.Japanese):                               "鼻、左膝、右膝",
		say.List(a).String():                                             "nose",
		say.Sentence(a, nil, b).String():                                 "Nose, left knee.",
		say.Paragraph(say.Sentence(a), say.Sentence(b)).In(""):           "Nose. Left knee.",
		say.Paragraph(say.Sentence(a), say.Sentence(b)).In(say.Japanese): "鼻。左膝。",
		say.Text{say.English: "only"}.In(say.Japanese):                   "only",
		say.Paragraph().String():                                         "",
	} {
		if have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	if doc, err := json.Marshal(b); err != nil || string(doc) != `{"en":"left knee","ja":"左膝"}` {
		t.Errorf("%s %v", doc, err)
	}
	say.Name("nose")[say.English] = "changed"
	if say.Name("nose").String() != "nose" {
		t.Error("a caller can change the words of the package")
	}
}

func TestBook(t *testing.T) {
	b := say.Open([]byte(`{"n": {"en": "%d things of %s", "ja": "%d %s"}, "n.one": {"en": "%d thing of %s", "ja": "%d %s"}}`))
	if one, two := b.Count("n", 1, say.Name("nose")), b.Count("n", 2, "x"); one.String() != "1 thing of nose" || one.In(say.Japanese) != "1 鼻" || two.String() != "2 things of x" {
		t.Errorf("%q %q", one, two)
	}
	for what, try := range map[string]func(){
		"an unknown key":     func() { b.Say("m") },
		"a missing language": func() { say.Open([]byte(`{"n": {"en": "x"}}`)) },
		"no JSON":            func() { say.Open([]byte(`{`)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", what)
				}
			}()
			try()
		}()
	}
}

func ExampleList() {
	for _, l := range say.Languages() {
		fmt.Println(say.List(say.Of("left", "kneeFlexion"), say.Name("trunkLean")).In(l))
	}
	// Output:
	// left knee flexion and trunk lean
	// 左膝の屈曲、体幹の傾き
}

// An amount has as many digits as its uncertainty, which is rounded up.
func ExampleMeasured() {
	fmt.Println(say.Measured("kneeFlexion", 93.41, 7.2, "°").Text())
	fmt.Println(say.Measured("hipHeight", 0.4312, 0.021, "m").Text())
	// Output:
	// 93° ± 8
	// 43.1 cm ± 2.1
}
