//go:build !js

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage/memory"
)

// minuteSquats is how many squats squats(t, 1800) shows, which testdata/tab.mjs reads on the page too.
const minuteSquats = 30

// TestCounts: a file of keypoints has as many repetitions of an exercise on every surface. That of the page is in TestPage.
func TestCounts(t *testing.T) {
	file := squats(t, 60*minuteSquats)
	for surface, count := range map[string]func(*testing.T, []byte) int{
		"Go": goCount, "HTTP": httpCount, "tool": toolCount, "live": liveCount, "WebAssembly": wasmCount,
	} {
		t.Run(surface, func(t *testing.T) {
			if got := count(t, file); got != minuteSquats {
				t.Errorf("%d squats, want %d", got, minuteSquats)
			}
		})
	}
}

// judged is what HTTP, the tool and WebAssembly answer.
type judged struct {
	ID         int64  `json:"id"`
	ExecStatus string `json:"execStatus"`
	Exercise   struct {
		Repetitions []json.RawMessage `json:"repetitions"`
	} `json:"exercise"`
}

func goCount(t *testing.T, file []byte) int {
	seq, err := formats.Read(bytes.NewReader(file), "", formats.Options{})
	if err == nil {
		seq, _, err = clean.Run(seq, clean.Default())
	}
	if err != nil {
		t.Fatal(err)
	}
	shown, err := study.Run(seq, quality.Report{})
	if err != nil {
		t.Fatal(err)
	}
	squat, _ := exercise.Shipped("squat")
	done, err := exercise.Judge(squat, seq, shown)
	if err != nil {
		t.Fatal(err)
	}
	return len(done.Repetitions)
}

func httpCount(t *testing.T, file []byte) int {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: inferencetest.Estimator{}, Logger: slog.New(slog.DiscardHandler), Limits: motion.Limits{Frames: -1},
	})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: "a client"}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	answered := func(r *http.Response, err error) (a judged) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode >= 300 || json.Unmarshal(text, &a) != nil {
			t.Fatalf("%s (%v): %.300s", r.Status, err, text)
		}
		return a
	}
	post := func(path, body string, args ...any) judged {
		t.Helper()
		return answered(http.Post(server.URL+path, "application/json", bytes.NewBufferString(fmt.Sprintf(body, args...))))
	}
	record := post("/keypoints/", `{"data": %s, "clean": true}`, file)
	analysis := post("/analyses/", `{"keypointId": %d, "exercise": "squat"}`, record.ID)
	if _, err := service.Wait(t.Context(), "a client", "analyses", analysis.ID); err != nil {
		t.Fatal(err)
	}
	analysis = answered(http.Get(fmt.Sprintf("%s/analyses/%d/", server.URL, analysis.ID)))
	if analysis.ExecStatus != "SUCCESS" {
		t.Fatal(analysis.ExecStatus)
	}
	return len(analysis.Exercise.Repetitions)
}

func toolCount(t *testing.T, file []byte) int {
	folder := t.TempDir()
	path := filepath.Join(folder, "squats.json")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "out")
	c := exec.CommandContext(t.Context(), "go", "run", "github.com/bodymotion/motion/cmd/motion", "analyze", "--exercise", "squat", "--out", out, path)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := os.ReadFile(filepath.Join(out, "squats.json.analysis.json"))
	var a judged
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(a.Exercise.Repetitions)
}

// numbered is a picture that knows its number in a movie.
type numbered struct {
	image.Image
	number int
}

// recorded finds in each picture what a recording has in that frame.
type recorded keypoint.Sequence

func (r recorded) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	return r.Frames[img.(numbered).number], nil
}

func liveCount(t *testing.T, file []byte) int {
	var seq keypoint.Sequence
	if err := json.Unmarshal(file, &seq); err != nil {
		t.Fatal(err)
	}
	s, err := live.New(recorded(seq), live.Options{Rules: []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: &analyze.RepetitionOptions{}}}})
	if err != nil {
		t.Fatal(err)
	}
	var last live.Update
	blank := image.NewRGBA(image.Rectangle{Max: seq.Size})
	for i, at := range seq.Times {
		if last, err = s.Next(t.Context(), numbered{blank, i}, at); err != nil {
			t.Fatal(err)
		}
	}
	return last.Counts[0].Found
}

func wasmCount(t *testing.T, file []byte) int {
	asked := []step{{Method: "read"}, {Method: "clean", Of: 1, Options: true}, {Method: "analyse", Of: 2, Options: map[string]any{"exercise": "squat"}}}
	var answers []json.RawMessage
	if err := json.Unmarshal(node(t, "testdata/steps.mjs", asked, map[int][]byte{0: file}), &answers); err != nil {
		t.Fatal(err)
	}
	var a judged
	if err := json.Unmarshal(answers[len(answers)-1], &a); err != nil {
		t.Fatal(err)
	}
	return len(a.Exercise.Repetitions)
}
