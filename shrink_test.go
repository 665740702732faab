package motion_test

import (
	"bytes"
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// TestShrink: a movie of too many pixels is measured and drawn with fewer, and its keypoints are pixels of the movie itself.
func TestShrink(t *testing.T) {
	small := motion.Limits{FramePixels: 160 * 120}
	var found []inference.Candidate
	var seen keypoint.Frame
	s := host.New().Service(t, func(c *motion.Config) {
		withFFmpeg(t)(c)
		c.Estimator, c.Limits = fakes.Estimator{}, small
	})
	defer host.Run(t, s)()
	path := movie(t, "-f", "lavfi", "-i", "color=black:s=640x360:r=10:d=1,drawbox=x=400:y=60:w=100:h=240:color=white:t=fill,drawbox=x=60:y=100:w=80:h=200:color=white:t=fill")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := motion.Extractor{
		Estimator: fakes.Estimator{}, Decoder: ffmpeg.Decoder{}, Limits: small,
		FindOptions: motion.FindOptions{Uncleaned: true, CandidateFrames: 1, Choose: inference.Choice{Policy: inference.PolicyNearest, Point: [2]float64{100, 200}}},
		OnFrame:     func(_ int, f keypoint.Frame, _ float64) { seen = f },
		OnCandidates: func(_ int, people []inference.Candidate) {
			found = append(found, people...)
		},
	}
	if _, _, err := x.Read(t.Context(), bytes.NewReader(data)); !errors.Is(err, inference.ErrTooManyPixels) {
		t.Errorf("without: %v", err)
	}
	x.Shrink = true
	seq, _, err := x.Read(t.Context(), bytes.NewReader(data))
	if err != nil || seq.Size != image.Pt(640, 360) || seq.Len() != 10 || len(found) != 2 {
		t.Fatalf("%v, %d frames, %d candidates (%v)", seq.Size, seq.Len(), len(found), err)
	}
	near := func(what string, got, want keypoint.Point) {
		if got.Sub(want).Len() > 8 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	x.Limits = motion.Limits{}
	whole, _, err := x.Read(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range whole.Frames[5].Present().List() {
		want, _ := whole.Frames[5].At(p)
		got, _ := seq.Frames[5].At(p)
		near(p.String(), got, want)
		got, _ = seen.At(p)
		near("told "+p.String(), got, want)
	}
	for i := range 2 {
		near("candidate", found[i].Box.Centre(), found[2+i].Box.Centre())
	}

	a := motion.Annotator{Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{Preset: "ultrafast"}, Limits: small, BlurFaces: true}
	out := filepath.Join(t.TempDir(), "out.mp4")
	if err := a.File(t.Context(), path, out, seq); !errors.Is(err, inference.ErrTooManyPixels) {
		t.Errorf("drawn without: %v", err)
	}
	a.Shrink = true
	if err := a.File(t.Context(), path, out, seq); err != nil {
		t.Fatal(err)
	}
	if got := probe(t, out).Streams[0]; got.Width*got.Height >= 160*120 || math.Abs(float64(got.Width)/float64(got.Height)*360/640-1) > 0.02 || got.Frames != 10 {
		t.Errorf("drawn: %d × %d, %d frames", got.Width, got.Height, got.Frames)
	}

	file := host.UploadMovie(t, s, data)
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(file.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || !strings.Contains(e.Failure, "total number of pixels in a single frame") {
		t.Errorf("it is refused with %q (%v)", e.Failure, err)
	}
	e, err = s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(file.ID), FindOptions: motion.FindOptions{Shrink: true}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if m, err := s.GetMedia(t.Context(), host.Owner, storage.Movies, file.ID); err != nil || m.Info.Size != image.Pt(640, 360) {
		t.Errorf("the movie has %v (%v)", m.Info.Size, err)
	}
	for _, kind := range []storage.Key{{Owner: host.Owner, Kind: storage.Movies, ID: file.ID}, {Owner: host.Owner, Kind: storage.Keypoints, ID: e.ID}} {
		if _, err := s.GetThumbnail(t.Context(), kind.Owner, kind.Kind, kind.ID); err != nil {
			t.Errorf("thumbnail of %v: %v", kind, err)
		}
	}
	c, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: e.ID, Options: compare.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Comparisons, c.ID, storage.Success)
	for _, layout := range []draw.Layout{draw.LayoutGhost, draw.LayoutSideBySide} {
		d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{ComparisonID: c.ID, DrawOptions: motion.DrawOptions{Layout: layout, Shrink: true}})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
	}
}
