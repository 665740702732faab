package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage/storagetest"
)

// world is a Service with its API in this process, which works on a place through faults.
type world struct {
	place  place
	faults *storagetest.Faults
	choose func(storagetest.Call) storagetest.Fault // of requests, which are calls too
	log    *slog.Logger

	decoder inference.Decoder // nil: pictures alone

	mu      sync.Mutex
	api     http.Handler // nil while it is not running
	service *motion.Service
	stop    func() error
}

// start starts the Service.
func (w *world) start(ctx context.Context) error {
	k, err := w.place.open(ctx, w.log)
	if err != nil {
		return err
	}
	cfg := motion.Config{
		Store: w.faults.Store(k.store), Blobs: w.faults.Blobs(k.blobs), Queue: w.faults.Queue(k.queue()),
		Estimator: stub{}, Decoder: w.decoder, Encoder: mp4.Encoder{Preset: "ultrafast"},
		Workers: 2, DrainTimeout: 20 * time.Millisecond, OrphanAge: time.Nanosecond, Logger: w.log,
	}
	service, err := motion.New(cfg)
	if err != nil {
		return errors.Join(err, k.close())
	}
	anybody := func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: clientID}, nil }
	api, err := httpapi.New(service, httpapi.Options{Authenticator: anybody, LinkKeys: linkKeys, OriginalMedia: true, Logger: w.log})
	if err != nil {
		return errors.Join(err, k.close())
	}
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for running.Err() == nil {
			if err := service.Run(running); err != nil { // what starts the process starts it again
				w.log.Error("the service has ended", "error", err)
				pause(running, 20*time.Millisecond)
			}
		}
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.api, w.service = http.StripPrefix("/v1", api), service
	w.stop = func() error { end(); <-ended; return k.close() }
	return nil
}

// end stops the Service.
func (w *world) end() error {
	w.mu.Lock()
	stop := w.stop
	w.api, w.stop = nil, nil
	w.mu.Unlock()
	if stop == nil {
		return nil
	}
	return stop()
}

// RoundTrip sends a request to the API. A call named HTTP may have a fault, too.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	api := w.api
	w.mu.Unlock()
	fault := storagetest.None
	if r.Method != http.MethodGet {
		fault = w.choose(storagetest.Call{Name: "HTTP." + r.Method})
	}
	if api == nil || fault == storagetest.Fail {
		return nil, errors.New("there is no answer")
	}
	answer, asked := httptest.NewRecorder(), r.Clone(r.Context())
	asked.RequestURI = r.URL.RequestURI() // links are made of it
	if gone(func() { api.ServeHTTP(answer, asked) }) {
		return nil, r.Context().Err()
	}
	if fault == storagetest.Lose {
		return nil, errors.New("the answer was lost")
	}
	return answer.Result(), nil
}

// gone reports whether serve has given up because its client is gone. It then panics, as servers of net/http expect.
func gone(serve func()) (gone bool) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			gone = true
		} else if p != nil {
			panic(p)
		}
	}()
	serve()
	return false
}

// settle waits until nothing is unfinished, with upkeep from time to time, and returns what does not become so.
func (w *world) settle(ctx context.Context) (findings []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	k, err := w.place.open(ctx, w.log)
	if err != nil {
		return nil, err
	}
	defer k.close()
	for began := time.Now(); ; pause(ctx, 20*time.Millisecond) {
		if err := w.service.Ready(ctx); err != nil {
			if time.Since(began) > 5*time.Second {
				return []string{fmt.Sprint("not ready: ", err)}, nil
			}
			continue
		}
		if err := w.service.Upkeep(ctx); err != nil {
			return []string{fmt.Sprint("upkeep: ", err)}, nil
		}
		left, err := k.unfinished(ctx)
		if err != nil || len(left) == 0 || time.Since(began) > settleTime {
			return left, err
		}
	}
}

// settleTime is how long something may be unfinished when there are no more faults. It is longer than the pauses of jobs.
const settleTime = 8 * time.Second
