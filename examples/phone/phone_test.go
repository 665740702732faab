// Package phone_test runs the example.
package phone_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/memory"
)

// service starts a service and returns its address.
func service(t *testing.T) string {
	s, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Decoder: inferencetest.Decoder{}, Estimator: inferencetest.Estimator{}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(s, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: "phone"}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	server := httptest.NewServer(http.StripPrefix("/anymotion/v1", api))
	t.Cleanup(server.Close)
	return server.URL + "/anymotion/v1"
}

// TestPhone sends squats as MediaPipe writes them, and a wrong frame.
func TestPhone(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		testkit.Skip(t, "python3")
	}
	cmd := exec.CommandContext(t.Context(), python, "phone.py", "0")
	cmd.Env = append(os.Environ(), "MOTION_URL="+service(t), "MOTION_TOKEN=secret")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	text, err := os.ReadFile(testkit.Data(t, "videos/tfjs_squats/blazepose_33_px.json"))
	if err != nil {
		t.Fatal(err)
	}
	var frames [][][]float64
	if err := json.Unmarshal(text, &frames); err != nil {
		t.Fatal(err)
	}
	var results []map[string]any
	for i, frame := range frames {
		var list []map[string]float64
		for _, at := range frame {
			list = append(list, map[string]float64{"x": at[0] / 720, "y": at[1] / 1280, "visibility": 1})
		}
		results = append(results, map[string]any{"timestamp_ms": 200 * i, "pose_landmarks": []any{list}})
	}
	send := func() (status int, answer map[string]any) {
		b, err := json.Marshal(map[string]any{"results": results, "size": []int{720, 1280}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.Post(address+"/", "application/json", strings.NewReader(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, answer
	}
	status, answer := send()
	if list, _ := answer["repetitions"].([]any); status != 200 || answer["movement"] != "squat" || len(list) < 3 {
		t.Fatalf("%d %v", status, answer)
	}
	r, err := http.Get(address + answer["report"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if page, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || !strings.Contains(string(page), "Another program found the points") {
		t.Errorf("the report: %d %v", r.StatusCode, err)
	}
	results[12]["pose_landmarks"] = []any{[]any{map[string]float64{"x": 1}}}
	if status, answer := send(); status != 400 || !strings.Contains(answer["detail"].(string), "/data/12/pose_landmarks/0 has 1 landmarks") {
		t.Errorf("a wrong frame: %d %v", status, answer["detail"])
	}
}
