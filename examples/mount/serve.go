package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/bodymotion/motion"
)

// serve serves and works until ctx ends, and then waits for requests, for half of grace, and for jobs, in
// this order, because requests may wait for jobs.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, drain func(), service *motion.Service, grace time.Duration) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	workCtx, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	worked := make(chan error, 1)
	go func() { worked <- service.Run(workCtx) }()
	fmt.Printf("listening on http://%s\n", listener.Addr())
	select {
	case <-ctx.Done():
	case err := <-served:
		stopWork()
		return errors.Join(err, <-worked)
	case err := <-worked:
		return errors.Join(err, server.Close())
	}
	drain()
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
	defer cancel()
	err := server.Shutdown(draining)
	if err != nil {
		err = errors.Join(err, server.Close())
	}
	stopWork()
	return errors.Join(err, <-worked)
}
