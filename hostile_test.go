package motion_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

func installedFFmpeg(t *testing.T) program.Installed {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	return program.Installed{}
}

// TestFailureOfMedia holds the messages of the interface word for word, and that the
// limits are strict: exactly the limit is too much.
func TestFailureOfMedia(t *testing.T) {
	runner := installedFFmpeg(t)
	const (
		badImage  = "The image format is not supported."
		badMovie  = "The video format is not supported."
		bigImage  = "The total number of pixels in the image file has to be less than 12.2 million."
		bigFrame  = "The total number of pixels in a single frame of the video file has to be less than 2.1 million."
		longMovie = "The total number of frames in the video file has to be less than 1800."
		problem   = "There is a problem on the service."
	)
	hostile := func(name string) func(*testing.T) []byte {
		return func(t *testing.T) []byte { return read(t, testkit.Data(t, "hostile/"+name)) }
	}
	lavfi := func(size string, frames int) func(*testing.T) []byte {
		return func(t *testing.T) []byte { return encoded(t, size, frames) }
	}
	blank := func(width, height int) func(*testing.T) []byte {
		return func(*testing.T) []byte { return grey(width, height) }
	}
	missing := func(c *motion.Config) {
		c.Decoder = ffmpeg.Decoder{Runner: program.Installed{FFmpeg: "/nowhere/ffmpeg", FFprobe: "/nowhere/ffprobe"}}
		c.MaxAttempts = 1
	}
	for name, c := range map[string]struct {
		kind storage.Kind
		file func(*testing.T) []byte
		want string // "" for success
	}{
		"text as an image":           {storage.Images, hostile("image_bad/text.jpg"), badImage},
		"a movie as an image":        {storage.Images, hostile("video_ok/base.mp4"), badImage},
		"an SVG":                     {storage.Images, hostile("image_bad/script.svg"), badImage},
		"a PNG cut off":              {storage.Images, hostile("image_bad/cut_half.png"), badImage},
		"an AVIF":                    {storage.Images, hostile("image_ok/avif.avif"), ""},
		"an image at the limit":      {storage.Images, blank(4000, 3050), bigImage},
		"an image below the limit":   {storage.Images, blank(3999, 3050), ""},
		"an image of 900 megapixels": {storage.Images, hostile("image_bad/bomb_gray_30000.png"), bigImage},
		"text as a movie":            {storage.Movies, hostile("video_bad/text.mp4"), badMovie},
		"an image as a movie":        {storage.Movies, hostile("image_ok/base.jpg"), badMovie},
		"an AVIF as a movie":         {storage.Movies, hostile("image_ok/avif.avif"), badMovie},
		"sound as a movie":           {storage.Movies, hostile("video_bad/audio_only.mp4"), badMovie},
		"a movie without its index":  {storage.Movies, hostile("video_bad/no_moov_truncated.mp4"), badMovie},
		"a movie with flipped bits":  {storage.Movies, hostile("video_bad/bitflips.mp4"), ""},
		"a frame at the limit":       {storage.Movies, lavfi("1400x1500", 1), bigFrame},
		"a frame below the limit":    {storage.Movies, lavfi("1400x1498", 1), ""},
		"a frame of 67 megapixels":   {storage.Movies, hostile("video_limits/8192x8192.mp4"), bigFrame},
		"frames at the limit":        {storage.Movies, lavfi("16x16", 1800), longMovie},
		"frames below the limit":     {storage.Movies, lavfi("16x16", 1799), ""},
		"a movie of an hour":         {storage.Movies, hostile("video_limits/one_hour_low.mp4"), longMovie},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.kind == storage.Movies {
				t.Skip("the time goes into ffmpeg, not run with -short")
			}
			s := host.New().Service(t, func(cfg *motion.Config) {
				cfg.Decoder = ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()}
			})
			host.Run(t, s)
			if got := failureOf(t, s, c.kind, c.file(t)); got != c.want {
				t.Errorf("the failure is %q, want %q", got, c.want)
			}
		})
	}
	t.Run("no FFmpeg", func(t *testing.T) {
		p := host.New()
		// The file is uploaded while there is an FFmpeg; it is gone when the work begins.
		s := p.Service(t, func(c *motion.Config) { c.Decoder = ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()} })
		e := requested(t, s, storage.Movies, hostile("video_ok/base.mp4")(t))
		s = p.Service(t, missing)
		host.Run(t, s)
		if got := outcome(t, s, e); got != problem {
			t.Errorf("the failure is %q, want %q", got, problem)
		}
	})
}

