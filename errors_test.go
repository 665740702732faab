package motion_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

func TestRequestsThatAreRefused(t *testing.T) {
	s := host.New().Service(t, nil)
	ctx := t.Context()
	data := host.Picture(20, 20)
	ready := host.Upload(t, s, data)
	bare, err := s.RegisterMedia(ctx, host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(data)})
	if err != nil {
		t.Fatal(err)
	}
	e := host.Extract(t, s, ready.ID)
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
			_, err := s.RegisterMedia(ctx, host.Owner, storage.Movies, motion.NewMedia{ContentMD5: "xyz"})
			return err
		}, motion.ErrInvalid, "contentMd5"},
		"long name": {func() error {
			_, err := s.RegisterMedia(ctx, host.Owner, storage.Movies, motion.NewMedia{Name: new(strings.Repeat("x", 1001)), ContentMD5: host.MD5(nil)})
			return err
		}, motion.ErrInvalid, "name"},
		"other bytes": {func() error {
			_, err := s.UploadMedia(ctx, host.Owner, storage.Images, bare.ID, strings.NewReader("other"))
			return err
		}, motion.ErrInvalid, ""},
		"somebody else's upload": {func() error {
			_, err := s.UploadMedia(ctx, "else", storage.Images, bare.ID, bytes.NewReader(data))
			return err
		}, motion.ErrNotFound, ""},
		"neither movie nor image": {func() error { _, err := s.ExtractKeypoints(ctx, host.Owner, motion.ExtractRequest{}); return err }, motion.ErrInvalid, "movieId"},
		"both": {func() error {
			_, err := s.ExtractKeypoints(ctx, host.Owner, motion.ExtractRequest{Source: motion.Movie(1).On(motion.Image(1))})
			return err
		}, motion.ErrInvalid, "movieId"},
		"not uploaded": {func() error {
			_, err := s.ExtractKeypoints(ctx, host.Owner, motion.ExtractRequest{Source: motion.Image(bare.ID)})
			return err
		}, motion.ErrConflict, ""},
		"unknown image": {func() error {
			_, err := s.ExtractKeypoints(ctx, host.Owner, motion.ExtractRequest{Source: motion.Image(99)})
			return err
		}, motion.ErrNotFound, ""},
		"somebody else's image": {func() error {
			_, err := s.ExtractKeypoints(ctx, "else", motion.ExtractRequest{Source: motion.Image(ready.ID)})
			return err
		}, motion.ErrNotFound, ""},
		"no rule": {func() error {
			_, err := s.AnalyzeKeypoints(ctx, host.Owner, motion.AnalyzeRequest{KeypointID: e.ID})
			return err
		}, motion.ErrInvalid, "rule"},
		"movie option on an image": {func() error {
			_, err := s.AnalyzeKeypoints(ctx, host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: host.Rules(t, `{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}`)})
			var list keypoint.FieldErrors
			if !errors.As(err, &list) || list[0].Pointer != "/0/movieOption" {
				t.Errorf("movie option: %v", err)
			}
			return err
		}, motion.ErrInvalid, "rule"},
		"unknown alignment": {func() error {
			_, err := s.CompareKeypoints(ctx, host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: e.ID, Options: compare.Options{Alignment: "best"}})
			return err
		}, motion.ErrInvalid, "alignment"},
		"unknown target": {func() error {
			_, err := s.CompareKeypoints(ctx, host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: 77})
			return err
		}, motion.ErrNotFound, ""},
		"bands without a comparison": {func() error {
			_, err := s.DrawKeypoints(ctx, host.Owner, motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, `{"drawingType":"keypoint","comparisons":[{}]}`)})
			var list keypoint.FieldErrors
			if !errors.As(err, &list) || list[0].Pointer != "/0/comparisons" {
				t.Errorf("bands: %v", err)
			}
			return err
		}, motion.ErrInvalid, "rule"},
		"bad background": {func() error {
			_, err := s.DrawKeypoints(ctx, host.Owner, motion.DrawRequest{KeypointID: e.ID, Background: &draw.Background{Color: "beige"}})
			return err
		}, motion.ErrInvalid, "backgroundRule"},
		"drawing of nothing": {func() error { _, err := s.DrawKeypoints(ctx, host.Owner, motion.DrawRequest{}); return err }, motion.ErrInvalid, "keypointId"},
		"no owner": {func() error {
			_, err := s.RegisterMedia(ctx, "", storage.Movies, motion.NewMedia{ContentMD5: host.MD5(nil)})
			return err
		}, motion.ErrInvalid, "owner"},
	} {
		if err := c.call(); !errors.Is(err, c.kind) || field(err) != c.field {
			t.Errorf("%s: %v (field %q), want %v and field %q", name, err, field(err), c.kind, c.field)
		}
	}
	if m, err := s.GetMedia(ctx, host.Owner, storage.Images, bare.ID); err != nil || m.Uploaded {
		t.Errorf("after a refused upload: %+v (%v)", m, err)
	}
}

func TestFailuresOfMedia(t *testing.T) {
	cut := host.Picture(60, 60)
	cut = cut[:len(cut)/2]
	var cmyk bytes.Buffer
	if err := tiff.Encode(&cmyk, image.NewRGBA(image.Rect(0, 0, 60, 60)), nil); err != nil {
		t.Fatal(err)
	}
	copy(cmyk.Bytes()[bytes.Index(cmyk.Bytes(), []byte{0x06, 0x01, 3, 0}):], []byte{0x06, 0x01, 3, 0, 1, 0, 0, 0, 5}) // was RGB
	for name, c := range map[string]struct {
		data   []byte
		limits motion.Limits
		want   string
	}{
		"text":      {[]byte("no picture"), motion.Limits{}, "The image format is not supported."},
		"cut off":   {cut, motion.Limits{}, "The image format is not supported."},
		"CMYK TIFF": {cmyk.Bytes(), motion.Limits{}, "The image format is not supported. TIFF in CMYK or YCbCr, or with JPEG inside, is not read: save it as PNG, JPEG or TIFF in RGB."},
		"too large": {host.Picture(100, 100), motion.Limits{ImagePixels: 10_000}, "The total number of pixels in the image file has to be less than 10000."},
	} {
		t.Run(name, func(t *testing.T) {
			s := host.New().Service(t, func(c2 *motion.Config) { c2.Limits = c.limits })
			host.Run(t, s)
			e := host.Extract(t, s, host.Upload(t, s, c.data).ID)
			d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
			if err != nil {
				t.Fatal(err)
			}
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
			host.Wait(t, s, storage.Drawings, d.ID, storage.Failure)
			if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Failure != c.want {
				t.Errorf("failure %q (%v), want %q", e.Failure, err, c.want)
			}
			if _, err := e.Sequence(); !errors.Is(err, motion.ErrConflict) {
				t.Errorf("the result of a failed record: %v", err)
			}
			if d, err = s.GetDrawing(t.Context(), host.Owner, d.ID); err != nil || d.Failure != "The keypoint extraction 1 has failed: "+c.want {
				t.Errorf("the drawing's failure is %q (%v)", d.Failure, err)
			}
		})
	}
	// Exactly 12.2 million pixels are too many.
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4000, 3050))); err != nil {
		t.Fatal(err)
	}
	s := host.New().Service(t, nil)
	host.Run(t, s)
	e := host.Extract(t, s, host.Upload(t, s, b.Bytes()).ID)
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
	const want = "The total number of pixels in the image file has to be less than 12.2 million."
	if e, err := s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Failure != want {
		t.Errorf("failure %q (%v), want %q", e.Failure, err, want)
	}
}
