package draw_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

func TestParseRules(t *testing.T) {
	seven := 7
	for name, c := range map[string]struct {
		json string
		want []draw.Rule
	}{
		"one object": {`{"drawingType":"keypoint"}`, []draw.Rule{{Type: "keypoint"}}},
		"no rules":   {`[]`, []draw.Rule{}},
		"nulls are absent": {
			`[{"drawingType":"keypoint","points":null,"pattern":"all","color":null,"size":null,"comparisons":null,"text":null}]`,
			[]draw.Rule{{Type: "keypoint", Pattern: "all"}},
		},
		"points": {
			`[{"drawingType":"stickPicture","points":["nose",{"pointType":"midpoint","pointName":["leftHip","rightHip"]},{"pointName":["leftKnee"]}],"color":"skyBlue","size":2.5}]`,
			[]draw.Rule{{Type: "stickPicture", Color: draw.SkyBlue, Size: 2.5, Points: []keypoint.Selector{
				sel(keypoint.Nose), keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip), sel(keypoint.LeftKnee),
			}}},
		},
		"bands": {
			`{"drawingType":"stickPicture","comparisons":[{},{"threshold":0,"color":"grey","size":100}]}`,
			[]draw.Rule{{Type: "stickPicture", Bands: []draw.Band{{Threshold: 0.2}, {Color: "grey", Size: 100}}}},
		},
		"comparison extras": {
			`{"drawingType":"keypoint","comparisons":[{}],"ghost":"white","arrows":"black","legend":true}`,
			[]draw.Rule{{Type: "keypoint", Bands: []draw.Band{{Threshold: 0.2}}, Ghost: draw.White, Arrows: "black", Legend: true}},
		},
		"types beyond": {
			`[{"drawingType":"angle","points":["leftHip","leftKnee","leftAnkle"],"rotation":true},{"drawingType":"trace","seconds":2.5},{"drawingType":"label","text":"°","analysis":7}]`,
			[]draw.Rule{
				{Type: "angle", Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle), Rotation: true},
				{Type: "trace", Seconds: 2.5}, {Type: "label", Text: "°", Analysis: &seven},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := draw.ParseRules([]byte(c.json))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(draw.Rule{}, draw.Band{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// places returns the pointers of the mistakes.
func places(t *testing.T, err error) []string {
	t.Helper()
	var errs keypoint.FieldErrors
	if !errors.As(err, &errs) {
		t.Fatalf("%v (%T), want keypoint.FieldErrors", err, err)
	}
	list := []string{}
	for _, e := range errs {
		if e.Detail == "" {
			t.Errorf("%s: no detail", e.Pointer)
		}
		list = append(list, e.Pointer)
	}
	return list
}

func TestParseRulesErrors(t *testing.T) {
	for json, want := range map[string][]string{
		``:                            {""},
		`null`:                        {""},
		`"keypoint"`:                  {""},
		`{}`:                          {"/drawingType"},
		`[{}]`:                        {"/0/drawingType"},
		`[null]`:                      {"/0"},
		`{"drawingType":"dots"}`:      {"/drawingType"},
		`{"drawingType":7}`:           {"/drawingType"},
		`{"drawingType":"keypoint"`:   {""},
		`{"drawingType":"keypoint"}}`: {""},
		`{"drawingType":"keypoint","colour":"red"}`:                                                    {"/colour"},
		`{"drawingType":"keypoint","color":"Red"}`:                                                     {"/color"},
		`{"drawingType":"keypoint","size":0}`:                                                          {"/size"},
		`{"drawingType":"keypoint","size":100.5}`:                                                      {"/size"},
		`{"drawingType":"keypoint","size":"1"}`:                                                        {"/size"},
		`{"drawingType":"keypoint","points":[]}`:                                                       {"/points"},
		`{"drawingType":"keypoint","points":"nose"}`:                                                   {"/points"},
		`{"drawingType":"stickPicture","points":["nose"]}`:                                             {"/points"},
		`[{"drawingType":"keypoint"},{"drawingType":"keypoint","points":["nose","tail"]}]`:             {"/1/points/1"},
		`{"drawingType":"keypoint","points":[{"pointType":"midpoint","pointName":["nose"]}]}`:          {"/points/0/pointName"},
		`{"drawingType":"keypoint","points":[{"pointType":"middle","pointName":["nose"]}]}`:            {"/points/0/pointType"},
		`{"drawingType":"keypoint","points":[{}]}`:                                                     {"/points/0/pointName"},
		`{"drawingType":"keypoint","points":["nose"],"pattern":"all"}`:                                 {"/pattern"},
		`{"drawingType":"keypoint","pattern":"body"}`:                                                  {"/pattern"},
		`{"drawingType":"keypoint","comparisons":{}}`:                                                  {"/comparisons"},
		`{"drawingType":"keypoint","comparisons":[{"threshold":1.5,"color":"x","size":-1,"extra":1}]}`: {"/comparisons/0/extra", "/comparisons/0/threshold", "/comparisons/0/size", "/comparisons/0/color"},
		`{"drawingType":"keypoint","comparisons":[null]}`:                                              {"/comparisons/0"},
		`{"drawingType":"keypoint","ghost":true}`:                                                      {"/ghost"},
		`{"drawingType":"trace","ghost":"red"}`:                                                        {"/ghost"},
		`{"drawingType":"horizontalLine","arrows":"red"}`:                                              {"/arrows"},
		`{"drawingType":"keypoint","legend":true}`:                                                     {"/legend"},
		`{"drawingType":"angle"}`:                                                                      {"/points"},
		`{"drawingType":"angle","points":["nose","leftEye"]}`:                                          {"/points"},
		`{"drawingType":"keypoint","rotation":true,"seconds":1,"text":"a"}`:                            {"/rotation", "/seconds", "/text"},
		`{"drawingType":"trace","seconds":0}`:                                                          {"/seconds"},
		`{"drawingType":"trace","seconds":61}`:                                                         {"/seconds"},
		`{"drawingType":"label","analysis":-1}`:                                                        {"/analysis"},
		`{"drawingType":"label","analysis":1.5}`:                                                       {"/analysis"},
		`{"drawingType":"label","text":"` + strings.Repeat("a", 81) + `"}`:                             {"/text"},
		`[` + strings.Repeat(`{"drawingType":"keypoint"},`, 100) + `{"drawingType":"keypoint"}]`:       {""},
		`{"drawingType":"label","text":"` + strings.Repeat("a", 512<<10) + `"}`:                        {""},
	} {
		t.Run(json[:min(len(json), 60)], func(t *testing.T) {
			_, err := draw.ParseRules([]byte(json))
			if diff := cmp.Diff(want, places(t, err)); diff != "" {
				t.Errorf("%s\n%v", diff, err)
			}
		})
	}
}

// TestCheckParsed: mistakes that only the drawing finds have their places in the list of rules.
func TestCheckParsed(t *testing.T) {
	rules, err := draw.ParseRules([]byte(`[{"drawingType":"keypoint"},{"drawingType":"keypoint","comparisons":[{}],"ghost":"red","arrows":"red","legend":true}]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := check(rules, true); err != nil {
		t.Errorf("for a comparison: %v", err)
	}
	want := []string{"/1/comparisons", "/1/ghost", "/1/arrows", "/1/legend"}
	if diff := cmp.Diff(want, places(t, check(rules, false))); diff != "" {
		t.Error(diff)
	}
	empty, err := draw.ParseRules([]byte(`{"drawingType":"keypoint","comparisons":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/0/comparisons"}, places(t, check(empty, false))); diff != "" {
		t.Errorf("an empty list of comparisons is one, too: %s", diff)
	}
}

// TestCheck: rules made in Go are checked in the same way.
func TestCheck(t *testing.T) {
	minus := -1
	ok := draw.Rule{Type: "keypoint"}
	for i, c := range []struct {
		rule draw.Rule
		want []string
	}{
		{draw.Rule{}, []string{"/1/drawingType"}},
		{draw.Rule{Type: "keypoint", Points: []keypoint.Selector{}}, []string{"/1/points"}},
		{draw.Rule{Type: "angle"}, []string{"/1/points"}},
		{draw.Rule{Type: "keypoint", Points: []keypoint.Selector{{Type: keypoint.Midpoint}}}, []string{"/1/points/0"}},
		{draw.Rule{Type: "keypoint", Points: keypoint.PartSelectors(99), Pattern: "nobody"}, []string{"/1/points/0", "/1/pattern", "/1/pattern"}},
		{draw.Rule{Type: "keypoint", Color: "mauve", Ghost: "x", Arrows: "y", Size: 101}, []string{"/1/color", "/1/ghost", "/1/arrows", "/1/size"}},
		{draw.Rule{Type: "keypoint", Bands: []draw.Band{{}, {Threshold: 2, Color: "x", Size: -1}}}, []string{"/1/comparisons/1/threshold", "/1/comparisons/1/color", "/1/comparisons/1/size"}},
		{draw.Rule{Type: "trace", Seconds: -1}, []string{"/1/seconds"}},
		{draw.Rule{Type: "label", Analysis: &minus}, []string{"/1/analysis"}},
	} {
		if diff := cmp.Diff(c.want, places(t, check([]draw.Rule{ok, c.rule}, true))); diff != "" {
			t.Errorf("case %d: %s", i, diff)
		}
	}
	if err := check([]draw.Rule{ok}, false); err != nil {
		t.Error(err)
	}
	if err := check(nil, false); err != nil {
		t.Error(err)
	}
}

func TestParseBackground(t *testing.T) {
	for json, want := range map[string]draw.Background{
		`{}`:                                   {},
		`{"skeletonOnly":null,"color":null}`:   {},
		`{"skeletonOnly":true}`:                {SkeletonOnly: true},
		`{"skeletonOnly":true,"color":"pink"}`: {SkeletonOnly: true, Color: "pink"},
		`{"color":"black"}`:                    {Color: "black"},
	} {
		got, err := draw.ParseBackground([]byte(json))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", json, got, err, want)
		}
	}
	for json, want := range map[string][]string{
		``:                            {""},
		`null`:                        {""},
		`[]`:                          {""},
		`{"skeletonOnly":"yes"}`:      {"/skeletonOnly"},
		`{"color":"mauve"}`:           {"/color"},
		`{"skeleton":true,"color":1}`: {"/skeleton", "/color"},
	} {
		got, err := draw.ParseBackground([]byte(json))
		if diff := cmp.Diff(want, places(t, err)); diff != "" || got != (draw.Background{}) {
			t.Errorf("%s: %+v %s", json, got, diff)
		}
	}
}

func TestNeeds(t *testing.T) {
	zero := 0
	hip := keypoint.PartSelectors(keypoint.LeftHip)
	for i, c := range []struct {
		rules []draw.Rule
		want  draw.Needs
	}{
		{nil, draw.Needs{}},
		{[]draw.Rule{{Type: "keypoint"}, {Type: "label", Points: hip}}, draw.Needs{}},
		{[]draw.Rule{{Type: "keypoint", Ghost: draw.Red}}, draw.Needs{Target: true}},
		{[]draw.Rule{{Type: "keypoint", Arrows: draw.Red}}, draw.Needs{Target: true}},
		{[]draw.Rule{{Type: "trace"}, {Type: "label", Points: hip, Analysis: &zero}}, draw.Needs{History: true, Value: true}},
	} {
		s, err := draw.Compile(c.rules, draw.Background{}, true)
		if err != nil {
			t.Errorf("case %d: %v", i, err)
		} else if got := s.Needs(); got != c.want {
			t.Errorf("case %d: %+v, want %+v", i, got, c.want)
		}
	}
}

// FuzzParseRules: rules that are parsed without an error compile for a comparison, can be drawn
// and survive a round trip through JSON. Every mistake has a place within the document.
func FuzzParseRules(f *testing.F) {
	for _, p := range pictures() {
		if p.rules != "" {
			f.Add([]byte(p.rules))
		}
	}
	f.Add([]byte(`{"drawingType":"keypoint","colour":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := draw.ParseRules(data)
		if err != nil {
			for _, place := range places(t, err) {
				if place != "" && !strings.HasPrefix(place, "/") {
					t.Errorf("pointer %q", place)
				}
			}
			return
		}
		if err := check(rules, true); err != nil {
			t.Fatalf("read, but refused: %v", err)
		}
		sameAgain(t, rules)
		body := person(60, 40)
		opt := options{Distance: bySide, Target: &body, History: wave(body, 3), Value: func(i int) (string, bool) { return fmt.Sprint(i), true }}
		if err := render(canvas(60, 40), &body, rules, opt); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzParseBackground(f *testing.F) {
	f.Add([]byte(`{"skeletonOnly":true,"color":"pink"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := draw.ParseBackground(data)
		if err != nil {
			places(t, err)
			return
		}
		body := person(20, 20)
		if err := render(canvas(20, 20), &body, nil, options{Background: b}); err != nil {
			t.Fatal(err)
		}
	})
}
