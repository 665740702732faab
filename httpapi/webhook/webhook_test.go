package webhook_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/webhook"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/exchange"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

type estimator struct{}

func (estimator) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, nil
}

// TestWithAService holds that a client hears of a finished record, in the form of the
// OpenAPI document and with a good signature.
func TestWithAService(t *testing.T) {
	secret := webhook.NewSecret()
	type request struct {
		header http.Header
		body   []byte
	}
	got := make(chan request, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil || r.Method != "POST" || r.URL.Path != "/hook" {
			t.Errorf("%s %s (%v)", r.Method, r.URL, err)
		}
		got <- request{r.Header, b}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	sender, err := webhook.New(webhook.Options{
		AllowPrivate: true,
		Endpoints: func(_ context.Context, client string) ([]webhook.Endpoint, error) {
			if client != "alice" {
				return nil, nil
			}
			return []webhook.Endpoint{{URL: receiver.URL + "/hook", Secrets: []string{secret}}}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator{}, WorkDir: t.TempDir(), Finished: sender.Finished, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 2)
	go func() { done <- service.Run(ctx) }()
	go func() { done <- sender.Run(ctx) }()
	defer func() { cancel(); <-done; <-done }()

	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	add := func(client string, file []byte) int64 {
		sum := md5.Sum(file)
		m, err := service.RegisterMedia(t.Context(), client, storage.Images, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
		if err == nil {
			_, err = service.UploadMedia(t.Context(), client, storage.Images, m.ID, bytes.NewReader(file))
		}
		e, err2 := service.ExtractKeypoints(t.Context(), client, motion.ExtractRequest{Source: motion.Image(m.ID)})
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	add("bob", picture.Bytes())
	for _, c := range []struct {
		file        []byte
		typ, status string
	}{{picture.Bytes(), "record.succeeded", "SUCCESS"}, {[]byte("no picture"), "record.failed", "FAILURE"}} {
		id := add("alice", c.file)
		r := <-got
		if err := webhook.Verify(secret, r.header, r.body); err != nil {
			t.Error(err)
		}
		var p struct {
			Type string
			Data struct {
				Kind       string
				ID         int64
				ExecStatus string
			}
		}
		var whole any
		if err := errors.Join(json.Unmarshal(r.body, &p), json.Unmarshal(r.body, &whole)); err != nil {
			t.Fatal(err)
		}
		if p.Type != c.typ || p.Data.Kind != "keypoints" || p.Data.ID != id || p.Data.ExecStatus != c.status {
			t.Errorf("%s", r.body)
		}
		exchange.Value(t, "Webhook", whole)
		if !strings.HasPrefix(r.header.Get("Webhook-Id"), "msg_") || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("%v", r.header)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := webhook.New(webhook.Options{}); err == nil || !strings.Contains(err.Error(), "Endpoints") {
		t.Error(err)
	}
}

// finished is an event.
func finished(client string, id int64) motion.Finished {
	return motion.Finished{Record: storage.Key{Owner: client, Kind: storage.Keypoints, ID: id}, Status: storage.Success, UpdatedAt: time.Now()}
}
