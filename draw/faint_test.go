package draw_test

import (
	"encoding/json"
	"errors"
	"image"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// forearm is a horizontal line across the middle of a picture of 120×80 pixels.
func forearm(elbow, wrist float64) keypoint.Frame {
	var f keypoint.Frame
	f.Set(keypoint.LeftElbow, keypoint.Point{20, 40}, elbow)
	f.Set(keypoint.LeftWrist, keypoint.Point{100, 40}, wrist)
	return f
}

// TestFaint: the opacity follows the confidence of the less sure end, on RGB and on a movie's planes, only
// if the rule asks for it.
func TestFaint(t *testing.T) {
	for _, c := range []struct {
		elbow, wrist float64
		faint        bool
		want         float64 // opacity
	}{
		{.9, .9, true, 1}, {.9, .6, true, 1}, {.9, .4, true, 2.0 / 3}, {.4, .9, true, 2.0 / 3},
		{.2, .9, true, 1.0 / 3}, {0, .9, true, 1.0 / 3}, {.2, .9, false, 1},
	} {
		f := forearm(c.elbow, c.wrist)
		for _, rule := range []draw.Rule{
			{Type: "stickPicture", Size: 10},
			{Type: "stickPicture", Size: 10, Points: keypoint.PartSelectors(keypoint.LeftElbow, keypoint.LeftWrist)},
			{Type: "horizontalLine", Size: 10, Points: []keypoint.Selector{keypoint.MidpointSelector(keypoint.LeftElbow, keypoint.LeftWrist)}},
		} {
			rule.Color, rule.Faint = draw.White, c.faint
			dst := image.NewRGBA(image.Rect(0, 0, 120, 80))
			if err := draw.Render(dst, &f, []draw.Rule{rule}, draw.Background{SkeletonOnly: true, Color: "black"}); err != nil {
				t.Fatal(err)
			}
			if got := float64(dst.RGBAAt(60, 40).R) / 255; got < c.want-.01 || got > c.want+.01 {
				t.Errorf("confidences %v and %v: opacity %v, want %v", c.elbow, c.wrist, got, c.want)
			}
			style, err := draw.Compile([]draw.Rule{rule}, draw.Background{}, false)
			if err != nil {
				t.Fatal(err)
			}
			planes := draw.NewYUV(dst.Rect.Size())
			if err := draw.NewRenderer(style).RenderYUV(planes, &f, draw.Inputs{}); err != nil {
				t.Fatal(err)
			}
			if r, _, _, _ := planes.At(60, 40).RGBA(); float64(r)/0xffff < c.want-.03 || float64(r)/0xffff > c.want+.03 {
				t.Errorf("confidences %v and %v: opacity %v on planes, want %v", c.elbow, c.wrist, float64(r)/0xffff, c.want)
			}
		}
	}
}

func TestFaintRule(t *testing.T) {
	rules, err := draw.ParseRules([]byte(`{"drawingType": "keypoint", "faint": true}`))
	if err != nil || !rules[0].Faint {
		t.Fatalf("%+v, %v", rules, err)
	}
	b, err := json.Marshal(rules[0])
	if err != nil || string(b) != `{"drawingType":"keypoint","faint":true}` {
		t.Errorf("%s, %v", b, err)
	}
	var errs keypoint.FieldErrors
	if _, err := draw.ParseRules([]byte(`{"drawingType": "label", "faint": true}`)); !errors.As(err, &errs) || errs[0].Pointer != "/faint" {
		t.Errorf("%v", err)
	}
}
