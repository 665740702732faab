package viewer_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/viewer"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/storage/memory"
)

// A host mounts the page beside the API. Here the page asks for a client id and secret; see Options.Login.
func ExampleNew() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: inferencetest.Estimator{}, // or that of inference/pose
	})
	if err != nil {
		log.Fatal(err)
	}
	tokens, err := httpapi.NewCredentials(map[string]string{"a club": "a long random secret"}, 0)
	if err != nil {
		log.Fatal(err)
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, OriginalMedia: true})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/oauth/v1/accesstokens", tokens)

	page, err := viewer.New(viewer.Options{Title: "A club"})
	if err != nil {
		log.Fatal(err)
	}
	mux.Handle("/", page)

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
	fmt.Println(answer.Code, strings.Contains(answer.Body.String(), "<title>A club</title>"))
	// Output: 200 true
}
