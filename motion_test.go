package motion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

func TestPictureFromUploadToDrawing(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	data := host.Picture(200, 300)
	m := host.Upload(t, s, data)
	if m.Size != image.Pt(200, 300) || !m.Uploaded {
		t.Errorf("uploaded: %+v", m)
	}
	e := host.Extract(t, s, m.ID)
	// Everything else may be asked for while the extraction is under way.
	a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: host.Rules(t, `{"analysisType":"coordinate","points":["nose"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: e.ID, Options: compare.Options{Mirror: true}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{ComparisonID: c.ID, Rules: drawRules(t, `{"drawingType":"keypoint","points":["nose"],"color":"blue","size":5}`)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	host.Wait(t, s, storage.Analyses, a.ID, storage.Success)
	host.Wait(t, s, storage.Comparisons, c.ID, storage.Success)
	host.Wait(t, s, storage.Drawings, d.ID, storage.Success)

	e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := e.Sequence()
	if err != nil || seq.Len() != 1 || seq.Times != nil || seq.Size != image.Pt(200, 300) {
		t.Errorf("sequence %+v (%v)", seq, err)
	}
	points, scores, _, times := e.JSON(false)
	if !json.Valid(points) || !json.Valid(scores) || times != nil || !strings.HasPrefix(string(points), `[{"nose":[100,30]`) {
		t.Errorf("JSON: %s\n%s\n%s", points, scores, times)
	}
	if _, err := a.Result(); !errors.Is(err, motion.ErrNotReady) {
		t.Errorf("results before the job: %v", err)
	}
	a, err = s.GetAnalysis(t.Context(), host.Owner, a.ID)
	rule, found := a.RuleJSON, a.JSON()
	if err != nil || !strings.Contains(string(found), `"values":[[100,30]]`) || !strings.HasPrefix(string(found), `{"result":[`) || !strings.HasSuffix(string(found), `]}`) {
		t.Errorf("analysis: %s (%v)", found, err)
	}
	if !strings.Contains(string(rule), `{"pointType":"single","pointName":"nose"}`) {
		t.Errorf("rule: %s", rule)
	}
	if len(a.Rules) != 1 || a.Rules[0].Type != analyze.Coordinate || a.Rules[0].Points[0].Parts[0] != keypoint.Nose {
		t.Errorf("rules: %+v", a.Rules)
	}
	if found, err := a.Result(); err != nil || len(found.Results) != 1 || found.Results[0].Values[0] != (analyze.Value{X: 100, Y: 30, Present: true}) {
		t.Errorf("results: %+v (%v)", found, err)
	}
	if c, err = s.GetComparison(t.Context(), host.Owner, c.ID); err != nil || !c.Options.Mirror {
		t.Errorf("comparison: %+v (%v)", c, err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.JSON(), &members); err != nil || members["difference"] == nil || members["score"] == nil || members["angles"] != nil || members["repetitions"] != nil {
		t.Errorf("comparison: %s", c.JSON())
	}
	blob, err := s.OpenDrawing(t.Context(), host.Owner, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	img, err := jpeg.Decode(blob)
	if err != nil || img.Bounds() != image.Rect(0, 0, 200, 300) {
		t.Fatalf("drawing: %v", err)
	}
	if r, g, b, _ := img.At(100, 30).RGBA(); r>>8 > 40 || g>>8 > 40 || b>>8 < 200 {
		t.Errorf("the nose is %v, want blue", color.RGBAModel.Convert(img.At(100, 30)))
	}
	list, total, err := s.ListDrawings(t.Context(), host.Owner, motion.Page{Status: storage.Success})
	if err != nil || total != 1 || list[0].ID != d.ID {
		t.Errorf("drawings: %v %d (%v)", list, total, err)
	}
}

// TestForgottenRun: a record that waits without a Run is logged, with its name.
func TestForgottenRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := host.New()
		s := p.Service(t, func(c *motion.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		for range 3 {
			host.Extract(t, s, host.Upload(t, s, host.Picture(40, 30)).ID)
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if n := strings.Count(log.String(), "call Run"); n != 1 {
			t.Errorf("told %d times: %s", n, &log)
		}
		host.Run(t, s)
		host.Wait(t, s, storage.Keypoints, 3, storage.Success)
	})
}

// TestRunResumes: Run takes up what a crash has left, gives up after MaxAttempts, and tells of
// the records that are final.
func TestRunResumes(t *testing.T) {
	p := host.New()
	var calls int
	told := make(chan motion.Finished, 2)
	s := p.Service(t, func(c *motion.Config) {
		c.MaxAttempts = 2
		c.Finished = func(f motion.Finished) { told <- f }
		c.Estimator = host.Estimator{Before: func(context.Context) error {
			if calls++; calls > 1 {
				return errors.New("the network of the estimator is down")
			}
			return nil
		}}
	})
	image := host.Upload(t, s, host.Picture(20, 20)).ID
	crashed, err := p.Store.Create(t.Context(), storage.Record{
		Key: storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, Status: storage.Processing, Attempts: 1, Data: fmt.Appendf(nil, `{"from":[{"kind":"images","id":%d}],"request":{"imageId":%[1]d}}`, image),
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := host.Run(t, s)
	host.Wait(t, s, storage.Keypoints, crashed.ID, storage.Success)
	second := host.Extract(t, s, image).ID
	host.Wait(t, s, storage.Keypoints, second, storage.Failure)
	stop()
	if calls != 3 {
		t.Errorf("%d attempts, want 1 and 2", calls)
	}
	for _, c := range []struct {
		id      int64
		status  storage.Status
		failure string
	}{{crashed.ID, storage.Success, ""}, {second, storage.Failure, "There is a problem on the service."}} {
		e, err := s.GetExtraction(t.Context(), host.Owner, c.id)
		if err != nil || e.Failure != c.failure {
			t.Errorf("failure %q (%v), want %q", e.Failure, err, c.failure)
		}
		want := motion.Finished{Record: storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: c.id}, Status: c.status, Failure: c.failure, UpdatedAt: e.UpdatedAt}
		if got := <-told; got != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

// TestFirstCause: the failure of a drawing tells what is wrong with the movie, two records before.
func TestFirstCause(t *testing.T) {
	p := host.New()
	s := p.Service(t, nil)
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("no movie"))
	broken, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
	if err != nil {
		t.Fatal(err)
	}
	sound := host.Extract(t, s, host.Upload(t, s, host.Picture(60, 60)).ID)
	c, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: sound.ID, TargetID: broken.ID})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{ComparisonID: c.ID})
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(broken.ID)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: again.ID, Rules: []analyze.Rule{
		{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)}}})
	if err != nil {
		t.Fatal(err)
	}
	const cause = "The video format is not supported."
	first := fmt.Sprintf("The keypoint extraction %d has failed: %s", broken.ID, cause)
	for _, want := range []struct {
		kind   storage.Kind
		id     int64
		detail string
	}{
		{storage.Keypoints, broken.ID, cause},
		{storage.Comparisons, c.ID, first},
		{storage.Drawings, d.ID, fmt.Sprintf("The comparison %d has failed: %s", c.ID, first)},
		{storage.Analyses, a.ID, fmt.Sprintf("The keypoint extraction %d has failed: %s", again.ID, first)},
	} {
		host.Wait(t, s, want.kind, want.id, storage.Failure)
		r, err := p.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: want.kind, ID: want.id})
		if err != nil || r.Failure != want.detail {
			t.Errorf("%s %d: failure %q (%v), want %q", want.kind, want.id, r.Failure, err, want.detail)
		}
	}
}
