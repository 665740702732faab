package main

import (
	"encoding/json"
	"flag"
	"image"
	imagedraw "image/draw"
	"image/gif"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	still "github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

var update = flag.Bool("update", false, "rewrite the README's moving picture")

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// truth is what is known of the embedded movie.
type truth struct {
	Parts  []string
	Frames struct {
		XY      [][][2]float64
		Visible []string
	}
	Reps     []struct{ Start, Turn, End float64 }
	Angles2D map[string][]float64
}

// TestWithoutFFmpeg runs the quick start on a machine with nothing but Go.
func TestWithoutFFmpeg(t *testing.T) {
	testkit.Thorough(t, "runs FFmpeg as WebAssembly")
	ortkit.Library(t)
	compiler, err := exec.LookPath("go")
	programs, out := t.TempDir(), t.TempDir()
	if err == nil {
		err = os.Symlink(compiler, filepath.Join(programs, "go"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", programs)
	if err := run(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sample.drawing.mp4", "sample-1-sample-3.comparison.mp4"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v (%v)", name, info, err)
		}
	}
}

// TestWithoutFiles runs the quick start as a newcomer does, and checks what it finds
// against the truth.
func TestWithoutFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	ortkit.Library(t)
	out := t.TempDir()
	if err := run(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	var want truth
	if err := json.Unmarshal(testkit.Truth(t, "sample"), &want); err != nil {
		t.Fatal(err)
	}
	var seq keypoint.Sequence
	readJSON(t, filepath.Join(out, "sample.keypoints.json"), &seq)
	checkParts(t, seq, want)
	var results []analyze.Result
	readJSON(t, filepath.Join(out, "sample.analysis.json"), &results)
	if len(results) != 8 || !strings.Contains(results[0].Description, "leftKnee") || len(results[0].Values) != seq.Len() {
		t.Fatalf("%d analyses", len(results))
	}
	checkKnee(t, seq, results[0], want)
	for _, name := range []string{"sample.drawing.mp4", "sample-1-sample-3.comparison.mp4"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	var result compare.Result
	readJSON(t, filepath.Join(out, "sample-1-sample-3.comparison.json"), &result)
	if n := len(result.Frames); n < 30 || n > 50 || result.Score == nil || result.Score.Overall < 0.9 {
		t.Errorf("the third squat against the first: %d frames, score %+v", len(result.Frames), result.Score)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 6 {
		t.Errorf("files: %v (%v), want 6", entries, err)
	}
	t.Run("picture", func(t *testing.T) { checkPicture(t, filepath.Join(out, "sample.drawing.mp4")) })
}

// checkParts checks the parts that can be seen.
func checkParts(t *testing.T, seq keypoint.Sequence, want truth) {
	t.Helper()
	if seq.Len() != 120 || len(seq.Times) != 120 {
		t.Fatalf("%d frames, want 120", seq.Len())
	}
	seen, near := 0, 0
	for i := range seq.Frames {
		for j, xy := range want.Frames.XY[i][:keypoint.NumBody] {
			p, err := keypoint.ParsePart(partName(want.Parts[j]))
			if err != nil {
				t.Fatal(err)
			}
			if want.Frames.Visible[i][j] != '1' {
				continue
			}
			seen++
			if at, ok := seq.Frames[i].At(p); ok && at.Sub(xy).Len() < 0.2*150 { // of the torso's length
				near++
			}
		}
	}
	if near < seen*97/100 {
		t.Errorf("%d of %d visible parts are within 0.2 torso lengths", near, seen)
	}
}

// checkKnee checks the left knee and the squats that the program finds by it.
func checkKnee(t *testing.T, seq keypoint.Sequence, knee analyze.Result, want truth) {
	t.Helper()
	for i, v := range knee.Values {
		if d := math.Abs(v.X - want.Angles2D["left_knee"][i]); !v.Present || d > 15 {
			t.Errorf("frame %d: the knee is at %.0f°, want %.0f°", i, v.X, want.Angles2D["left_knee"][i])
		}
	}
	squats, err := analyze.FindRepetitions(seq, knee, analyze.RepetitionOptions{})
	if err != nil || len(squats.List) != len(want.Reps) {
		t.Fatalf("squats: %v, %v; want %d", squats.List, err, len(want.Reps))
	}
	for i, c := range squats.List {
		if d := seq.Times[c.Turn.Frame] - want.Reps[i].Turn; d > 0.1 || d < -0.1 {
			t.Errorf("squat %d is deepest at %.2f s, want %.2f s", i, seq.Times[c.Turn.Frame], want.Reps[i].Turn)
		}
	}
}

// picture is the README's moving picture: every second frame of the drawn movie.
const picture = "../../docs/squats.gif"

// checkPicture checks the README's picture against a drawn movie. Run with -update to
// rewrite it.
func checkPicture(t *testing.T, movie string) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	if *update {
		cmd := exec.Command("ffmpeg", "-v", "error", "-y", "-i", movie, "-filter_complex",
			"fps=15,scale=360:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle", picture)
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	shown, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(shown.Image) != 60 || shown.Config.Width != 360 {
		t.Fatalf("%s has %d frames, %d pixels wide", picture, len(shown.Image), shown.Config.Width)
	}
	file, err := os.Open(movie)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	frames, err := ffmpeg.Decoder{}.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer frames.Close()
	canvas := image.NewRGBA(image.Rect(0, 0, shown.Config.Width, shown.Config.Height))
	for i := range 2 * len(shown.Image) {
		drawn, err := frames.Next()
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			imagedraw.Draw(canvas, canvas.Rect, shown.Image[i/2], image.Point{}, imagedraw.Over)
			if d := difference(canvas, drawn.Image); d > 12 {
				t.Errorf("%s is off by %.1f of 255 in the mean of frame %d: run go test ./quickstart -update and look at it", picture, d, i)
			}
		}
		drawn.Release()
	}
}

// difference is the mean difference of two pictures' red, 0 to 255.
func difference(a *image.RGBA, b image.Image) float64 {
	sum, n, scale := 0.0, 0, float64(b.Bounds().Dx())/float64(a.Rect.Dx())
	for y := 0; y < a.Rect.Dy(); y += 2 {
		for x := 0; x < a.Rect.Dx(); x += 2 {
			r, _, _, _ := b.At(int((float64(x)+0.5)*scale), int((float64(y)+0.5)*scale)).RGBA()
			sum += math.Abs(float64(a.RGBAAt(x, y).R) - float64(r>>8))
			n++
		}
	}
	return sum / float64(n)
}

// TestTwoFiles compares two pictures of the same name.
func TestTwoFiles(t *testing.T) {
	ortkit.Library(t)
	dir, out := t.TempDir(), t.TempDir()
	var files []string
	for _, folder := range []string{"a", "b"} {
		path := filepath.Join(dir, folder, "x.jpg")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, still.JPEG(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	if err := run(t.Context(), out, files); err != nil {
		t.Fatal(err)
	}
	var seq keypoint.Sequence
	readJSON(t, filepath.Join(out, "x.keypoints.json"), &seq)
	want := still.Visible()
	for _, p := range want.Present().List() {
		truth, _ := want.At(p)
		if at, ok := seq.Frames[0].At(p); !ok || at.Sub(truth).Len() > 0.03*1200 {
			t.Errorf("%v is at %.0f (found: %v), want %.0f", p, at, ok, truth)
		}
	}
	var res compare.Result
	readJSON(t, filepath.Join(out, "x-x-2.comparison.json"), &res)
	if len(res.Frames) != 1 || res.Score.Overall != 1 {
		t.Errorf("the same picture twice: %+v", res.Score)
	}
	for _, name := range []string{"x.drawing.jpg", "x-x-2.comparison.jpg"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestBadInput: one line that says what is wrong, and nothing written.
func TestBadInput(t *testing.T) {
	ortkit.Library(t)
	dir := t.TempDir()
	text, empty := filepath.Join(dir, "text.mp4"), filepath.Join(dir, "empty.jpg")
	if err := os.WriteFile(text, []byte("no movie"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"missing": {[]string{filepath.Join(dir, "nothing.mp4")}, "no such file"},
		"folder":  {[]string{dir}, "is a directory"},
		"text":    {[]string{text}, "unsupported media format"},
		"empty":   {[]string{empty}, "the content is empty"},
		"three":   {[]string{text, text, text}, "one, or two"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			err := run(t.Context(), out, c.args)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want one line with %q", err, c.want)
			}
			if entries, _ := os.ReadDir(out); len(entries) > 0 {
				t.Errorf("written: %v", entries)
			}
		})
	}
}

// TestSquats: the knee follows the squats of a real movie.
func TestSquats(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	movie := testkit.Data(t, "videos/tfjs_squats/video.mp4")
	ortkit.Library(t)
	out := t.TempDir()
	if err := run(t.Context(), out, []string{movie}); err != nil {
		t.Fatal(err)
	}
	var results []struct {
		Description string
		Values      []float64
	}
	readJSON(t, filepath.Join(out, "video.analysis.json"), &results)
	knee := results[0].Values
	if !strings.Contains(results[0].Description, "leftKnee") || len(knee) != 65 {
		t.Fatalf("%s, %d values", results[0].Description, len(knee))
	}
	for _, want := range []int{10, 33, 59} { // BlazePose: 9 to 10, 33, 59
		low := want - 8
		for i := want - 8; i <= min(want+5, 64); i++ {
			if knee[i] < knee[low] {
				low = i
			}
		}
		if max(low-want, want-low) > 2 || knee[low] > 115 {
			t.Errorf("a squat is deepest at frame %d with %.0f°, want frame %d", low, knee[low], want)
		}
	}
	for _, standing := range []int{0, 22, 45} {
		if knee[standing] < 160 {
			t.Errorf("the knee is at %.0f° in frame %d, want straight", knee[standing], standing)
		}
	}
}

// partName turns the truth's "left_eye" into "leftEye".
func partName(s string) string {
	side, part, two := strings.Cut(s, "_")
	if !two {
		return s
	}
	return side + strings.ToUpper(part[:1]) + part[1:]
}
