package motion_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// TestStoredRequest holds the JSON in which databases keep the request of a keypoint record.
func TestStoredRequest(t *testing.T) {
	cutoff := clean.Options{Smooth: &clean.Smooth{Cutoff: 3}}
	scale := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}}
	for _, c := range []struct {
		stored string
		origin motion.Origin
		find   motion.FindOptions
	}{
		{`{"movieId":3,"rate":10,"everybody":true,"clean":{"smooth":{"cutoff":3}},"choose":{"policy":"track","track":2},"feet":true,` +
			`"captureRate":240,"calibration":{"scale":{"bodyHeight":1.8}},"candidateFrames":4,"candidatesEvery":0.5,"mirrored":true}`,
			motion.Origin{MovieID: 3}, motion.FindOptions{
				Rate: 10, Everybody: true, Clean: cutoff, Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 2}, Feet: true,
				CaptureRate: 240, Calibration: scale, CandidateFrames: 4, CandidatesEvery: 0.5, Mirrored: true,
			}},
		{`{"imageId":4,"keypointId":5}`, motion.Origin{ImageID: 4, KeypointID: 5}, motion.FindOptions{Uncleaned: true}},
		{`{"movieId":3,"keypointIds":[5,6]}`, motion.Origin{MovieID: 3, KeypointIDs: []int64{5, 6}}, motion.FindOptions{Uncleaned: true}},
		{`{"keypoints":{"width":640,"height":480,"keypoint":[],"scores":[]}}`,
			motion.Origin{Given: &motion.GivenKeypoints{Width: 640, Height: 480}}, motion.FindOptions{Uncleaned: true}},
		{`{"movieId":3,"keypoints":{"width":640,"height":480,"timestamps":[],"keypoint":[],"scores":[]}}`,
			motion.Origin{MovieID: 3, Given: &motion.GivenKeypoints{Width: 640, Height: 480, Recording: new([0]float64)}}, motion.FindOptions{Uncleaned: true}},
	} {
		p := host.New()
		s := p.Service(t, nil)
		r, err := p.Store.Create(t.Context(), storage.Record{
			Key: storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"request":` + c.stored + `}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.GetExtraction(t.Context(), host.Owner, r.ID)
		if diff := cmp.Diff(c.origin, e.Origin) + cmp.Diff(c.find, e.FindOptions); err != nil || diff != "" {
			t.Errorf("%s (%v): %s", c.stored, err, diff)
		}
	}
	for given, want := range map[motion.GivenKeypoints]string{
		{Width: 6, Height: 4}:                             `{"width":6,"height":4}`,
		{Width: 6, Height: 4, Recording: new([0]float64)}: `{"width":6,"height":4,"timestamps":[]}`,
	} {
		if b, err := json.Marshal(given); string(b) != want || err != nil {
			t.Errorf("%+v is stored as %s (%v), want %s", given, b, err, want)
		}
	}
}

// TestStoredRules: rules are shown as they were asked for, one alone without an array, also those of older records.
func TestStoredRules(t *testing.T) {
	p := host.New()
	s := p.Service(t, nil)
	for _, rule := range []string{`{"analysisType":"kneeFlexion","side":"left"}`, `[{"analysisType":"kneeFlexion","side":"left"}]`} {
		r, err := p.Store.Create(t.Context(), storage.Record{
			Key: storage.Key{Owner: host.Owner, Kind: storage.Analyses}, Status: storage.Success, Data: []byte(`{"request":{"keypointId":1,"rule":` + rule + `}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		if a, err := s.GetAnalysis(t.Context(), host.Owner, r.ID); err != nil || string(a.RuleJSON) != rule || len(a.Rules) != 1 {
			t.Errorf("%s: %s, %v (%v)", rule, a.RuleJSON, a.Rules, err)
		}
	}
	for _, rule := range []string{`{"drawingType":"keypoint","points":["nose"]}`, `[{"drawingType":"keypoint","points":["nose"]}]`} {
		r, err := p.Store.Create(t.Context(), storage.Record{
			Key: storage.Key{Owner: host.Owner, Kind: storage.Drawings}, Status: storage.Success,
			Data: []byte(`{"request":{"keypointId":1,"ruleAlone":true,"rule":` + rule + `}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		if d, err := s.GetDrawing(t.Context(), host.Owner, r.ID); err != nil || string(d.RuleJSON) != rule || len(d.Rules) != 1 {
			t.Errorf("%s: %s, %v (%v)", rule, d.RuleJSON, d.Rules, err)
		}
	}
}
