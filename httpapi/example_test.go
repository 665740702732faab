package httpapi_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage/memory"
)

// A host mounts the API beside its own pages, gives out tokens, and drains before it
// ends.
func Example() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens, err := httpapi.NewCredentials(map[string]string{"an app": "a long random secret"}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := httpapi.New(service, httpapi.Options{
		Authenticator: tokens.Authenticate, Tokens: tokens,
		Limits:    httpapi.Limits{RateLimit: 30, MaxUnfinished: 1000},
		AccessLog: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/oauth/v1/accesstokens", tokens)

	ask := func(method, path string) {
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest(method, path, nil))
		fmt.Println(answer.Code, answer.Header().Get("Content-Type"))
	}
	ask("GET", "/anymotion/v1/docs/")
	ask("GET", "/anymotion/v1/movies/")
	api.Drain() // and then http.Server.Shutdown, and the end of service.Run's context
	// Output:
	// 200 text/html; charset=utf-8
	// 401 application/problem+json
}

// A page of another origin may use the API if a handler around it says so.
func ExampleNew_cors() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) {
		return httpapi.Identity{Client: "an app"}, nil
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	open := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.com")
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-MD5, Idempotency-Key, If-None-Match")
		if r.Method != http.MethodOptions {
			api.ServeHTTP(w, r)
		}
	})
	for _, method := range []string{"OPTIONS", "GET"} {
		answer := httptest.NewRecorder()
		open.ServeHTTP(answer, httptest.NewRequest(method, "/movies/", nil))
		fmt.Println(method, answer.Code, answer.Header().Get("Access-Control-Allow-Origin"))
	}
	// Output:
	// OPTIONS 200 https://app.example.com
	// GET 200 https://app.example.com
}
