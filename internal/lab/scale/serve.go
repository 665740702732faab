package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// owner is the owner of everything that is read over HTTP.
const owner = "owner-0"

// api returns the API of a service without authentication, for the owner.
func api(m *motion.Service) (http.Handler, error) {
	return httpapi.New(m, httpapi.Options{
		Logger: quiet,
		Authenticator: func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{Client: owner}, nil
		},
	})
}

// apiOf returns the API over a store alone.
func apiOf(s storage.Store, blobs string) (http.Handler, error) {
	m, err := stub(s, memoryQueue(), childArgs{Blobs: blobs}, newTimes())
	if err != nil {
		return nil, err
	}
	return api(m)
}

// listen serves a handler on a loopback port until stop is called.
func listen(h http.Handler) (url string, stop func() error, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	return "http://" + l.Addr().String(), func() error {
		err := server.Close()
		if e := <-served; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
		return err
	}, nil
}

// get reads and discards a response with status 200.
func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(url + ": " + res.Status)
	}
	return nil
}
