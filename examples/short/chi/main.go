// Chi mounts the API under the router chi, with its own login: go run ./examples/short/chi
package main

import (
	"context"
	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/go-chi/chi/v5"
	"log"
	"net/http"
)

func login(r *http.Request) (httpapi.Identity, error) {
	if user, password, _ := r.BasicAuth(); user == "me" && password == "my-password" {
		return httpapi.Identity{Client: user}, nil
	}
	return httpapi.Identity{}, httpapi.ErrUnauthenticated
}
func main() {
	service := must(motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: must(pose.Balanced(pose.Options{})), Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{},
	}))
	go service.Run(context.Background())
	api := must(httpapi.New(service, httpapi.Options{Authenticator: login}))
	router := chi.NewRouter()
	router.Mount("/motion/v1", http.StripPrefix("/motion/v1", api))
	log.Fatal(http.ListenAndServe("127.0.0.1:8082", router))
}
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
