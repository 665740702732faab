package motion_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// TestAddFile: a file on the disk becomes an uploaded record; of one that is refused nothing stays.
func TestAddFile(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) { c.Limits.UploadBytes = 10_000 })
	path := filepath.Join(t.TempDir(), "a person.png")
	if err := os.WriteFile(path, host.Picture(20, 30), 0o600); err != nil {
		t.Fatal(err)
	}
	add := func(kind storage.Kind, path string, m motion.NewMedia) (motion.Media, error) {
		return s.AddFile(t.Context(), host.Owner, kind, path, m)
	}
	m, err := add(storage.Images, path, motion.NewMedia{})
	if err != nil || !m.Uploaded || *m.Name != "a person.png" || m.Size != image.Pt(20, 30) {
		t.Fatalf("%+v (%v)", m, err)
	}
	name := "Ann"
	if m, err = add(storage.Images, path, motion.NewMedia{Name: &name, ContentMD5: m.ContentMD5}); err != nil || *m.Name != "Ann" {
		t.Errorf("%+v (%v)", m, err)
	}
	big := filepath.Join(t.TempDir(), "big.mp4")
	if err := os.WriteFile(big, make([]byte, 10_001), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"missing":     {second(add(storage.Images, path+"x", motion.NewMedia{})), os.ErrNotExist},
		"kind":        {second(add(storage.Drawings, path, motion.NewMedia{})), motion.ErrInvalid},
		"another MD5": {second(add(storage.Images, path, motion.NewMedia{ContentMD5: "00000000000000000000000000000000"})), motion.ErrInvalid},
		"too large":   {second(add(storage.Movies, big, motion.NewMedia{})), motion.ErrTooLarge},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	for kind, want := range map[storage.Kind]int{storage.Images: 2, storage.Movies: 0} {
		if _, n, err := s.ListMedia(t.Context(), host.Owner, kind, motion.Page{Limit: 10}); n != want || err != nil {
			t.Errorf("%d %s are left, want %d (%v)", n, kind, want, err)
		}
	}
}

func TestChangeMedia(t *testing.T) {
	s := host.New().Service(t, nil)
	m := host.Upload(t, s, host.Picture(20, 30))
	text, none := "a text", ""
	changed, err := s.UpdateMedia(t.Context(), host.Owner, storage.Images, m.ID, motion.MediaUpdate{Text: &text})
	if err != nil || *changed.Name != "a picture" || *changed.Text != text || !changed.Uploaded || !changed.UpdatedAt.After(m.UpdatedAt) {
		t.Errorf("%+v (%v)", changed, err)
	}
	same, err := s.UpdateMedia(t.Context(), host.Owner, storage.Images, m.ID, motion.MediaUpdate{Text: &text})
	if err != nil || !cmp.Equal(same, changed) {
		t.Errorf("the same once more: %+v (%v), want %+v", same, err, changed)
	}
	changed, err = s.UpdateMedia(t.Context(), host.Owner, storage.Images, m.ID, motion.MediaUpdate{Name: &none})
	if err != nil || *changed.Name != "" || *changed.Text != text || changed.Size.X != 20 {
		t.Errorf("%+v (%v)", changed, err)
	}
	long := string(make([]byte, 1001))
	for name, err := range map[string]error{
		"long name": second(s.UpdateMedia(t.Context(), host.Owner, storage.Images, m.ID, motion.MediaUpdate{Name: &long})),
		"kind":      second(s.UpdateMedia(t.Context(), host.Owner, storage.Drawings, m.ID, motion.MediaUpdate{Name: &text})),
	} {
		if !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.UpdateMedia(t.Context(), "nobody", storage.Images, m.ID, motion.MediaUpdate{Name: &text}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestUploadStreams: a reader that fails leaves nothing behind.
func TestUploadStreams(t *testing.T) {
	p := host.New()
	s := p.Service(t, func(c *motion.Config) { c.Limits.UploadBytes = 1000 })
	data := host.Picture(20, 20)
	m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(data)})
	if err != nil {
		t.Fatal(err)
	}
	broken := io.MultiReader(bytes.NewReader(data[:20]), failing{})
	if _, err := s.UploadMedia(t.Context(), host.Owner, storage.Images, m.ID, broken); !errors.Is(err, errBroken) {
		t.Errorf("a broken upload: %v", err)
	}
	if _, err := s.UploadMedia(t.Context(), host.Owner, storage.Images, m.ID, bytes.NewReader(make([]byte, 1001))); !errors.Is(err, motion.ErrTooLarge) {
		t.Errorf("a large upload: %v", err)
	}
	if err := p.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { return errors.New(b.Key) }); err != nil {
		t.Errorf("left behind: %v", err)
	}
}