// TestRecordsOfMovies holds what a record says of a good movie, as soon as it is uploaded
// and after its extraction, against what ffprobe counts.
func TestRecordsOfMovies(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	runner := installedFFmpeg(t)
	files, err := filepath.Glob(filepath.Join(testkit.Data(t, "hostile"), "video_ok", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	s := host.New().Service(t, func(c *motion.Config) {
		c.Decoder = ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()}
		c.Limits.FramePixels = -1
	})
	host.Run(t, s)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := counted(t, path)
			e := requested(t, s, storage.Movies, read(t, path))
			off := 1e-9
			check := func(when string) {
				t.Helper()
				m, err := s.GetMedia(t.Context(), host.Owner, storage.Movies, e.MovieID)
				if err != nil {
					t.Fatal(err)
				}
				turned := image.Pt(want.Size.Y, want.Size.X)
				if m.Frames != want.Frames || math.Abs(m.FrameRate-want.FrameRate) > off*want.FrameRate || m.Duration != want.Duration || m.Size != want.Size && m.Size != turned {
					t.Errorf("%s: %d frames, %v a second, %v s, %v; ffprobe says %+v", when, m.Frames, m.FrameRate, m.Duration, m.Size, want)
				}
			}
			check("uploaded")
			if failure := outcome(t, s, e); failure != "" {
				t.Fatal(failure)
			}
			if filepath.Base(path) == "vfr.mp4" { // the headers count other than the shown time
				want.FrameRate, off = float64(want.Frames)/want.Duration, 1e-4
			}
			check("extracted")
		})
	}
}

// TestDamagedMovies: what can be decoded of a damaged movie is measured, and the verdict says what is missing.
func TestDamagedMovies(t *testing.T) {
	runner := installedFFmpeg(t)
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()} })
	host.Run(t, s)
	for name, want := range map[string]string{"truncated_faststart.mp4": "27 of its 65 frames", "bitflips.mp4": "of its 65 frames are decoded with faults"} {
		e := requested(t, s, storage.Movies, read(t, testkit.Data(t, "hostile/video_bad/"+name)))
		if failure := outcome(t, s, e); failure != "" {
			t.Fatal(failure)
		}
		e, err := s.GetExtraction(t.Context(), host.Owner, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		judged, err := e.Quality()
		k := slices.IndexFunc(judged.Warnings, func(w quality.Warning) bool { return w.Code == quality.CodeDamaged })
		if err != nil || k < 0 || !strings.Contains(judged.Warnings[k].Detail, want) || judged.Verdict == quality.Good {
			t.Errorf("%s: %s, %+v, want %q (%v)", name, judged.Verdict, judged.Warnings, want, err)
		}
	}
}

// soon is less than decoding verySlow takes, and far more than it takes to stop.
const soon = 8 * time.Second

// verySlow returns a picture that takes 10 s to decode, or more, if that is allowed.
func verySlow() []byte { return testkit.SlowJPEG(image.Pt(7000, 6000), inference.MaxScans) }

// patient lets the service decode what is verySlow.
func patient(c *motion.Config) { c.Limits.ImagePixels, c.Limits.ImageTime = -1, -1 }

// within fails the test if f takes longer than it may.
func within(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	start := time.Now()
	if f(); time.Since(start) > limit {
		t.Errorf("%s took %v, want at most %v", what, time.Since(start).Round(time.Millisecond), limit)
	}
}

// TestSlowPicture: the job on a picture that is too slow to decode fails and says why, and the
// picture behind it, in the queue of one worker, is worked on.
func TestSlowPicture(t *testing.T) {
	quick := func(c *motion.Config) { c.Limits.ImagePixels, c.Limits.ImageTime = -1, time.Second/2 }
	stuck := func(c *motion.Config) { quick(c); c.Decoder = stuckDecoder{} }
	for name, c := range map[string]struct {
		content []byte
		change  func(*motion.Config)
		want    string
	}{
		"a JPEG of 20,000 scans": {
			testkit.SlowJPEG(image.Pt(3490, 3490), 20_000), nil,
			"The total number of scans in the image file has to be at most 100.",
		},
		"a JPEG of 100 scans": {verySlow(), quick, "The time for decoding the image file has to be less than 0.5 seconds."},
		"a HEIC": {
			fakes.HEIC(image.NewRGBA(image.Rect(0, 0, 8, 8))), stuck,
			"The time for decoding the image file has to be less than 0.5 seconds.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := host.New().Service(t, c.change)
			slow := requested(t, s, storage.Images, c.content)
			good := requested(t, s, storage.Images, host.Picture(60, 40))
			host.Run(t, s)
			within(t, 15*time.Second, "the slow one", func() {
				if got := outcome(t, s, slow); got != c.want {
					t.Errorf("the failure is %q, want %q", got, c.want)
				}
			})
			within(t, 5*time.Second, "the good one", func() {
				if got := outcome(t, s, good); got != "" {
					t.Errorf("the good one: %s", got)
				}
			})
		})
	}
}

