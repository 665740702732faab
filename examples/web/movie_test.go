//go:build !js

package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestMovie finds the keypoints of movies in the page, and compares them with those of this processor. The networks give nearly the same
// (extract/networks_test.go), but not the same bits, and that grows: a crop has whole brightnesses, so a millionth of a pixel changes some of
// them, and where each frame is cropped by the one before it is pixels within eight frames, on this processor alone too. So single
// pictures have to be alike, and a movie in what is measured.
func TestMovie(t *testing.T) {
	if testing.Short() {
		t.Skip("uses two browsers for a while, not run with -short")
	}
	for _, name := range []string{"chromium", "firefox"} {
		t.Run(name, func(t *testing.T) { inBrowser(t, name) })
	}
}

func inBrowser(t *testing.T, name string) {
	out := built(t)
	testkit.NeedSignals(t)
	browser, err := exec.LookPath(name)
	if err != nil {
		testkit.Skip(t, name)
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	movie, err := filepath.Abs("../../httpapi/viewer/squats.mp4")
	if err != nil {
		t.Fatal(err)
	}
	est, err := pose.Fast(pose.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, est)
	clips := pictures(t, movie)
	var mu sync.Mutex
	var late []string
	keeping := true
	files := isolated(http.FileServer(http.Dir(out)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		keeping = keeping && r.URL.Path != "/kept"
		if keeping {
			files.ServeHTTP(w, r)
			return
		}
		if !slices.Contains([]string{"/kept", "/offline.js"}, r.URL.Path) { // a browser looks for the latter at each visit
			late = append(late, r.URL.Path)
		}
		http.Error(w, "the server has ended", http.StatusServiceUnavailable)
	}))
	defer server.Close()
	folder := cmp.Or(os.Getenv("MOTION_VIEWER_SHOTS"), t.TempDir())
	modules := testkit.NodeModules(t, "playwright-core@1.62.0", "axe-core@4.14.1")
	args := append([]string{"testdata/movie.mjs", modules, browser, folder, server.URL, "fast", movie}, clips...)
	said, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Fatal(err)
	}
	if len(late) > 0 {
		t.Errorf("once the page is there, it asks for %q", late)
	}
	for _, clip := range clips {
		most := 30.0 // of somebody who lies or is upside down, at whom more looks are taken, and of Firefox, which gives its own RGB
		if name == "chromium" && filepath.Base(clip) == "plain.mp4" {
			most = 0.5
		}
		here, there := found(t, est, clip).Sequence, saved(t, folder, clip)
		if d := apart(here, there); len(d) < 15 || d[len(d)-1] > most {
			t.Errorf("%s: %d parts, the farthest is off by %.3f px", filepath.Base(clip), len(d), d[max(len(d)-1, 0)])
		} else {
			t.Logf("%s: the parts are apart by %.2f px (median), %.2f (most)", filepath.Base(clip), d[len(d)/2], d[len(d)-1])
		}
	}
	here, there := found(t, est, movie), saved(t, folder, movie)
	d := apart(here.Sequence, there)
	t.Logf("%d frames: the parts are apart by %.2f px (median), %.2f (95 %%)", there.Len(), d[len(d)/2], d[len(d)*95/100])
	if here.Sequence.Len() != there.Len() || d[len(d)/2] > 1 {
		t.Errorf("%d frames, median %.2f px; want %d, 1", there.Len(), d[len(d)/2], here.Sequence.Len())
	}
	again, err := extraction.Run(there, extraction.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, got := depths(t, here), depths(t, again)
	t.Logf("depths of the squats: %.1f here, %.1f there", want, got)
	if !slices.EqualFunc(want, got, func(a, b float64) bool { return math.Abs(a-b) < 2 }) || len(want) != 3 {
		t.Errorf("depths %.1f, want %.1f", got, want)
	}
}

// depths are those of the repetitions of a recording.
func depths(t *testing.T, r extraction.Result) (list []float64) {
	t.Helper()
	shown, err := study.Run(r.Sequence, r.Quality)
	if err != nil || shown.Repetitions == nil {
		t.Fatalf("%v, repetitions %v", err, shown.Repetitions)
	}
	for _, one := range shown.Repetitions.List {
		list = append(list, one.Depth)
	}
	return list
}

// pictures makes movies of one frame from a movie: one as it is, the others turned and mirrored by the matrix in their headers.
func pictures(t *testing.T, movie string) (list []string) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.mp4")
	cut := []string{"-ss", "1", "-i", movie, "-frames:v", "1", "-vf", "crop=480:640:80:0", "-c:v", "libx264", plain}
	if said, err := exec.CommandContext(t.Context(), "ffmpeg", cut...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %q: %v\n%s", cut, err, said)
	}
	text, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	head := bytes.Index(text, []byte("tkhd")) + 4 + 40 // of version 0
	for name, m := range map[string][4]int32{"turned.mp4": {0, 1, -1, 0}, "over.mp4": {-1, 0, 0, -1}, "mirrored.mp4": {0, 1, 1, 0}} {
		for k, at := range []int{0, 4, 12, 16} {
			binary.BigEndian.PutUint32(text[head+at:], uint32(m[k]<<16))
		}
		list = append(list, filepath.Join(dir, name))
		if err := os.WriteFile(list[len(list)-1], text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(list)
	return append(list, plain)
}

// found returns what this processor finds.
func found(t *testing.T, est inference.Estimator, movie string) extraction.Result {
	t.Helper()
	f, err := os.Open(movie)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	frames, err := ffmpeg.Decoder{}.Open(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, frames)
	seq, err := inference.Extract(t.Context(), frames, est, inference.ExtractOptions{Feet: true})
	if err != nil {
		t.Fatal(err)
	}
	made, err := extraction.Run(seq, extraction.Options{Clean: clean.Default()})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// saved returns the cleaned keypoints that the page has saved.
func saved(t *testing.T, folder, movie string) (seq keypoint.Sequence) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, filepath.Base(movie)+".json"))
	if err == nil {
		err = json.Unmarshal(text, &seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// apart returns the distances in pixels between the parts that both recordings have, in order.
func apart(a, b keypoint.Sequence) (list []float64) {
	for i := range min(a.Len(), b.Len()) {
		for _, p := range (a.Frames[i].Present() & b.Frames[i].Present()).List() {
			at, _ := a.Frames[i].At(p)
			to, _ := b.Frames[i].At(p)
			list = append(list, at.Sub(to).Len())
		}
	}
	slices.Sort(list)
	return list
}
