// Mounted serves the API, with records in SQLite, files in a folder and an estimator of its
// own.
package main

import (
	"context"
	"fmt"
	"image"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// nobody is an Estimator that finds nobody.
type nobody struct{}

func (nobody) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, nil
}

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
	service, err := motion.New(motion.Config{Store: store, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: nobody{}})
	if err != nil {
		log.Fatal(err)
	}
	api, err := httpapi.New(service, httpapi.Options{
		Authenticator: func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{Client: "me"}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", "/anymotion/v1/keypoints/", nil))
	fmt.Println(answer.Code, answer.Body)
}
