package sheet_test

import (
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// block is a font with one box for each letter.
type block struct{}

func (block) Outline(p draw.Path, _ rune, x, y, em float64) (float64, bool) {
	if p != nil {
		p.MoveTo(x, y)
		p.LineTo(x+0.8*em, y)
		p.LineTo(x+0.8*em, y-0.8*em)
		p.LineTo(x, y-0.8*em)
	}
	return em, true
}

// wave is one wave of both arms, and a measure that has no value at its start.
func wave() (keypoint.Sequence, sheet.PhaseOptions) {
	m := &study.Measure{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide, Unit: "°"}
	for i := range 50 {
		v := analyze.Value{X: float64(i * 2), Present: i > 5}
		m.Values, m.Uncertainty = append(m.Values, v), append(m.Uncertainty, analyze.Value{X: 6.2, Present: v.Present})
	}
	at := func(i int) analyze.Moment { return analyze.Moment{Frame: i, Time: float64(i) / 25} }
	one := analyze.Repetition{Start: at(3), Turn: at(20), End: at(45), Out: 0.5, Hold: 0.4, Back: 0.78}
	return waving(50), sheet.PhaseOptions{List: []analyze.Repetition{{}, one}, Number: 2, Pictures: 5, Width: 700, Measure: m}
}

func TestPhasesGolden(t *testing.T) {
	for name, change := range map[string]func(*sheet.PhaseOptions){
		"phases": func(o *sheet.PhaseOptions) {},
		"phases-bare": func(o *sheet.PhaseOptions) {
			o.Bare, o.Measure, o.Title, o.Phases = true, nil, "Waving", [3]string{"up", "hold", "down"}
		},
		"phases-japanese": func(o *sheet.PhaseOptions) {
			o.Pictures, o.Language, o.Title, o.Fonts = 3, say.Japanese, "腕", []draw.Font{block{}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			seq, o := wave()
			change(&o)
			m, err := sheet.Phases(seq, of(320, 240), o)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Picture(t, "testdata/"+name+".png", m, *update)
		})
	}
}

// TestPhasesFrames: the pictures are those of equal steps from the first frame of the repetition to its last one, and
// without a font for Japanese the words are English.
func TestPhasesFrames(t *testing.T) {
	seq, o := wave()
	var asked []int
	picture := func(i int) (image.Image, error) {
		asked = append(asked, i)
		return scene(image.Pt(320, 240), i), nil
	}
	english, err := sheet.Phases(seq, picture, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 5 || asked[0] != 3 || asked[4] != 45 || asked[2] != 24 || asked[1] < 13 || asked[1] > 14 {
		t.Errorf("frames %v", asked)
	}
	o.Language = say.Japanese
	again, err := sheet.Phases(seq, picture, o)
	if err != nil || string(again.Pix) != string(english.Pix) {
		t.Errorf("other pixels without a font for Japanese, error %v", err)
	}
	if got := english.At(0, 0); got != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the corner is %v", got)
	}
}

func TestPhasesWrong(t *testing.T) {
	for want, change := range map[string]func(*keypoint.Sequence, *sheet.PhaseOptions){
		"Number is 3, want 1 to 2":     func(_ *keypoint.Sequence, o *sheet.PhaseOptions) { o.Number = 3 },
		"Pictures is 2, want 3 to 15":  func(_ *keypoint.Sequence, o *sheet.PhaseOptions) { o.Pictures = 2 },
		"Width is 9, want 650 to 5200": func(_ *keypoint.Sequence, o *sheet.PhaseOptions) { o.Width = 9 },
		"the title has '左'":            func(_ *keypoint.Sequence, o *sheet.PhaseOptions) { o.Title = "左腕" },
		"frames 3 to 45, of 0":         func(s *keypoint.Sequence, _ *sheet.PhaseOptions) { s.Times = nil },
		"frames 0 to 0, of 50":         func(_ *keypoint.Sequence, o *sheet.PhaseOptions) { o.Number = 1 },
		"frames 8 to 99, of 50": func(_ *keypoint.Sequence, o *sheet.PhaseOptions) {
			o.Number, o.Jumps = 1, []jump.Jump{{TakeOff: jump.Contact{Frame: 99, Time: 1}, Landing: jump.Contact{Frame: 29, Time: 1.2}}}
		},
		"nobody is seen in the repetit": func(s *keypoint.Sequence, _ *sheet.PhaseOptions) { clear(s.Frames) },
	} {
		seq, o := wave()
		change(&seq, &o)
		if _, err := sheet.Phases(seq, of(320, 240), o); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	seq, o := wave()
	broken := errors.New("broken")
	if _, err := sheet.Phases(seq, func(int) (image.Image, error) { return nil, broken }, o); !errors.Is(err, broken) {
		t.Errorf("%v, want that of the picture", err)
	}
}

// TestMoments: a walk shows the touch-downs, mid-stances and toe-offs of its stride, a jump the lowest places, the take-off, the top and the landing.
func TestMoments(t *testing.T) {
	for name, want := range map[string]int{"walk_across_90": 7, "jump_90_120fps": 5} {
		seq := testkit.Rendered(t, name).Seq
		found, err := examine.Request{Overview: true}.Run(seq, quality.Report{})
		if err != nil {
			t.Fatal(err)
		}
		var asked []int
		opt := sheet.PhasesOf(found)
		opt.Width = 1300
		m, err := sheet.Phases(seq, func(i int) (image.Image, error) {
			asked = append(asked, i)
			return image.NewGray(image.Rectangle{Max: seq.Size}), nil
		}, opt)
		if err != nil || len(asked) != want || !slices.IsSorted(asked) {
			t.Fatalf("%s: pictures of %v (%v), want %d in order", name, asked, err, want)
		}
		testkit.Picture(t, "testdata/phases-"+name+".png", m, *update)
	}
}

// TestPhasesHidden: what is hidden is not drawn: the picture is the one without it.
func TestPhasesHidden(t *testing.T) {
	seq, o := wave()
	drawn := func(change func(f *keypoint.Frame)) string {
		t.Helper()
		s := seq.Clone()
		for i := range s.Frames {
			change(&s.Frames[i])
		}
		m, err := sheet.Phases(s, of(320, 240), o)
		if err != nil {
			t.Fatal(err)
		}
		return string(m.Pix)
	}
	hidden := drawn(func(f *keypoint.Frame) { f.SetVisibility(keypoint.LeftElbow, 0.01) })
	if hidden != drawn(func(f *keypoint.Frame) { f.Unset(keypoint.LeftElbow) }) || hidden == drawn(func(*keypoint.Frame) {}) {
		t.Error("a hidden elbow is drawn")
	}
}

// TestPhasesTold: the phases write the reading at the turn that a study has, as its JSON and the page's table do, and no number of an angle
// that is not sure enough.
func TestPhasesTold(t *testing.T) {
	seq := testkit.Rendered(t, "squat_60").Seq
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := study.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	o := sheet.PhasesOf(examine.Result{Overview: &shown})
	if o.Measure == nil || shown.Lead == nil || o.Measure.Type != shown.Lead.Type || o.Measure.Side != shown.Lead.Side {
		t.Fatalf("the phases are of %v", o.Measure)
	}
	if want := [3]string{"down", "", "up"}; o.Phases != want {
		t.Errorf("the ways of a squat are %q, want %q", o.Phases, want)
	}
	one := shown.Repetitions.List[0]
	at := one.At[slices.IndexFunc(one.At, func(r analyze.Reading) bool { return r.Type == o.Measure.Type && r.Side == o.Measure.Side })]
	// head returns the head of the picture, if the measure has these numbers at the turn.
	head := func(value, sigma float64) string {
		t.Helper()
		with, m := o, *o.Measure
		m.Values, m.Uncertainty = slices.Clone(m.Values), slices.Clone(m.Uncertainty)
		m.Values[one.Turn.Frame].X, m.Uncertainty[one.Turn.Frame].X = value, sigma
		with.Measure = &m
		if sigma == 0 {
			with.Measure = nil
		}
		picture, err := sheet.Phases(seq, nil, with)
		if err != nil {
			t.Fatal(err)
		}
		return string(picture.Pix[:78*picture.Stride])
	}
	told := head(o.Measure.Values[one.Turn.Frame].X, o.Measure.Uncertainty[one.Turn.Frame].X)
	if whole := math.Round(at.Value); told != head(whole, math.Ceil(at.Uncertainty)) || told == head(whole+1, at.Uncertainty) || told == head(whole, at.Uncertainty+1) {
		t.Errorf("the phases do not write %v ± %v", at.Value, at.Uncertainty)
	}
	if head(at.Value, 20.5) != head(at.Value, 0) || told == head(at.Value, 0) {
		t.Error("the phases write an angle that is not sure enough")
	}
}