var errBroken = errors.New("the line is broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

// TestPictureMemory: large pictures, one after the other and several at a time, take a process at
// most 400 MB above what it has without them. The test runs itself as that process.
func TestPictureMemory(t *testing.T) {
	if dir := os.Getenv("MOTION_TEST_PICTURES"); dir != "" {
		workOnPictures(t, dir)
		return
	}
	testkit.Thorough(t, "three pictures of 12 megapixels")
	if _, err := os.Stat("/proc/self/status"); err != nil {
		testkit.SkipMachine(t, testkit.Linux, err)
	}
	dir := t.TempDir()
	deep := image.NewNRGBA64(image.Rect(0, 0, 4000, 3049))
	for name, encode := range map[string]func(io.Writer) error{
		"deep.png":  func(w io.Writer) error { return png.Encode(w, deep) },
		"deep.tiff": func(w io.Writer) error { return tiff.Encode(w, deep, &tiff.Options{Compression: tiff.Deflate}) },
		"cmyk.jpg":  func(w io.Writer) error { _, err := w.Write(testkit.CMYKJPEG(image.Pt(4000, 3049))); return err },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPictureMemory$", "-test.v")
	cmd.Env = append(os.Environ(), "MOTION_TEST_PICTURES="+dir)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// workOnPictures extracts from every file in a folder and draws onto it, three jobs at a time, and
// tests how much memory this process took for it.
func workOnPictures(t *testing.T, dir string) {
	s := host.New().Service(t, func(c *motion.Config) { c.Workers, c.Limits.ImageTime = 3, -1 })
	host.Run(t, s)
	if failure := outcome(t, s, requested(t, s, storage.Images, host.Picture(60, 40))); failure != "" {
		t.Fatal(failure)
	}
	idle := megabytes(t, "VmHWM")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	for _, path := range files {
		content := read(t, path)
		var extractions []motion.Extraction
		for range 3 {
			extractions = append(extractions, requested(t, s, storage.Images, content))
		}
		for _, e := range extractions {
			d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
			if err != nil {
				t.Fatal(err)
			}
			if failure := outcome(t, s, e); failure != "" {
				t.Errorf("%s: %s", filepath.Base(path), failure)
			}
			host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
		}
		t.Logf("%s: %d MB at most, %d MB now", filepath.Base(path), megabytes(t, "VmHWM")-idle, megabytes(t, "VmRSS")-idle)
	}
	if most := megabytes(t, "VmHWM") - idle; most > 400 {
		t.Errorf("the pictures took %d MB, want at most 400", most)
	}
}

// megabytes returns a line of /proc/self/status in MB.
func megabytes(t *testing.T, name string) int {
	t.Helper()
	for line := range bytes.Lines(read(t, "/proc/self/status")) {
		var kib int
		if n, _ := fmt.Sscanf(string(line), name+": %d kB", &kib); n == 1 {
			return kib * 1024 / 1_000_000
		}
	}
	t.Fatalf("/proc/self/status has no %s", name)
	return 0
}

// blocking is a Decoder whose Probe waits until goOn is closed.
type blocking struct {
	inference.Decoder
	goOn chan struct{}
}

func (b blocking) Probe(ctx context.Context, _ io.ReadSeeker) (inference.Info, error) {
	select {
	case <-b.goOn:
		return inference.Info{Frames: 7}, nil
	case <-ctx.Done():
		return inference.Info{}, ctx.Err()
	}
}

// TestProbes: uploads wait while as many others as allowed are being examined, until their context
// ends, or they are told to try again later. The same file can then be uploaded.
func TestProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		s := host.New().Service(t, func(c *motion.Config) { c.Decoder = blocking{goOn: goOn} })
		put := func(ctx context.Context) (motion.Media, error) {
			m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Movies, motion.NewMedia{ContentMD5: host.MD5([]byte("movie"))})
			if err != nil {
				t.Fatal(err)
			}
			return s.UploadMedia(ctx, host.Owner, storage.Movies, m.ID, bytes.NewReader([]byte("movie")))
		}
		var first sync.WaitGroup
		for range 4 {
			first.Go(func() {
				if m, err := put(t.Context()); err != nil || m.Frames != 7 && time.Since(m.CreatedAt).Round(time.Second) != 15*time.Second {
					t.Errorf("%+v (%v)", m, err)
				}
			})
		}
		synctest.Wait() // two are being examined, for 15 s at most, and then the two others
		start := time.Now()
		if _, err := put(t.Context()); !errors.Is(err, motion.ErrUnavailable) || time.Since(start) != 18*time.Second {
			t.Errorf("a fifth: %v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := put(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one whose context ends: %v", err)
		}
		close(goOn)
		first.Wait()
		if m, err := put(t.Context()); err != nil || m.Frames != 7 {
			t.Errorf("afterwards: %+v (%v)", m, err)
		}
	})
}

