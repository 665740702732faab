package fftest

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"image"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// entry is a file of the test data and its expected outcome.
type entry struct {
	File, Expect, SameAs string
}

// may reports whether an outcome is expected: "ok", "ok-same", "ok-no-person" or "reject-clean".
func (e entry) may(outcome string) bool {
	return e.Expect == "no-crash" || slices.Contains(strings.Split(e.Expect, " or "), outcome)
}

// accepted reports whether the file may be decoded.
func (e entry) accepted() bool { return e.may("ok") || e.may("ok-same") || e.may("ok-no-person") }

// base returns the file that shows the same, or "" without one.
func (e entry) base() string {
	if e.SameAs == "" && e.may("ok-same") && path.Dir(e.File) == "image_bad" {
		return "image_ok/base.jpg"
	}
	return e.SameAs
}

// known reports whether the file's keypoints are known, where it is accepted.
func (e entry) known() bool {
	return e.Expect != "no-crash" && (e.base() != "" || e.may("ok-no-person"))
}

// nobody is an Estimator that finds nobody.
type nobody struct{}

func (nobody) Estimate(ctx context.Context, _ image.Image, _ inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, ctx.Err()
}

// unnamed hides that a reader is a file, so that a decoder must copy it.
type unnamed struct{ io.ReadSeeker }

// Limits of decoding.
const (
	maxWait      = time.Minute     // per file
	maxWaitKnown = 5 * time.Minute // the same with the networks, which take their time on a busy machine
	maxMemory    = 1 << 30         // bytes, of this process and of the largest program that it runs
)

// hostile is a run over the test data.
type hostile struct {
	dir      string // of the files
	odd      string // where odd_names.tar is unpacked
	decoder  ffmpeg.Decoder
	networks inference.Estimator
	bases    map[string]keypoint.Sequence // by file, as they were needed
}

// Hostile extracts the keypoints of every file of the test data with the limits of the service. It
// tests that each is accepted or refused as the manifest says, that files which show the same as a
// base file give the same keypoints and files without people none, that nothing is left behind, that
// memory is bounded, and that good files can still be read afterwards. The networks look only at
// files whose keypoints are known.
func Hostile(t *testing.T, runner program.Runner) {
	h, files := openHostile(t, runner)
	for _, e := range files {
		t.Run(e.File, func(t *testing.T) {
			est, wait := inference.Estimator(nobody{}), maxWait
			if e.known() {
				est, wait = h.networks, maxWaitKnown
			}
			seq, err := h.read(t, e, est, wait)
			if err != nil {
				refusal(t, err)
				if !e.may("reject-clean") {
					t.Errorf("refused: %v; the manifest wants %q", err, e.Expect)
				}
				return
			}
			if !e.accepted() && (!e.may("ok-with-warning") || seq.Damage == "") {
				t.Errorf("%d frames of %v; the manifest wants %q", seq.Len(), seq.Size, e.Expect)
			}
			switch path.Dir(e.File) {
			case "image_ok", "odd_names":
				if seq.Size != image.Pt(600, 400) || seq.Len() != 1 || seq.Times != nil {
					t.Errorf("%d frames of %v", seq.Len(), seq.Size)
				}
			case "video_ok", "video_noperson":
				if seq.Times == nil {
					h.animated(t, e)
					break
				}
				checkVariant(t, path.Base(e.File), h.probe(t, e), seq)
			}
			switch base := e.base(); {
			case base != "":
				sameKeypoints(t, seq, h.baseOf(t, base))
			case e.known():
				noKeypoints(t, seq)
			}
		})
	}
	h.unharmed(t)
}

// refusal tests that an error tells a user what is wrong with the file.
func refusal(t *testing.T, err error) {
	t.Helper()
	kinds := []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyFrames, inference.ErrTooManyScans}
	if !slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }) {
		t.Errorf("the error is of no kind: %v", err)
	}
	if text := err.Error(); len(text) > 400 || strings.Contains(text, "\n") || strings.Contains(text, "goroutine ") {
		t.Errorf("no short message: %s", text)
	}
}

// unharmed tests that a run has left nothing behind and that the process is usable.
func (h hostile) unharmed(t *testing.T) {
	t.Helper()
	if entries, err := os.ReadDir(h.decoder.TempDir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
	for _, name := range []string{"image_ok/base.jpg", "video_ok/base.mp4"} {
		if _, err := h.read(t, entry{File: name}, nobody{}, maxWait); err != nil {
			t.Errorf("%s afterwards: %v", name, err)
		}
	}
	self, children := peakMemory()
	if t.Logf("memory at most: %d MB here, %d MB in a program", self>>20, children>>20); max(self, children) > maxMemory {
		t.Error("that is more than 1 GB")
	}
}

// openHostile reads the manifest and loads the networks.
func openHostile(t *testing.T, runner program.Runner) (hostile, []entry) {
	t.Helper()
	est, err := movenet.New(movenet.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}, Pose: lightning.Model(), People: multipose.Model()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { est.Close() })
	h := hostile{
		dir: testkit.Data(t, "hostile"), odd: t.TempDir(), decoder: ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()},
		networks: est, bases: map[string]keypoint.Sequence{},
	}
	var files []entry
	b, err := os.ReadFile(filepath.Join(h.dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(b, &files)
	}
	if err == nil {
		err = h.unpack()
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 168 {
		t.Errorf("%d files, want at least 168", len(files))
	}
	return h, files
}

// unpack writes the files of odd_names.tar.
func (h hostile) unpack() error {
	f, err := os.Open(filepath.Join(h.dir, "odd_names.tar"))
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := os.OpenRoot(h.odd)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(f); ; {
		head, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if head.Typeflag == tar.TypeDir {
			continue
		}
		content, err := io.ReadAll(r)
		if err == nil {
			err = root.WriteFile(path.Base(head.Name), content, 0o600)
		}
		if err != nil {
			return err
		}
	}
}

// read decodes a file and runs it through an estimator. It passes files with odd names by path, and
// the others as readers.
func (h hostile) read(t *testing.T, e entry, est inference.Estimator, wait time.Duration) (keypoint.Sequence, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	// The time is limited by wait, because the machine may be busy.
	x := motion.Extractor{Estimator: est, Decoder: h.decoder, Limits: motion.Limits{ImageTime: -1}, FindOptions: motion.FindOptions{Uncleaned: true}}
	if path.Dir(e.File) == "odd_names" {
		seq, _, err := x.File(ctx, filepath.Join(h.odd, path.Base(e.File)))
		return seq, err
	}
	f, err := os.Open(filepath.Join(h.dir, filepath.FromSlash(e.File)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seq, _, err := x.Read(ctx, unnamed{f})
	if ctx.Err() != nil {
		t.Fatalf("not done after %v (%v)", wait, err)
	}
	return seq, err
}
