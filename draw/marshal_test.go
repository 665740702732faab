package draw_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// sameAgain checks that rules, and their JSON, survive a round trip.
func sameAgain(t rapid.TB, rules []draw.Rule) {
	b, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	again, err := draw.ParseRules(b)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	if diff := cmp.Diff(rules, again, cmpopts.IgnoreUnexported(draw.Rule{}, draw.Band{})); diff != "" {
		t.Fatalf("%s reads as other rules: %s", b, diff)
	}
	if c, err := json.Marshal(again); err != nil || string(c) != string(b) {
		t.Fatalf("%s became %s (%v)", b, c, err)
	}
	var one draw.Rule
	if len(rules) != 1 && json.Unmarshal(b, &one) == nil {
		t.Fatalf("%s reads as one rule", b)
	}
	for i := range rules {
		b, err := json.Marshal(rules[i])
		if err == nil {
			err = json.Unmarshal(b, &one)
		}
		if diff := cmp.Diff(rules[i], one, cmpopts.IgnoreUnexported(draw.Rule{}, draw.Band{})); err != nil || diff != "" {
			t.Fatalf("rule %d, %s, reads as another one (%v): %s", i, b, err, diff)
		}
	}
}

// TestMarshal: ParseRules reads the same rules from their JSON.
func TestMarshal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) keypoint.Part {
			return keypoint.Part(rapid.IntRange(0, keypoint.NumParts-1).Draw(t, "part"))
		}), 2, 4)
		rules := someRules(t)
		for i := range rules {
			r := &rules[i]
			if r.Points == nil && r.Type != "body" && rapid.Bool().Draw(t, "points") {
				r.Points = []keypoint.Selector{
					{Type: keypoint.Centroid, Parts: parts.Draw(t, "parts")},
					keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip), sel(keypoint.Nose),
				}
			} else if r.Points == nil {
				r.Pattern = rapid.SampledFrom([]string{"", "all", "leftBody"}).Draw(t, "pattern")
			}
			switch r.Type {
			case "trace":
				r.Seconds = rapid.Float64Range(0.001, 60).Draw(t, "seconds")
			case "label":
				r.Text = rapid.SampledFrom([]string{"", "<87°> & \"more\""}).Draw(t, "text")
				if rapid.Bool().Draw(t, "value") {
					n := rapid.IntRange(0, 99).Draw(t, "analysis")
					r.Analysis = &n
				}
			}
			if r.Bands[0].Threshold = rapid.Float64Range(0, 1).Draw(t, "threshold"); !r.Legend {
				r.Bands = rapid.SampledFrom([][]draw.Band{nil, {}, r.Bands}).Draw(t, "bands")
			}
		}
		sameAgain(t, rules)
	})
	sameAgain(t, []draw.Rule{})
}

// TestEcho: parsed rules are written as they were given, except that bare part names become
// objects and members without effect are left out.
func TestEcho(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:                           `[]`,
		`{"drawingType":"keypoint"}`:   `{"drawingType":"keypoint"}`,
		`[{"drawingType":"keypoint"}]`: `[{"drawingType":"keypoint"}]`,
		`{"points":["nose",{"pointName":["leftHip","rightHip"],"pointType":"midpoint"}],"drawingType":"stickPicture","size":2.50,"color":null}`: `{"drawingType":"stickPicture","points":[{"pointType":"single","pointName":"nose"},{"pointType":"midpoint","pointName":["leftHip","rightHip"]}],"size":2.5}`,
		`{"drawingType":"keypoint","comparisons":[]}`: `{"drawingType":"keypoint","comparisons":[]}`,
		`{"drawingType":"keypoint","comparisons":[{},{"threshold":0.2},{"threshold":null},{"threshold":0,"color":"grey","size":3}]}`:           `{"drawingType":"keypoint","comparisons":[{},{"threshold":0.2},{},{"threshold":0,"color":"grey","size":3}]}`,
		`{"drawingType":"keypoint","comparisons":[{}],"legend":true,"ghost":"red","arrows":"blue","rotation":false,"text":"","pattern":"all"}`: `{"drawingType":"keypoint","pattern":"all","comparisons":[{}],"ghost":"red","arrows":"blue","legend":true}`,
		`{"drawingType":"label","text":"a","analysis":0}`: `{"drawingType":"label","text":"a","analysis":0}`,
	} {
		rules, err := draw.ParseRules([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if in[0] == '{' {
			want = "[" + want + "]"
		}
		if got, err := json.Marshal(rules); err != nil || string(got) != want {
			t.Errorf("%s became %s (%v), want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		`{}`:                      `{}`,
		`{"skeletonOnly":false}`:  `{"skeletonOnly":false}`,
		`{"skeletonOnly":null}`:   `{}`,
		`{"color":"red"}`:         `{"color":"red"}`,
		` {"skeletonOnly":true} `: `{"skeletonOnly":true}`,
	} {
		background, err := draw.ParseBackground([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(background); err != nil || string(got) != want {
			t.Errorf("%s became %s (%v), want %s", in, got, err, want)
		}
	}
}

// TestTooMuch: rules made in Go that ParseRules would refuse are refused too.
func TestTooMuch(t *testing.T) {
	for name, rules := range map[string][]draw.Rule{
		"many":     slices.Repeat([]draw.Rule{{Type: "keypoint"}}, 101),
		"no point": {{Type: "keypoint", Points: []keypoint.Selector{{}}}},
	} {
		var errs keypoint.FieldErrors
		if _, err := draw.Compile(rules, draw.Background{}, false); !errors.As(err, &errs) || len(errs) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, err := json.Marshal(draw.Rule{Type: "keypoint", Points: []keypoint.Selector{{}}}); err == nil {
		t.Errorf("no point is %s", b)
	}
}