// slow is a Decoder whose Probe takes 10 s.
type slow struct{ inference.Decoder }

func (slow) Probe(ctx context.Context, _ io.ReadSeeker) (inference.Info, error) {
	time.Sleep(10 * time.Second)
	return inference.Info{}, ctx.Err()
}

// TestProbesOfOthers: an owner who uploads many files that take long to examine does not keep
// another one from uploading.
func TestProbesOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := host.New().Service(t, func(c *motion.Config) { c.Decoder = slow{} })
		put := func(owner string) error {
			m, err := s.RegisterMedia(t.Context(), owner, storage.Movies, motion.NewMedia{ContentMD5: host.MD5([]byte("movie"))})
			if err == nil {
				_, err = s.UploadMedia(t.Context(), owner, storage.Movies, m.ID, bytes.NewReader([]byte("movie")))
			}
			return err
		}
		var many sync.WaitGroup
		for range 12 {
			many.Go(func() {
				if err := put("attacker"); err != nil && !errors.Is(err, motion.ErrUnavailable) {
					t.Error(err)
				}
			})
		}
		synctest.Wait() // all are examined or wait
		if err := put(host.Owner); err != nil {
			t.Errorf("another host.Owner's: %v", err)
		}
		many.Wait()
	})
}

// TestStills: frames of a movie and the picture of an image are given to their owner, as many at a time
// as Config.Probes says.
func TestStills(t *testing.T) {
	var frames []image.Image
	for i := range 20 {
		frames = append(frames, fakes.Picture(image.Pt(40, 30), image.Rect(i, 2, i+8, 28)))
	}
	synctest.Test(t, func(t *testing.T) {
		s := host.New().Service(t, func(c *motion.Config) { c.Decoder = fakes.Decoder{} })
		data := fakes.Movie(25, frames...)
		m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Movies, motion.NewMedia{ContentMD5: host.MD5(data)})
		if err != nil {
			t.Fatal(err)
		}
		same := func(picture func(int) (image.Image, error)) error {
			for _, i := range []int{3, 19} {
				img, err := picture(i)
				if err != nil {
					return err
				}
				if want := frames[i]; img.At(i+4, 15) != want.At(i+4, 15) || img.Bounds() != want.Bounds() {
					return fmt.Errorf("frame %d shows something else", i)
				}
			}
			_, err := picture(20)
			return err
		}
		stills := func(ctx context.Context, owner string, use func(func(int) (image.Image, error)) error) error {
			return s.UseStills(ctx, owner, storage.Movies, m.ID, use)
		}
		if err := stills(t.Context(), host.Owner, same); !errors.Is(err, motion.ErrConflict) {
			t.Errorf("before the upload: %v", err)
		}
		if _, err := s.UploadMedia(t.Context(), host.Owner, storage.Movies, m.ID, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		if err := stills(t.Context(), host.Owner, same); !errors.Is(err, motion.ErrConflict) || err.Error() != "conflict: The video format is not supported." {
			t.Errorf("a frame past the end: %v", err)
		}
		if err := stills(t.Context(), "nobody", same); !errors.Is(err, motion.ErrNotFound) {
			t.Errorf("somebody else's: %v", err)
		}
		if err := s.UseStills(t.Context(), host.Owner, storage.Drawings, 1, same); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("of a drawing: %v", err)
		}
		if err := stills(t.Context(), host.Owner, func(func(int) (image.Image, error)) error { return errBroken }); !errors.Is(err, errBroken) {
			t.Errorf("an error of the caller: %v", err)
		}
		goOn := make(chan struct{})
		var two sync.WaitGroup
		for range 2 {
			two.Go(func() {
				if err := stills(t.Context(), host.Owner, func(func(int) (image.Image, error)) error { <-goOn; return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if err := stills(t.Context(), host.Owner, same); !errors.Is(err, motion.ErrUnavailable) {
			t.Errorf("a third at a time: %v", err)
		}
		close(goOn)
		two.Wait()
	})
}

// promising is a decoder whose headers promise fewer frames than there are.
type promising struct{ decoder }

func (d promising) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: image.Pt(100, 100), Frames: 2, FrameRate: 30, Duration: 1.0 / 15}, nil
}

// TestPortrait: the thumbnail of keypoints shows the person, is made once, and goes with the record.
func TestPortrait(t *testing.T) {
	d := decoder{new(atomic.Int32)}
	p := host.New()
	s := p.Service(t, func(c *motion.Config) { c.Decoder, c.Estimator = d, walker{} })
	host.Run(t, s)
	movie := host.UploadMovie(t, s, []byte("movie"))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(movie.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	for range 2 {
		b, err := s.GetThumbnail(t.Context(), host.Owner, storage.Keypoints, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(b))
		if size := m.Bounds().Size(); err != nil || size.Y < 20 || size.X != size.Y*4/5 {
			t.Errorf("%v (%v)", size, err)
		}
	}
	if n := d.opened.Load(); n != 2 {
		t.Errorf("the movie was opened %d times, want once to extract it and once for the picture", n)
	}
	if _, err := s.GetThumbnail(t.Context(), "nobody", storage.Keypoints, e.ID); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := s.DeleteRecord(t.Context(), host.Owner, storage.Keypoints, e.ID); err != nil {
		t.Fatal(err)
	}
	if err := p.Blobs.List(t.Context(), "media/keypoints/", func(b storage.BlobInfo) error { return errors.New(b.Key) }); err != nil {
		t.Errorf("left: %v", err)
	}
}

// TestPromises: after its extraction, a movie has the number of frames and the duration of what was decoded.
func TestPromises(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder, c.Estimator = promising{decoder{new(atomic.Int32)}}, walker{} })
	host.Run(t, s)
	movie := host.UploadMovie(t, s, []byte("movie"))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(movie.ID)})
	if err != nil || movie.Frames != 2 {
		t.Fatal(movie, err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	m, err := s.GetMedia(t.Context(), host.Owner, storage.Movies, movie.ID)
	if err != nil || m.Frames != decoded || math.Abs(m.Duration-2) > 1e-6 {
		t.Errorf("%d frames, %v s (%v); want %d, 2 s", m.Frames, m.Duration, err, decoded)
	}
}

// TestThumbnail: the thumbnail of a movie is made once, by its extraction if that comes first, and goes with the movie.
func TestThumbnail(t *testing.T) {
	for _, extracted := range []bool{false, true} {
		d := decoder{new(atomic.Int32)}
		p := host.New()
		s := p.Service(t, func(c *motion.Config) { c.Decoder, c.Estimator = d, walker{} })
		host.Run(t, s)
		movie := host.UploadMovie(t, s, []byte("movie"))
		if extracted {
			e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(movie.ID)})
			if err != nil {
				t.Fatal(err)
			}
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		}
		for range 2 {
			b, err := s.GetThumbnail(t.Context(), host.Owner, storage.Movies, movie.ID)
			if err != nil {
				t.Fatal(err)
			}
			m, err := jpeg.Decode(bytes.NewReader(b))
			if err != nil || m.Bounds() != image.Rect(0, 0, 100, 100) {
				t.Errorf("%v (%v)", m.Bounds(), err)
			} else if r, _, _, _ := m.At(0, 0).RGBA(); r>>8 < 20 || r>>8 > 40 { // the frame at one second says 31
				t.Errorf("the first pixel is %d, want about 31", r>>8)
			}
		}
		if n := d.opened.Load(); n != 1 {
			t.Errorf("extracted %v: the movie was opened %d times", extracted, n)
		}
		if _, err := s.GetThumbnail(t.Context(), "nobody", storage.Movies, movie.ID); !errors.Is(err, motion.ErrNotFound) {
			t.Errorf("somebody else's: %v", err)
		}
		if err := s.DeleteRecord(t.Context(), host.Owner, storage.Movies, movie.ID); err != nil {
			t.Fatal(err)
		}
		if err := p.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { return errors.New(b.Key) }); err != nil {
			t.Errorf("left: %v", err)
		}
	}
}