// stuckDecoder is an ImageDecoder that stops only when its context ends.
type stuckDecoder struct{ fakes.Decoder }

func (stuckDecoder) ProbeImage(ctx context.Context, _ io.ReadSeeker) (image.Point, error) {
	<-ctx.Done()
	return image.Point{}, ctx.Err()
}

func (stuckDecoder) DecodeImage(ctx context.Context, _ io.ReadSeeker, _ int) (image.Image, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestPictureDeleted: deleting the record of an extraction, or its picture, frees the worker that
// decodes it.
func TestPictureDeleted(t *testing.T) {
	for kind, id := range map[storage.Kind]func(motion.Extraction) int64{
		storage.Keypoints: func(e motion.Extraction) int64 { return e.ID },
		storage.Images:    func(e motion.Extraction) int64 { return e.ImageID },
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := host.New().Service(t, patient)
			slow := requested(t, s, storage.Images, verySlow())
			good := requested(t, s, storage.Images, host.Picture(60, 40))
			host.Run(t, s)
			underWay(t, s, slow)
			within(t, soon, "the picture behind", func() {
				if err := s.DeleteRecord(t.Context(), host.Owner, kind, id(slow)); err != nil {
					t.Fatal(err)
				}
				if got := outcome(t, s, good); got != "" {
					t.Error(got)
				}
			})
		})
	}
}

// underWay waits until the work on an extraction has begun, and a little longer.
func underWay(t *testing.T, s *motion.Service, e motion.Extraction) {
	t.Helper()
	testkit.Wait(t, "the work has begun", func() bool {
		now, err := s.GetExtraction(t.Context(), host.Owner, e.ID)
		if err != nil || now.Status.Final() {
			t.Fatalf("%s (%v)", now.Status, err)
		}
		return now.Status == storage.Processing
	})
	time.Sleep(300 * time.Millisecond)
}

// TestPictureAtShutdown: a shutdown interrupts decoding after DrainTimeout, and the job is handed back.
func TestPictureAtShutdown(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) { patient(c); c.DrainTimeout = time.Millisecond })
	// Five scans take the race detector up to a second, as long as interrupted work may take: comments part them.
	scan := append(append([]byte{0xff, 0xfe, 0, 200}, make([]byte, 198)...), 0xff, 0xda)
	slow := requested(t, s, storage.Images, bytes.ReplaceAll(testkit.SlowJPEG(image.Pt(2500, 2500), inference.MaxScans), scan[202:], scan))
	stop := host.Run(t, s)
	underWay(t, s, slow)
	within(t, soon, "the shutdown", stop)
	if e, err := s.GetExtraction(t.Context(), host.Owner, slow.ID); err != nil || e.Status != storage.Unprocessed {
		t.Errorf("the job is %s (%v), want %s", e.Status, err, storage.Unprocessed)
	}
}

// TestSlowUpload: looking at an uploaded picture ends with the request, and after ImageTime.
func TestSlowUpload(t *testing.T) {
	content := fakes.HEIC(image.NewRGBA(image.Rect(0, 0, 8, 8)))
	upload := func(ctx context.Context, s *motion.Service) (motion.Media, error) {
		m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(content)})
		if err != nil {
			t.Fatal(err)
		}
		return s.UploadMedia(ctx, host.Owner, storage.Images, m.ID, bytes.NewReader(content))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	s := host.New().Service(t, func(c *motion.Config) { patient(c); c.Decoder = stuckDecoder{} })
	if _, err := upload(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the request has ended: %v", err)
	}
	s = host.New().Service(t, func(c *motion.Config) { c.Limits.ImageTime = time.Second / 2; c.Decoder = stuckDecoder{} })
	if m, err := upload(t.Context(), s); err != nil || !m.Uploaded || m.Size != (image.Point{}) {
		t.Errorf("after ImageTime: %+v (%v)", m, err)
	}
}

// busyDecoder is a Decoder of a machine that does not come to movies: it cannot tell anything of them, or is not back in time,
// and cannot open them a few times.
type busyDecoder struct {
	fakes.Decoder
	times *atomic.Int32
}

func (busyDecoder) Probe(ctx context.Context, _ io.ReadSeeker) (inference.Info, error) {
	<-ctx.Done()
	return inference.Info{}, ctx.Err()
}

func (d busyDecoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	if d.times.Add(-1) >= 0 {
		return nil, fmt.Errorf("%w: the machine is busy", inference.ErrTooSlow)
	}
	return d.Decoder.Open(ctx, r)
}

