// Full finds, serves and draws with everything that one machine needs. It finds the person
// of the picture that it is given.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

func main() {
	dir, err := os.MkdirTemp("", "host-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer blobs.Close()
	est, err := pose.Balanced(pose.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	service, err := motion.New(motion.Config{
		Store: store, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: est, Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{},
	})
	if err != nil {
		log.Fatal(err)
	}
	tokens, err := httpapi.NewCredentials(map[string]string{"me": "my-secret"}, 0)
	if err != nil {
		log.Fatal(err)
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, Tokens: tokens})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	http.Handle("/oauth/v1/accesstokens", tokens)
	seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d parts found\n", seq.Frames[0].Len())
}
