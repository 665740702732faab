// Chi mounts the API under chi, behind the login of its host, which is HTTP basic auth here:
//
//	go run ./examples/short/chi
//
// Each user has records of their own. Ctrl+C ends it when the jobs under way are done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/settings"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

var users = map[string]string{"me": "my-password", "you": "your-password"}

func main() {
	addr := flag.String("addr", "127.0.0.1:8082", "address to listen on")
	flag.Parse()
	store := must(sqlite.Open("chi-data/motion.db", sqlite.Options{}))
	defer store.Close()
	service := must(motion.New(motion.Config{
		Store: store, Blobs: must(file.Open("chi-data/files", file.Options{})), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: must(movenet.New(settings.Balanced())), Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{},
	}))
	who := httpapi.AuthenticatorFunc(func(r *http.Request) (httpapi.Identity, error) {
		user, _, _ := r.BasicAuth() // chi has checked the password
		return httpapi.Identity{Client: user}, nil
	})
	api := must(httpapi.New(service, httpapi.Options{Authenticator: who}))
	router := chi.NewRouter()
	router.Use(middleware.BasicAuth("motion", users))
	router.Mount("/motion/v1", http.StripPrefix("/motion/v1", api))
	listener := must(net.Listen("tcp", *addr))
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: router}
	go server.Serve(listener)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := service.Run(ctx) // works until asked to end, and then on what it has begun
	api.Drain()
	if err = errors.Join(err, server.Shutdown(context.Background())); err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