// TestBusyMachine: a movie that a busy machine does not come to is taken, and not blamed: the work is tried again.
func TestBusyMachine(t *testing.T) {
	for times, want := range map[int32]string{2: "", 100: "There is a problem on the service."} {
		synctest.Test(t, func(t *testing.T) {
			d := busyDecoder{times: new(atomic.Int32)}
			s := host.New().Service(t, func(c *motion.Config) { c.Decoder = d })
			e := requested(t, s, storage.Movies, fakes.Movie(10, image.NewRGBA(image.Rect(0, 0, 60, 40))))
			d.times.Store(1)
			err := s.UseStills(t.Context(), host.Owner, storage.Movies, e.MovieID, func(func(int) (image.Image, error)) error { return nil })
			if !errors.Is(err, motion.ErrUnavailable) {
				t.Errorf("pictures of it: %v, want ErrUnavailable", err)
			}
			d.times.Store(times)
			defer host.Run(t, s)()
			if got := outcome(t, s, e); got != want {
				t.Errorf("busy %d times: the failure is %q, want %q", times, got, want)
			}
		})
	}
}

// TestAnnotateSlowPicture: an Annotator obeys the context and the limit, too.
func TestAnnotateSlowPicture(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jpg")
	if err := os.WriteFile(in, verySlow(), 0o600); err != nil {
		t.Fatal(err)
	}
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Size: image.Pt(7000, 6000)}
	within(t, 2*soon, "the annotations", func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		a := motion.Annotator{Limits: motion.Limits{ImagePixels: -1, ImageTime: -1}}
		if err := a.File(ctx, in, filepath.Join(dir, "out.jpg"), seq); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the context has ended: %v", err)
		}
		a.Limits.ImageTime = time.Second / 2
		if err := a.File(t.Context(), in, filepath.Join(dir, "out.jpg"), seq); !errors.Is(err, inference.ErrTooSlow) {
			t.Errorf("the time is over: %v", err)
		}
	})
}

// failureOf uploads a file, extracts from it, and returns the record's failure.
func failureOf(t *testing.T, s *motion.Service, kind storage.Kind, content []byte) string {
	t.Helper()
	return outcome(t, s, requested(t, s, kind, content))
}

// requested uploads a file and asks for its keypoints.
func requested(t *testing.T, s *motion.Service, kind storage.Kind, content []byte) motion.Extraction {
	t.Helper()
	m, err := s.RegisterMedia(t.Context(), host.Owner, kind, motion.NewMedia{ContentMD5: host.MD5(content)})
	if err == nil {
		m, err = s.UploadMedia(t.Context(), host.Owner, kind, m.ID, bytes.NewReader(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	req := motion.ExtractRequest{Source: motion.Image(m.ID)}
	if kind == storage.Movies {
		req = motion.ExtractRequest{Source: motion.Movie(m.ID)}
	}
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// outcome waits for an extraction and returns its failure, "" for success.
func outcome(t *testing.T, s *motion.Service, e motion.Extraction) string {
	t.Helper()
	if _, err := s.Wait(t.Context(), host.Owner, storage.Keypoints, e.ID); err != nil {
		t.Fatal(err)
	}
	e, err := s.GetExtraction(t.Context(), host.Owner, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if (e.Status == storage.Failure) != (e.Failure != "") {
		t.Errorf("%s with the failure %q", e.Status, e.Failure)
	}
	return e.Failure
}

// counted returns what "ffprobe -count_frames" says of a movie. The size is the stored one; the
// duration is that of the stream, else of the file.
func counted(t *testing.T, path string) (info inference.Info) {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "quiet", "-count_frames", "-select_streams", "V:0", "-of", "json",
		"-show_entries", "stream=width,height,avg_frame_rate,duration,nb_read_frames:format=duration", path).Output()
	var answer struct {
		Streams []struct {
			Width, Height int
			Rate          string `json:"avg_frame_rate"`
			Duration      string
			Frames        int `json:"nb_read_frames,string"`
		}
		Format struct{ Duration string }
	}
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil || len(answer.Streams) == 0 {
		t.Fatalf("ffprobe: %v: %s", err, out)
	}
	s := answer.Streams[0]
	info.Size, info.Frames = image.Pt(s.Width, s.Height), s.Frames
	var frames, seconds float64
	if _, err := fmt.Sscanf(s.Rate, "%f/%f", &frames, &seconds); err != nil {
		t.Fatal(err)
	}
	info.FrameRate = frames / seconds
	if info.Duration, err = strconv.ParseFloat(s.Duration, 64); err != nil {
		info.Duration, _ = strconv.ParseFloat(answer.Format.Duration, 64)
	}
	return info
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// grey returns a PNG picture of one byte a pixel.
func grey(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// encoded returns a grey movie, made with the installed ffmpeg.
func encoded(t *testing.T, size string, frames int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "movie.mp4")
	out, err := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=c=gray:s="+size+":r=30",
		"-frames:v", strconv.Itoa(frames), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return read(t, path)
}
