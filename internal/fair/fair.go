// Package fair shares a few places among the owners of much work.
package fair

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Places are places in which work is done. An owner has at most all of them, in use and waited for together, so
// that another one waits only for the next place that becomes free, however much work the first has.
type Places struct {
	n      int
	all    chan struct{} // has an element for each place in use; those who wait are served in order; nil: no bound
	mu     sync.Mutex    // of owners
	owners map[string]*owner
}

// owner is one that uses or waits for places.
type owner struct {
	own   chan struct{} // has an element for each place that it uses or waits for at all
	calls int
}

// New returns n places, at least 1.
func New(n int) *Places { return Shared(n, n) }

// Shared returns n places, of which an owner has at most each, both at least 1.
func Shared(n, each int) *Places {
	return &Places{n: each, all: make(chan struct{}, n), owners: map[string]*owner{}}
}

// Each returns n places, at least 1, for each owner: with 1, whatever is called an owner takes turns.
func Each(n int) *Places { return &Places{n: n, owners: map[string]*owner{}} }

// patience is how long Enter waits.
const patience = 18 * time.Second

// Enter is Take for a request: if it takes too long, the error is storage.ErrUnavailable and says that too many are doing what.
func (p *Places) Enter(ctx context.Context, name, what string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if leave, err = p.Take(waiting, name); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: too many %s", storage.ErrUnavailable, what)
	}
	return leave, err
}

// Take waits for a place until ctx ends, whose error it then returns. leave gives the place back.
func (p *Places) Take(ctx context.Context, name string) (leave func(), err error) {
	o := p.enter(name)
	if err := take(ctx, o.own); err != nil {
		p.exit(name, o)
		return nil, err
	}
	out := func() {
		<-o.own
		p.exit(name, o)
	}
	if p.all == nil {
		return out, nil
	}
	if err := take(ctx, p.all); err != nil {
		out()
		return nil, err
	}
	return func() {
		<-p.all
		out()
	}, nil
}

func take(ctx context.Context, places chan<- struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Places) enter(name string) *owner {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.owners[name]
	if o == nil {
		o = &owner{own: make(chan struct{}, p.n)}
		p.owners[name] = o
	}
	o.calls++
	return o
}

func (p *Places) exit(name string, o *owner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.calls--; o.calls == 0 {
		delete(p.owners, name)
	}
}
