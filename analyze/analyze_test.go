package analyze_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

func frame(points map[keypoint.Part]keypoint.Point) keypoint.Frame {
	var f keypoint.Frame
	for p, pt := range points {
		f.Set(p, pt, 1)
	}
	return f
}

func image(points map[keypoint.Part]keypoint.Point) keypoint.Sequence {
	return keypoint.Sequence{Frames: []keypoint.Frame{frame(points)}}
}

// limb is a leg that bends to the right: hip above the knee, ankle to its right.
var limb = map[keypoint.Part]keypoint.Point{
	keypoint.LeftHip: {100, 100}, keypoint.LeftKnee: {100, 200}, keypoint.LeftAnkle: {180, 200},
	keypoint.RightHip: {60, 110},
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ name, rule, want string }{
		{"coordinate", `{"analysisType":"coordinate","points":["leftHip"]}`, `[[100,100]]`},
		{"horizontal", `{"analysisType":"horizontalDifference","points":["leftAnkle","leftKnee"]}`, `[80]`},
		{"vertical is positive downwards", `{"analysisType":"verticalDifference","points":["leftKnee","leftHip"]}`, `[100]`},
		{"distance", `{"analysisType":"euclideanDistance","points":["leftHip","leftAnkle"]}`, `[128.0625]`},
		{"vector angle", `{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]}`, `[90]`},
		{"old name", `{"analysisType":"angle","points":["leftHip","leftKnee","leftAnkle"]}`, `[90]`},
		{"rotation from up to right is 270", `{"analysisType":"rotationAngle","points":["leftHip","leftKnee","leftAnkle"]}`, `[270]`},
		{"rotation from right to up is 90", `{"analysisType":"rotationAngle","points":["leftAnkle","leftKnee","leftHip"]}`, `[90]`},
		{"flexion", `{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]}`, `[90]`},
		{"segment downwards", `{"analysisType":"segmentAngle","points":["leftHip","leftKnee"]}`, `[-90]`},
		{"segment to the right", `{"analysisType":"segmentAngle","points":["leftKnee","leftAnkle"]}`, `[0]`},
		{"segment to the left", `{"analysisType":"segmentAngle","points":["leftAnkle","leftKnee"]}`, `[180]`},
		{"segment of no length", `{"analysisType":"segmentAngle","points":["leftKnee","leftKnee"]}`, `[null]`},
		{"midpoint", `{"analysisType":"coordinate","points":[{"pointType":"midpoint","pointName":["leftHip","rightHip"]}]}`, `[[80,105]]`},
		{"midpoint needs both", `{"analysisType":"coordinate","points":[{"pointType":"midpoint","pointName":["leftHip","rightKnee"]}]}`, `[null]`},
		{"centroid skips the missing", `{"analysisType":"coordinate","points":[{"pointType":"centroid","pointName":["leftHip","rightKnee","leftKnee"]}]}`, `[[100,150]]`},
		{"right end", `{"analysisType":"coordinate","points":[{"pointType":"horizontalRight","pointName":["leftHip","leftAnkle"]}]}`, `[[180,200]]`},
		{"left end", `{"analysisType":"coordinate","points":[{"pointType":"horizontalLeft","pointName":["leftHip","rightHip"]}]}`, `[[60,110]]`},
		{"upper end", `{"analysisType":"coordinate","points":[{"pointType":"verticalTop","pointName":["leftKnee","leftHip"]}]}`, `[[100,100]]`},
		{"lower end", `{"analysisType":"coordinate","points":[{"pointType":"verticalDown","pointName":["leftHip","leftKnee"]}]}`, `[[100,200]]`},
		{"missing", `{"analysisType":"coordinate","points":["nose"]}`, `[null]`},
		{"points that coincide", `{"analysisType":"vectorAngle","points":["leftHip","leftHip","leftKnee"]}`, `[null]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules, err := analyze.ParseRules([]byte(c.rule))
			if err != nil {
				t.Fatal(err)
			}
			results, err := analyze.Run(image(limb), rules)
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(results[0])
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Values json.RawMessage }
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatalf("%s: %v", b, err)
			}
			if string(got.Values) != c.want {
				t.Errorf("values %s, want %s", got.Values, c.want)
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	// Horizontal differences −3, −1, 0, 2, 7 and one frame without a value.
	seq := keypoint.Sequence{}
	for i, x := range []float64{2, -3, 0, 7, -1} {
		seq.Frames = append(seq.Frames, frame(map[keypoint.Part]keypoint.Point{keypoint.Nose: {x, 5}, keypoint.LeftEye: {0, 0}}))
		seq.Times = append(seq.Times, float64(i))
	}
	seq.Frames = append(seq.Frames, keypoint.Frame{})
	seq.Times = append(seq.Times, 5)
	for _, c := range []struct{ statistic, target, want string }{
		{"max", "all", "7"}, {"min", "all", "-3"}, {"mean", "all", "1"}, {"median", "all", "0"},
		{"max", "negative", "-1"}, {"min", "positive", "2"}, {"mean", "positive", "4.5"}, {"median", "negative", "-2"},
	} {
		rule := fmt.Sprintf(`[{"analysisType":"horizontalDifference","points":["nose","leftEye"],"movieOption":{"statisticsType":%q,"targetValue":%q}},
			{"analysisType":"horizontalDifference","points":["leftEye","leftEye"],"movieOption":{"statisticsType":%q,"targetValue":"positive"}},
			{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":%q}}]`, c.statistic, c.target, c.statistic, c.statistic)
		rules, err := analyze.ParseRules([]byte(rule))
		if err != nil {
			t.Fatal(err)
		}
		results, err := analyze.Run(seq, rules)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		var got []struct {
			Values      []any
			MovieOption struct{ Value json.RawMessage }
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if v := string(got[0].MovieOption.Value); v != c.want {
			t.Errorf("%s of %s: %s, want %s", c.statistic, c.target, v, c.want)
		}
		if v := string(got[1].MovieOption.Value); v != "null" {
			t.Errorf("%s of nothing: %s, want null", c.statistic, v)
		}
		if c.target == "all" {
			if v := string(got[2].MovieOption.Value); v != "["+c.want+",5]" {
				t.Errorf("%s of coordinates: %s", c.statistic, v)
			}
		}
		if len(got[0].Values) != 6 || got[0].Values[5] != nil {
			t.Errorf("values %v, want 6 of which the last is null", got[0].Values)
		}
	}
}

func TestRates(t *testing.T) {
	// The nose moves by 30 to the right and 40 down a second; frame 3 is missing.
	seq := keypoint.Sequence{Times: []float64{0, 0.1, 0.3, 0.4, 0.5, 0.9}}
	for i, at := range seq.Times {
		f := frame(map[keypoint.Part]keypoint.Point{
			keypoint.Nose:     {30 * at, 40 * at},
			keypoint.LeftHip:  {100, 100},
			keypoint.LeftKnee: {100, 200},
			// The knee opens by 100 degrees a second, from 20 degrees.
			keypoint.LeftAnkle: {100 + 50*math.Sin((20+100*at)*math.Pi/180), 200 - 50*math.Cos((20+100*at)*math.Pi/180)},
		})
		if i == 3 {
			f = keypoint.Frame{}
		}
		seq.Frames = append(seq.Frames, f)
	}
	rules, err := analyze.ParseRules([]byte(`[{"analysisType":"speed","points":["nose"]},
		{"analysisType":"angularVelocity","points":["leftHip","leftKnee","leftAnkle"],"movieOption":{"statisticsType":"max"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{50, 100} {
		for i, v := range results[k].Values {
			if v.Present != (i != 3) || v.Present && math.Abs(v.X-want) > 1e-9 {
				t.Errorf("rule %d, frame %d: %+v, want %v", k, i, v, want)
			}
		}
		if math.Abs(results[k].Coverage-5.0/6) > 1e-12 {
			t.Errorf("coverage %v", results[k].Coverage)
		}
	}
	var e *keypoint.FieldError
	if _, err := analyze.Run(image(limb), rules[:1]); !errors.As(err, &e) || e.Pointer != "/0/analysisType" {
		t.Errorf("speed in an image: %v", err)
	}
}

func TestFurtherStatistics(t *testing.T) {
	seq := keypoint.Sequence{}
	for i := range 21 {
		x := float64((i*8)%21) * 5 // 0, 5, … 100 in another order
		seq.Frames = append(seq.Frames, frame(map[keypoint.Part]keypoint.Point{keypoint.Nose: {x, 0}, keypoint.LeftEye: {0, 0}}))
		seq.Times = append(seq.Times, float64(i)/10)
	}
	for statistic, want := range map[analyze.Statistic]float64{
		analyze.Range: 100, "percentile5": 5, "percentile95": 95, analyze.Median: 50,
		analyze.StandardDeviation: 5 * math.Sqrt(21*22/12.0), // of 0 … 20, times 5
	} {
		rules := []analyze.Rule{{
			Type: analyze.HorizontalDifference, Points: keypoint.PartSelectors(keypoint.Nose, keypoint.LeftEye),
			Movie: &analyze.MovieOption{Statistic: statistic},
		}}
		results, err := analyze.Run(seq, rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Movie.Value; !got.Present || math.Abs(got.X-want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", statistic, got, want)
		}
		rules[0].Movie.Statistic = analyze.Max
		if results, err = analyze.Run(seq, rules); err != nil || results[0].Movie.Time != (analyze.Value{X: 1.3, Present: true}) {
			t.Errorf("the largest is reached at %+v (%v)", results[0].Movie.Time, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ rule, pointer string }{
		{`{`, ""},
		{`7`, ""},
		{`[null]`, "/0"},
		{`{"points":["nose"]}`, "/analysisType"},
		{`{"analysisType":"speeed","points":["nose"]}`, "/analysisType"},
		{`{"analysisType":"coordinate"}`, "/points"},
		{`[{"analysisType":"coordinate","points":["nose"]},{"analysisType":"vectorAngle","points":["nose"]}]`, "/1/points"},
		{`{"analysisType":"coordinate","points":["knee"]}`, "/points/0"},
		{`{"analysisType":"coordinate","points":[{"pointType":"middle","pointName":"nose"}]}`, "/points/0/pointType"},
		{`{"analysisType":"coordinate","points":[{"pointType":"midpoint","pointName":["nose"]}]}`, "/points/0/pointName"},
		{`{"analysisType":"coordinate","points":[{"pointName":["nose","leftEye"]}]}`, "/points/0/pointName"},
		{`{"analysisType":"coordinate","points":[{"pointType":"single"}]}`, "/points/0/pointName"},
		{`{"analysisType":"coordinate","points":["nose"],"movieOptions":{}}`, "/movieOptions"},
		{`{"analysisType":"coordinate","points":["nose"],"movieOption":{}}`, "/movieOption/statisticsType"},
		{`{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"mode"}}`, "/movieOption/statisticsType"},
		{`{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max","targetValue":"odd"}}`, "/movieOption/targetValue"},
		{`{"analysisType":"coordinate","analysisType":"coordinate","points":["nose"]}`, "/analysisType"},
	} {
		_, err := analyze.ParseRules([]byte(c.rule))
		var first *keypoint.FieldError
		if !errors.As(err, &first) || first.Pointer != c.pointer || first.Detail == "" {
			t.Errorf("%s: error %v, want one at %q", c.rule, err, c.pointer)
		}
	}
	rules, err := analyze.ParseRules([]byte(`[{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	var e *keypoint.FieldError
	if _, err := analyze.Run(image(limb), rules); !errors.As(err, &e) || e.Pointer != "/0/movieOption" {
		t.Errorf("movieOption on an image: %v", err)
	}
	if _, err := analyze.Run(keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{1, 1}}, nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("times that stand still: %v", err)
	}
}

func TestRunDoesNotChangeItsArguments(t *testing.T) {
	seq := image(limb)
	before := seq.Clone()
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"coordinate","points":["leftHip"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := analyze.Run(seq, rules); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, seq, cmpopts.EquateComparable(keypoint.Frame{})); diff != "" {
		t.Error(diff)
	}
}

// TestAnglesByHand holds angles of a recording against those computed from the same places
// another way: by the law of cosines, and as the difference of two bearings.
func TestAnglesByHand(t *testing.T) {
	seq := reference(t, "pose2sim_balance_cam01")
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"vectorAngle","points":["rightShoulder","rightElbow","rightWrist"]},
		{"analysisType":"rotationAngle","points":["rightShoulder","rightHip","rightKnee"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, hand := range []struct {
		frame int
		want  [3]float64
	}{
		{0, [3]float64{178.116511, 158.023139, 167.871012}},
		{20, [3]float64{163.048613, 150.360881, 181.284179}},
		{40, [3]float64{139.665353, 76.490907, 176.242086}},
		{60, [3]float64{145.617291, 34.247814, 207.590778}},
		{80, [3]float64{144.946537, 16.825002, 197.927576}},
	} {
		for k, want := range hand.want {
			if v := results[k].Values[hand.frame]; !v.Present || math.Abs(v.X-want) > 1e-6 {
				t.Errorf("frame %d, rule %d: %+v, want %v", hand.frame, k, v, want)
			}
		}
	}
}

func ExampleParseRules() {
	_, err := analyze.ParseRules([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftKnee"]}`))
	fmt.Println(err)
	// Output: /points: has 2 points, but vectorAngle takes 3
}

func ExampleCheck() {
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}`))
	fmt.Println(err)
	fmt.Println(analyze.Check(rules, false))
	// Output:
	// <nil>
	// /0/movieOption: is for movies only, and this is an image
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte(`[{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}]`))
	f.Add([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftKnee",{"pointType":"midpoint","pointName":["leftAnkle","rightAnkle"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := analyze.ParseRules(data)
		if err != nil {
			return
		}
		if _, err := analyze.Run(keypoint.Sequence{Frames: make([]keypoint.Frame, 2)}, rules); err != nil {
			t.Fatalf("rules that were read cannot be run: %v", err)
		}
	})
}

func ExampleRun() {
	var f keypoint.Frame
	f.Set(keypoint.LeftHip, keypoint.Point{100, 100}, 0.9)
	f.Set(keypoint.LeftKnee, keypoint.Point{100, 200}, 0.9)
	f.Set(keypoint.LeftAnkle, keypoint.Point{180, 200}, 0.9)
	rules, err := analyze.ParseRules([]byte(`{"analysisType": "vectorAngle", "points": ["leftHip", "leftKnee", "leftAnkle"]}`))
	if err != nil {
		panic(err)
	}
	results, err := analyze.Run(keypoint.Sequence{Frames: []keypoint.Frame{f}}, rules)
	if err != nil {
		panic(err)
	}
	fmt.Println(results[0].Description)
	fmt.Println(results[0].Values[0].X)
	// Output:
	// Vector angle at leftKnee between leftHip and leftAnkle in degrees, 0 to 180.
	// 90
}

func BenchmarkRun(b *testing.B) {
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"vectorAngle","points":["rightHip","rightKnee","rightAnkle"]},
		{"analysisType":"rotationAngle","points":["leftShoulder","leftElbow","leftWrist"]},
		{"analysisType":"euclideanDistance","points":["leftWrist","rightWrist"]},
		{"analysisType":"verticalDifference","points":["nose","leftAnkle"]},
		{"analysisType":"coordinate","points":["nose"]}]`))
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 100, 1800, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			seq := keypoint.Sequence{Frames: make([]keypoint.Frame, n)}
			for i := range seq.Frames {
				for p := range keypoint.Part(keypoint.NumParts) {
					seq.Frames[i].Set(p, keypoint.Point{float64(i%97 + 13*int(p)), float64(i%89 + 7*int(p)*int(p))}, 1)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := analyze.Run(seq, rules); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
