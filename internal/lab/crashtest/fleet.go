package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/lab/internal/child"
)

// process is one that this program keeps running.
type process struct {
	program string
	orders  orders
	log     io.Writer

	mu      sync.Mutex
	running *child.Process
	ready   chan struct{} // closed when it is ready or has ended
	ending  bool
	done    chan struct{} // closed when it has ended for good
	err     error         // of the last exit, if end was called
	starts  int
}

// keep restarts the process whenever it exits, until end is called.
func (p *process) keep() error {
	p.done = make(chan struct{})
	first := make(chan error, 1)
	go func() {
		defer close(p.done)
		for {
			ready, err := p.start()
			if err != nil {
				p.err = err
				first <- err
				return
			}
			if p.starts == 1 {
				go func() { first <- <-ready }()
			}
			err = p.running.Wait()
			p.mu.Lock()
			ending := p.ending
			p.mu.Unlock()
			if ending {
				p.err = err
				return
			}
			if status, ok := p.running.ProcessState.Sys().(syscall.WaitStatus); ok && !status.Signaled() {
				// Its database may be down: do not spin.
				fmt.Fprintf(p.log, "a process has exited: %v\n", err)
				time.Sleep(200 * time.Millisecond)
			}
		}
	}()
	return <-first
}

// start starts the process; ready tells when it does its work.
func (p *process) start() (ready <-chan error, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	running, err := child.Start(p.program, p.orders, p.log)
	if err != nil {
		return nil, err
	}
	working, c := make(chan struct{}), make(chan error, 1)
	p.running, p.ready = running, working
	p.starts++
	go func() {
		defer close(working)
		err := running.Read(new(string))
		if err != nil {
			err = fmt.Errorf("a process does not start: %w", err)
		}
		c <- err
	}()
	return c, nil
}

// kill kills the process: at once, or at one of its next seams.
func (p *process) kill(seam int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if seam > 0 {
		fmt.Fprintf(p.running.In, "die %d\n", seam) // it may already be dead
		return
	}
	p.running.Process.Kill()
}

// count returns how often the process was started.
func (p *process) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// end makes the process drain and waits for it. It first waits until a new process is ready, which
// then handles the signal.
func (p *process) end() error {
	p.mu.Lock()
	p.ending = true
	ready := p.ready
	p.mu.Unlock()
	<-ready
	p.mu.Lock()
	p.running.Process.Signal(syscall.SIGTERM)
	p.mu.Unlock()
	<-p.done
	return p.err
}

// fleet is the set of processes that share a place.
type fleet []*process

// startFleet starts one process for everything or, with PostgreSQL, one server and three workers.
func startFleet(program string, p place, addr, dir string, log io.Writer) (fleet, error) {
	roles := []motion.Role{motion.ServeAndWork}
	if p.URL != "" {
		roles = []motion.Role{motion.ServeOnly, motion.WorkOnly, motion.WorkOnly, motion.WorkOnly}
	}
	var f fleet
	for i, role := range roles {
		one := &process{program: program, log: log, orders: orders{Role: role, Place: p, Work: filepath.Join(dir, fmt.Sprint("work", i))}}
		if role != motion.WorkOnly {
			one.orders.Addr = addr
		}
		if err := one.keep(); err != nil {
			return f, errors.Join(err, f.end())
		}
		f = append(f, one)
	}
	return f, nil
}

func (f fleet) end() error {
	var errs []error
	for _, p := range f {
		errs = append(errs, p.end())
	}
	return errors.Join(errs...)
}

// pauses between kills.
const (
	minPause = 50 * time.Millisecond
	maxPause = 900 * time.Millisecond
	maxSeam  = 20
)

// killer kills a random process n times, every other time at a random seam.
func (f fleet) killer(ctx context.Context, n int, random *rand.Rand) (atSeams int) {
	for i := range n {
		pause(ctx, minPause+time.Duration(random.Int64N(int64(maxPause-minPause))))
		p := f[random.IntN(len(f))]
		before := p.count()
		seam := 0
		if i%2 == 1 {
			seam = 1 + random.IntN(maxSeam)
		}
		p.kill(seam)
		// An idle process reaches no seam: kill it anyway.
		for until := time.Now().Add(2 * time.Second); p.count() == before && ctx.Err() == nil; time.Sleep(2 * time.Millisecond) {
			if time.Now().After(until) {
				p.kill(0)
				seam = 0
				until = until.Add(time.Hour)
			}
		}
		if seam > 0 {
			atSeams++
		}
	}
	return atSeams
}
