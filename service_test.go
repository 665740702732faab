package motion_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

const owner = "somebody"

// estimator is an inference.Estimator for tests of the service: a person who fills the
// picture, unless estimate says otherwise.
type estimator struct {
	estimate func(context.Context) error
}

func (e estimator) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	if e.estimate != nil {
		if err := e.estimate(ctx); err != nil {
			return keypoint.Frame{}, err
		}
	}
	var f keypoint.Frame
	size := img.Bounds().Size()
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose:         {0.5, 0.1},
		keypoint.LeftShoulder: {0.6, 0.3}, keypoint.RightShoulder: {0.4, 0.3},
		keypoint.LeftHip: {0.55, 0.6}, keypoint.RightHip: {0.45, 0.6},
	} {
		f.Set(p, keypoint.Point{at[0] * float64(size.X), at[1] * float64(size.Y)}, 0.9)
	}
	return f, nil
}

type parts struct {
	store *memory.Store
	blobs *memory.Blobs
	queue *memory.Queue
}

func newParts() parts {
	return parts{memory.NewStore(memory.StoreOptions{}), memory.NewBlobs(memory.BlobsOptions{}), memory.NewQueue(memory.QueueOptions{})}
}

func (p parts) service(t testing.TB, change func(*motion.Config)) *motion.Service {
	t.Helper()
	cfg := motion.Config{
		Store: p.store, Blobs: p.blobs, Queue: p.queue, Estimator: estimator{}, WorkDir: t.TempDir(),
		Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&cfg)
	}
	s, err := motion.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run works on the service's jobs until stop is called.
