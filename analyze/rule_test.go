package analyze_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// selector draws a valid point of a rule.
func selector(t *rapid.T) keypoint.Selector {
	typ := keypoint.PointType(rapid.IntRange(0, len(keypoint.PointTypeNames())-1).Draw(t, "pointType"))
	n := rapid.IntRange(1, 4).Draw(t, "parts")
	switch typ {
	case keypoint.Single:
		n = 1
	case keypoint.Midpoint:
		n = 2
	}
	parts := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, int(keypoint.NumParts)-1), func(i int) keypoint.Part { return keypoint.Part(i) }), n, n)
	return keypoint.Selector{Type: typ, Parts: parts.Draw(t, "pointName")}
}

// drawRules draws valid rules.
func drawRules(t *rapid.T) []analyze.Rule {
	statistics := []analyze.Statistic{analyze.Max, analyze.Min, analyze.Mean, analyze.Median, analyze.Range, analyze.StandardDeviation, "percentile5", "percentile95"}
	targets := []analyze.Target{"", "all", "positive", "negative"}
	rules := make([]analyze.Rule, rapid.IntRange(0, 5).Draw(t, "rules"))
	for i := range rules {
		r := &rules[i]
		r.Type = rapid.SampledFrom(analyze.Types()).Draw(t, "type")
		for range r.Type.Points() {
			r.Points = append(r.Points, selector(t))
		}
		if r.Type.Sided() {
			r.Side = rapid.SampledFrom([]analyze.Side{analyze.LeftSide, analyze.RightSide}).Draw(t, "side")
		}
		if rapid.Bool().Draw(t, "statistic") {
			r.Movie = &analyze.MovieOption{Statistic: rapid.SampledFrom(statistics).Draw(t, "statisticsType"), Target: rapid.SampledFrom(targets).Draw(t, "target")}
		}
	}
	return rules
}

// TestRulesJSON: ParseRules reads the JSON of rules, and that of a rule alone.
func TestRulesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		same := func(v any, want []analyze.Rule) {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			back, err := analyze.ParseRules(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if d := cmp.Diff(want, back); d != "" {
				t.Fatalf("%s\n%s", text, d)
			}
		}
		same(rules, rules)
		for _, r := range rules {
			same(r, []analyze.Rule{r})
		}
	})
}

// TestMisspelt: a wrong name is the only mistake, and the right one is named.
func TestMisspelt(t *testing.T) {
	for text, want := range map[string]string{
		`{"analysisType": "kneeflexion", "side": "left"}`:                                    `/analysisType: is "kneeflexion" (did you mean kneeFlexion?), want one of `,
		`{"analysisType": "speeed", "points": ["leftKnee"]}`:                                 `/analysisType: is "speeed" (did you mean speed?), want one of `,
		`{"analysisType": "speed", "points": ["left_knee"]}`:                                 `/points/0: "left_knee" is not a body part (did you mean leftKnee?): want `,
		`{"analysisType": "kneeFlexion", "side": "left", "symetry": true}`:                   `/symetry: is not a known property (did you mean symmetry?): known are `,
		`{"analysisType": "kneeFlexion", "side": "left", "repetitions": {"minimun": "0.2"}}`: `/repetitions/minimun: is not a known property`,
	} {
		_, err := analyze.ParseRules([]byte(text))
		var errs keypoint.FieldErrors
		if !errors.As(err, &errs) || len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), want) {
			t.Errorf("%s: %v\nwant only %s", text, err, want)
		}
	}
}

