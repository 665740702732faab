package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/webhook"
	"github.com/bodymotion/motion/storage"
)

// A sender signs what it sends, and a receiver verifies it.
func Example() {
	secret := webhook.NewSecret() // the host keeps it, and shows it to the client once
	received := make(chan string)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err == nil {
			err = webhook.Verify(secret, r.Header, body)
		}
		received <- fmt.Sprintf("%.24s… %v", body, err)
	}))
	defer receiver.Close()

	sender, err := webhook.New(webhook.Options{
		AllowPrivate: true, // the receiver is on this machine
		Endpoints: func(_ context.Context, client string) ([]webhook.Endpoint, error) {
			return []webhook.Endpoint{{URL: receiver.URL, Secrets: []string{secret}}}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- sender.Run(ctx) }()

	// In a program, motion.Config.Finished calls it.
	sender.Finished(motion.Finished{Record: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: 1}, Status: storage.Failure})
	fmt.Println(<-received)
	cancel()
	fmt.Println(<-done)
	// Output:
	// {"type":"record.failed",… <nil>
	// <nil>
}