func run(t testing.TB, s *motion.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// uploadMovie registers a movie and uploads it.
func uploadMovie(t testing.TB, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.Register(t.Context(), owner, storage.Movies, motion.NewMedia{ContentMD5: hexMD5(data)})
	if err == nil {
		m, err = s.Upload(t.Context(), owner, storage.Movies, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func picture(w, h int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 200
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func hexMD5(b []byte) string {
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

func upload(t *testing.T, s *motion.Service, data []byte) motion.Media {
	t.Helper()
	m, err := s.Register(t.Context(), owner, storage.Images, motion.NewMedia{Name: "a picture", ContentMD5: hexMD5(data)})
	if err == nil {
		m, err = s.Upload(t.Context(), owner, storage.Images, m.ID, bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func extract(t *testing.T, s *motion.Service, image int64) motion.Extraction {
	t.Helper()
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: image})
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != storage.Unprocessed {
		t.Errorf("a new record is %s", e.Status)
	}
	return e
}

// rules parses analysis rules.
func rules(t testing.TB, text string) []analyze.Rule {
	t.Helper()
	rules, err := analyze.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func wait(t testing.TB, s *motion.Service, kind storage.Kind, id int64, want storage.Status) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if got, err := s.Wait(ctx, owner, kind, id); err != nil || got != want {
		t.Fatalf("%s %d is %s (%v), want %s", kind, id, got, err, want)
	}
}

func TestPictureFromUploadToDrawing(t *testing.T) {
	s := newParts().service(t, nil)
	run(t, s)
	data := picture(200, 300)
	m := upload(t, s, data)
	if m.Size != image.Pt(200, 300) || !m.Uploaded {
		t.Errorf("uploaded: %+v", m)
	}
	e := extract(t, s, m.ID)
	// Everything else may be asked for while the extraction is under way.
	a, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: rules(t, `{"analysisType":"coordinate","points":["nose"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Compare(t.Context(), owner, motion.CompareRequest{SourceID: e.ID, TargetID: e.ID, Options: compare.Options{Mirror: true}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Draw(t.Context(), owner, motion.DrawRequest{ComparisonID: c.ID, Rules: drawRules(t, `{"drawingType":"keypoint","points":["nose"],"color":"blue","size":5}`)})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	wait(t, s, storage.Analyses, a.ID, storage.Success)
	wait(t, s, storage.Comparisons, c.ID, storage.Success)
	wait(t, s, storage.Drawings, d.ID, storage.Success)

	e, err = s.Extraction(t.Context(), owner, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := e.Sequence()
	if err != nil || seq.Len() != 1 || seq.Times != nil || seq.Size != image.Pt(200, 300) {
		t.Errorf("sequence %+v (%v)", seq, err)
	}
	points, scores, times := e.JSON()
	if !json.Valid(points) || !json.Valid(scores) || times != nil || !strings.HasPrefix(string(points), `[{"nose":[100,30]`) {
		t.Errorf("JSON: %s\n%s\n%s", points, scores, times)
	}
	if _, err := a.Result(); !errors.Is(err, motion.ErrNotReady) {
		t.Errorf("results before the job: %v", err)
	}
	a, err = s.Analysis(t.Context(), owner, a.ID)
	rule, found := a.JSON()
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
	if c, err = s.Comparison(t.Context(), owner, c.ID); err != nil || !c.Options.Mirror {
		t.Errorf("comparison: %+v (%v)", c, err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.JSON(), &members); err != nil || members["difference"] == nil || members["score"] == nil || members["angles"] != nil || members["repetitions"] != nil {
		t.Errorf("comparison: %s", c.JSON())
	}
	blob, err := s.OpenDrawing(t.Context(), owner, d.ID)
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
	list, total, err := s.Drawings(t.Context(), owner, motion.Page{Status: storage.Success})
	if err != nil || total != 1 || list[0].ID != d.ID {
		t.Errorf("drawings: %v %d (%v)", list, total, err)
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	s := newParts().service(t, nil)
	ctx := t.Context()
	data := picture(20, 20)
	ready := upload(t, s, data)
	bare, err := s.Register(ctx, owner, storage.Images, motion.NewMedia{ContentMD5: hexMD5(data)})
	if err != nil {
		t.Fatal(err)
	}
	e := extract(t, s, ready.ID)
	field := func(err error) string {
		var r *motion.RequestError
		if errors.As(err, &r) {
			return r.Field
		}
		return ""
	}
	for name, c := range map[string]struct {
		call  func() error
		kind  error
		field string
	}{
		"bad MD5": {func() error {
			_, err := s.Register(ctx, owner, storage.Movies, motion.NewMedia{ContentMD5: "xyz"})
			return err
		}, motion.ErrInvalid, "contentMd5"},
		"long name": {func() error {
			_, err := s.Register(ctx, owner, storage.Movies, motion.NewMedia{Name: strings.Repeat("x", 1001), ContentMD5: hexMD5(nil)})
			return err
		}, motion.ErrInvalid, "name"},
		"other bytes": {func() error {
			_, err := s.Upload(ctx, owner, storage.Images, bare.ID, strings.NewReader("other"))
			return err
		}, motion.ErrInvalid, ""},
		"somebody else's upload": {func() error {
			_, err := s.Upload(ctx, "else", storage.Images, bare.ID, bytes.NewReader(data))
			return err
		}, motion.ErrNotFound, ""},
		"neither movie nor image": {func() error { _, err := s.Extract(ctx, owner, motion.ExtractRequest{}); return err }, motion.ErrInvalid, "movieId"},
		"both": {func() error {
			_, err := s.Extract(ctx, owner, motion.ExtractRequest{MovieID: 1, ImageID: 1})
			return err
		}, motion.ErrInvalid, "movieId"},
		"not uploaded": {func() error {
			_, err := s.Extract(ctx, owner, motion.ExtractRequest{ImageID: bare.ID})
			return err
		}, motion.ErrConflict, ""},
		"unknown image": {func() error {
			_, err := s.Extract(ctx, owner, motion.ExtractRequest{ImageID: 99})
			return err
		}, motion.ErrNotFound, ""},
		"somebody else's image": {func() error {
			_, err := s.Extract(ctx, "else", motion.ExtractRequest{ImageID: ready.ID})
			return err
		}, motion.ErrNotFound, ""},
		"no rule": {func() error {
			_, err := s.Analyze(ctx, owner, motion.AnalyzeRequest{KeypointID: e.ID})
			return err
		}, motion.ErrInvalid, "rule"},
		"movie option on an image": {func() error {
			_, err := s.Analyze(ctx, owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: rules(t, `{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}`)})
			var list keypoint.FieldErrors
			if !errors.As(err, &list) || list[0].Pointer != "/movieOption" {
				t.Errorf("movie option: %v", err)
			}
			return err
		}, motion.ErrInvalid, "rule"},
		"unknown alignment": {func() error {
			_, err := s.Compare(ctx, owner, motion.CompareRequest{SourceID: e.ID, TargetID: e.ID, Options: compare.Options{Alignment: "best"}})
			return err
		}, motion.ErrInvalid, "alignment"},
		"unknown target": {func() error {
			_, err := s.Compare(ctx, owner, motion.CompareRequest{SourceID: e.ID, TargetID: 77})
			return err
		}, motion.ErrNotFound, ""},
		"bands without a comparison": {func() error {
			_, err := s.Draw(ctx, owner, motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, `{"drawingType":"keypoint","comparisons":[{}]}`)})
			var list keypoint.FieldErrors
			if !errors.As(err, &list) || list[0].Pointer != "/comparisons" {
				t.Errorf("bands: %v", err)
			}
			return err
		}, motion.ErrInvalid, "rule"},
		"bad background": {func() error {
			_, err := s.Draw(ctx, owner, motion.DrawRequest{KeypointID: e.ID, Background: &draw.Background{Color: "beige"}})
			return err
		}, motion.ErrInvalid, "backgroundRule"},
		"drawing of nothing": {func() error { _, err := s.Draw(ctx, owner, motion.DrawRequest{}); return err }, motion.ErrInvalid, "keypointId"},
		"no owner": {func() error {
			_, err := s.Register(ctx, "", storage.Movies, motion.NewMedia{ContentMD5: hexMD5(nil)})
			return err
		}, motion.ErrInvalid, "owner"},
	} {
		if err := c.call(); !errors.Is(err, c.kind) || field(err) != c.field {
			t.Errorf("%s: %v (field %q), want %v and field %q", name, err, field(err), c.kind, c.field)
		}
	}
	if m, err := s.Media(ctx, owner, storage.Images, bare.ID); err != nil || m.Uploaded {
		t.Errorf("after a refused upload: %+v (%v)", m, err)
	}
}

func TestFailuresOfMedia(t *testing.T) {
	cut := picture(60, 60)
	cut = cut[:len(cut)/2]
	for name, c := range map[string]struct {
		data   []byte
		limits motion.Limits
		want   string
	}{
		"text":      {[]byte("no picture"), motion.Limits{}, "The image format is not supported."},
		"cut off":   {cut, motion.Limits{}, "The image format is not supported."},
		"too large": {picture(100, 100), motion.Limits{ImagePixels: 10_000}, "The total number of pixels in the image file has to be less than 10000."},
	} {
		t.Run(name, func(t *testing.T) {
			s := newParts().service(t, func(c2 *motion.Config) { c2.Limits = c.limits })
			run(t, s)
			e := extract(t, s, upload(t, s, c.data).ID)
			d, err := s.Draw(t.Context(), owner, motion.DrawRequest{KeypointID: e.ID})
			if err != nil {
				t.Fatal(err)
			}
			wait(t, s, storage.Keypoints, e.ID, storage.Failure)
			wait(t, s, storage.Drawings, d.ID, storage.Failure)
			if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil || e.Failure != c.want {
				t.Errorf("failure %q (%v), want %q", e.Failure, err, c.want)
			}
			if _, err := e.Sequence(); !errors.Is(err, motion.ErrConflict) {
				t.Errorf("the result of a failed record: %v", err)
			}
			if d, err = s.Drawing(t.Context(), owner, d.ID); err != nil || d.Failure != "The keypoint extraction 1 has failed: "+c.want {
				t.Errorf("the drawing's failure is %q (%v)", d.Failure, err)
			}
		})
	}
	// Exactly 12.2 million pixels are too many.
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4000, 3050))); err != nil {
		t.Fatal(err)
	}
	s := newParts().service(t, nil)
	run(t, s)
	e := extract(t, s, upload(t, s, b.Bytes()).ID)
	wait(t, s, storage.Keypoints, e.ID, storage.Failure)
	const want = "The total number of pixels in the image file has to be less than 12.2 million."
	if e, err := s.Extraction(t.Context(), owner, e.ID); err != nil || e.Failure != want {
		t.Errorf("failure %q (%v), want %q", e.Failure, err, want)
	}
}

// TestForgottenRun: a record that waits without a Run is logged, with its name.
func TestForgottenRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := newParts()
		s := p.service(t, func(c *motion.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		for range 3 {
			extract(t, s, upload(t, s, picture(40, 30)).ID)
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if n := strings.Count(log.String(), "call Run"); n != 1 {
			t.Errorf("told %d times: %s", n, &log)
		}
		run(t, s)
		wait(t, s, storage.Keypoints, 3, storage.Success)
	})
}

// TestRunResumes: Run takes up what a crash has left, gives up after MaxAttempts, and tells of
// the records that are final.
func TestRunResumes(t *testing.T) {
	p := newParts()
	var calls int
	told := make(chan motion.Finished, 2)
	s := p.service(t, func(c *motion.Config) {
		c.MaxAttempts = 2
		c.Finished = func(f motion.Finished) { told <- f }
		c.Estimator = estimator{func(context.Context) error {
			if calls++; calls > 1 {
				return errors.New("the network of the estimator is down")
			}
			return nil
		}}
	})
	image := upload(t, s, picture(20, 20)).ID
	crashed, err := p.store.Create(t.Context(), storage.Record{
		Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Processing, Attempts: 1, Data: fmt.Appendf(nil, `{"from":[{"kind":"images","id":%d}],"request":{"imageId":%[1]d}}`, image),
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, s)
	wait(t, s, storage.Keypoints, crashed.ID, storage.Success)
	second := extract(t, s, image).ID
	wait(t, s, storage.Keypoints, second, storage.Failure)
	stop()
	if calls != 3 {
		t.Errorf("%d attempts, want 1 and 2", calls)
	}
	for _, c := range []struct {
		id      int64
		status  storage.Status
		failure string
	}{{crashed.ID, storage.Success, ""}, {second, storage.Failure, "There is a problem on the service."}} {
		e, err := s.Extraction(t.Context(), owner, c.id)
		if err != nil || e.Failure != c.failure {
			t.Errorf("failure %q (%v), want %q", e.Failure, err, c.failure)
		}
		want := motion.Finished{Record: storage.Key{Owner: owner, Kind: storage.Keypoints, ID: c.id}, Status: c.status, Failure: c.failure, UpdatedAt: e.UpdatedAt}
		if got := <-told; got != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

// TestFirstCause: the failure of a drawing tells what is wrong with the movie, two records before.
func TestFirstCause(t *testing.T) {
	p := newParts()
	s := p.service(t, nil)
	run(t, s)
	m := uploadMovie(t, s, []byte("no movie"))
	broken, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID})
	if err != nil {
		t.Fatal(err)
	}
	sound := extract(t, s, upload(t, s, picture(60, 60)).ID)
	c, err := s.Compare(t.Context(), owner, motion.CompareRequest{SourceID: sound.ID, TargetID: broken.ID})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Draw(t.Context(), owner, motion.DrawRequest{ComparisonID: c.ID})
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: broken.ID})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: again.ID, Rules: []analyze.Rule{
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
		wait(t, s, want.kind, want.id, storage.Failure)
		r, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: want.kind, ID: want.id})
		if err != nil || r.Failure != want.detail {
			t.Errorf("%s %d: failure %q (%v), want %q", want.kind, want.id, r.Failure, err, want.detail)
		}
	}
}