// TestRuleJSON holds the form of what is written.
func TestRuleJSON(t *testing.T) {
	const nose = `{"pointType":"single","pointName":"nose"}`
	for text, want := range map[string]string{
		`[]`: `[]`,
		`{"analysisType":"coordinate","points":["nose"],"movieOption":null}`:                                `{"analysisType":"coordinate","points":[` + nose + `]}`,
		`[{"points":[{"pointName":"nose"}],"analysisType":"speed","movieOption":{"statisticsType":"max"}}]`: `[{"analysisType":"speed","points":[` + nose + `],"movieOption":{"statisticsType":"max"}}]`,
		`{"analysisType":"angle","points":["nose","nose","nose"],"movieOption":{"targetValue":"all","statisticsType":"min"}}`: `{"analysisType":"vectorAngle","points":[` +
			nose + `,` + nose + `,` + nose + `],"movieOption":{"statisticsType":"min","targetValue":"all"}}`,
	} {
		rules, err := analyze.ParseRules([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(rules); err != nil || strings.Trim(string(got), "[]") != strings.Trim(want, "[]") {
			t.Errorf("%s\nis written %s (%v)\nwant %s", text, got, err, want)
		}
	}
	one := analyze.Rule{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)}
	var e keypoint.FieldErrors
	if err := analyze.Check(make([]analyze.Rule, 101), true); !errors.As(err, &e) || len(e) != 1 {
		t.Errorf("101 rules: %v", err)
	}
	// Rules that a client may send are longer when every point is an object.
	everything := keypoint.Selector{Type: keypoint.Centroid, Parts: keypoint.All.List()}
	long := slices.Repeat([]analyze.Rule{{Type: analyze.VectorAngle, Points: []keypoint.Selector{everything, everything, everything}}}, 100)
	b, err := json.Marshal(long)
	if _, parseErr := analyze.ParseRules(b); err != nil || parseErr != nil || len(b) < 64<<10 {
		t.Errorf("%d bytes of rules: %v, %v", len(b), err, parseErr)
	}
	b, err = json.Marshal(one)
	var back analyze.Rule
	if err != nil || json.Unmarshal(b, &back) != nil || !reflect.DeepEqual(one, back) {
		t.Errorf("%s (%v) is read as %+v", b, err, back)
	}
	for _, bad := range []string{`{"analysisType":"coordinate"}`, `[]`, `null`} {
		if err := back.UnmarshalJSON([]byte(bad)); !errors.As(err, &e) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestTypes: every type has a unit, a sentence that names each point, and values of its form.
func TestTypes(t *testing.T) {
	names := []keypoint.Part{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}
	seq := keypoint.Sequence{Frames: []keypoint.Frame{frame(limb), frame(limb)}, Times: []float64{0, 1}}
	for _, typ := range analyze.Types() {
		rule := analyze.Rule{Type: typ, Points: keypoint.PartSelectors(names[:typ.Points()]...)}
		if typ.Sided() {
			rule.Side = analyze.RightSide
		}
		results, err := analyze.Run(seq, []analyze.Rule{rule})
		if err != nil {
			t.Fatal(err)
		}
		text := results[0].Description
		unit := map[string]string{"px": "pixels", "torso": "as a multiple of the torso", "°": "degrees", "px/s": "pixels per second", "°/s": "degrees per second"}[typ.Unit()]
		if unit == "" || !strings.Contains(text, " "+unit) || strings.Contains(text, "per second") != strings.HasSuffix(typ.Unit(), "/s") {
			t.Errorf("%s in %q: %s", typ, typ.Unit(), text)
		}
		for _, s := range rule.Points {
			if !strings.Contains(text, s.Parts[0].String()) {
				t.Errorf("%s does not name %s", text, s.Parts[0])
			}
		}
		if !strings.Contains(text, string(rule.Side)) || strings.Contains(text, "%") || !strings.HasSuffix(text, ".") || typ.Points() > 0 && results[0].Coverage != 1 {
			t.Errorf("%s: %s (%+v)", typ, text, results[0].Values)
		}
		b, err := json.Marshal(results[0])
		if err != nil || strings.Contains(string(b), `"values":[[`) != typ.Pair() {
			t.Errorf("%s (%v)", b, err)
		}
		if typ.Cyclic() && typ.Unit() != "°" {
			t.Errorf("%s in %s starts again after 360", typ, typ.Unit())
		}
	}
	if u := analyze.Type("volume").Unit(); u != "" {
		t.Errorf("an unknown type is in %q", u)
	}
}

// TestDescriptions holds sentences with points of every kind.
func TestDescriptions(t *testing.T) {
	for rule, want := range map[string]string{
		`{"analysisType":"coordinate","points":[{"pointType":"centroid","pointName":["nose","leftEye","rightEye"]}]}`:               "Coordinate [x, y] of the centroid of nose, leftEye and rightEye in pixels.",
		`{"analysisType":"verticalDifference","points":["nose",{"pointType":"midpoint","pointName":["leftHip","rightHip"]}]}`:       "Vertical difference from the midpoint of leftHip and rightHip to nose in pixels, positive downwards.",
		`{"analysisType":"rotationAngle","points":["leftHip",{"pointType":"verticalTop","pointName":["leftKnee"]},"leftAnkle"]}`:    "Rotation angle at the upper end of leftKnee counter-clockwise from leftHip to leftAnkle in degrees, 0 to 360.",
		`{"analysisType":"segmentAngle","points":["leftHip",{"pointType":"horizontalRight","pointName":["leftKnee","leftAnkle"]}]}`: "Angle of the segment from leftHip to the right end of leftKnee and leftAnkle against the horizontal in degrees, -180 to 180, positive upwards.",
	} {
		rules, err := analyze.ParseRules([]byte(rule))
		if err != nil {
			t.Fatal(err)
		}
		results, err := analyze.Run(image(limb), rules)
		if err != nil || results[0].Description != want {
			t.Errorf("%s (%v), want %s", results[0].Description, err, want)
		}
	}
}

func ExampleRule() {
	text, err := json.Marshal([]analyze.Rule{{
		Type:   analyze.EuclideanDistance,
		Points: []keypoint.Selector{keypoint.PartSelector(keypoint.Nose), keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip)},
	}})
	fmt.Println(string(text), err)
	// Output: [{"analysisType":"euclideanDistance","points":[{"pointType":"single","pointName":"nose"},{"pointType":"midpoint","pointName":["leftHip","rightHip"]}]}] <nil>
}
