//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage/memory"
)

// server returns a function that asks the API of a service, and waits for what is made.
func server(t *testing.T) func(path string, body any) map[string]any {
	t.Helper()
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{},
	})
	if err != nil {
		t.Fatal(err)
	}
	go service.Run(t.Context())
	api, err := httpapi.New(service, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) {
		return httpapi.Identity{Client: "me"}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, body []byte) (answer map[string]any) {
		r := httptest.NewRequest(method, path, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code >= 300 {
			t.Fatalf("%s %s: %d %s (%v)", method, path, w.Code, w.Body, err)
		}
		return answer
	}
	return func(path string, body any) map[string]any {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		made := ask("POST", path, text)
		for end := time.Now().Add(time.Minute); ; {
			address := fmt.Sprintf("%s%v/", path, made["id"])
			if path == "/keypoints/" {
				address += "?include=scores,timestamps,changes"
			}
			one := ask("GET", address, nil)
			switch one["execStatus"] {
			case "SUCCESS":
				return one
			case "FAILURE":
				t.Fatalf("%s: %v", path, one)
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %v after a minute", path, one)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// TestServer: the service has the same digits for the same keypoints.
func TestServer(t *testing.T) {
	make := server(t)
	s := session{recordings: map[int]*recording{}}
	here := func(method string, data []byte, of int, options any, other int) any {
		text, err := json.Marshal(options)
		if err != nil {
			t.Fatal(err)
		}
		value, err := s.call(method, data, of, text, other)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := stored(value, &plain); err != nil {
			t.Fatal(err)
		}
		return plain
	}
	var ids []any
	for k, frames := range []int{200, 150} {
		var seq keypoint.Sequence
		if err := json.Unmarshal(squats(t, frames), &seq); err != nil {
			t.Fatal(err)
		}
		var csv bytes.Buffer
		if err := formats.Write(&csv, "csv", seq); err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"format": "csv", "data": csv.String(), "size": []int{640, 640}, "clean": true, "scale": map[string]any{"bodyHeight": 1.8}, "mirrored": true}
		record := make("/keypoints/", body)
		ids = append(ids, record["id"])
		here("read", csv.Bytes(), 0, map[string]any{"format": "csv", "size": []int{640, 640}, "bodyHeight": 1.8, "mirrored": true}, 0)
		here("clean", nil, 2*k+1, true, 0)
		now := here("keypoints", nil, 2*k+2, nil, 0).(map[string]any)
		same(t, "quality", record["quality"], now["quality"])
		same(t, "changes", record["changes"], now["changes"])
		for _, member := range []string{"keypoint", "scores", "timestamps"} {
			same(t, member, record[member], now["sequence"].(map[string]any)[member])
		}
	}
	ask := map[string]any{"overview": true, "gait": true, "jump": true, "neutral": "auto", "from": 0.5, "rule": map[string]any{"analysisType": "kneeFlexion", "side": "left", "repetitions": true}}
	there, now := map[string]any{"keypointId": ids[0]}, here("analyse", nil, 2, ask, 0).(map[string]any)
	for name, value := range ask {
		there[name] = value
	}
	record := make("/analyses/", there)
	for _, member := range []string{"result", "overview", "warnings", "neutral", "jumps"} {
		same(t, member, record[member], now[member])
	}
	with := map[string]any{"angles": true, "score": true, "alignment": "dtw"}
	now = here("compare", nil, 2, with, 4).(map[string]any)
	with["sourceId"], with["targetId"] = ids[0], ids[1]
	record = make("/comparisons/", with)
	for _, member := range []string{"difference", "angles", "largest", "repetitions", "warnings", "score"} {
		same(t, member, record[member], now[member])
	}
}

func same(t *testing.T, member string, there, here any) {
	t.Helper()
	if diff := cmp.Diff(there, here); diff != "" || there == nil && member != "neutral" {
		t.Errorf("%s: service −, here +: %.2000s", member, diff)
	}
}
