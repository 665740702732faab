package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/storagetest"
)

// injector chooses the faults of one session after the other.
type injector struct {
	mu     sync.Mutex
	choose func(storagetest.Call) storagetest.Fault // nil: none
	calls  map[string]int                           // of the session, by name
	made   []string                                 // faults
	all    *atomic.Int64
}

// begin begins a session with faults.
func (i *injector) begin(choose func(storagetest.Call) storagetest.Fault) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.choose, i.calls, i.made = choose, map[string]int{}, nil
}

// Choose counts a call and chooses its fault.
func (i *injector) Choose(c storagetest.Call) storagetest.Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.choose == nil {
		return storagetest.None
	}
	i.calls[c.Name]++
	c.N = i.calls[c.Name]
	fault := i.choose(c)
	if fault != storagetest.None {
		i.made = append(i.made, fmt.Sprintf("%s %d %v", c.Name, c.N, fault))
		i.all.Add(1)
	}
	return fault
}

// finish ends the faults of a session and returns what was called, and which faults there were.
func (i *injector) finish() (calls map[string]int, made []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.choose = nil
	return i.calls, i.made
}

// campaign runs sessions with faults on one kind of place.
type campaign struct {
	*ran
	dir        string
	recordings []recording // two pictures
	want       map[string]string
	quick      bool // without the faults for which clients wait
	say        func(string, ...any)

	faults, sessions, findings atomic.Int64
	lanes                      atomic.Int64
}

// lane is a place in which sessions run, one after the other.
type lane struct {
	*campaign
	world
	injector
	history *history
	number  int // of the session
}

// session is what one client does, from the registration of a person and of two pictures, of whom one is theirs, to their
// erasure, and that of a guest who gets a recording meanwhile. It is the same each time.
func (l *lane) session(ctx context.Context, c *client) error {
	var at [2]record
	var keypoints [2]record
	who, err := c.subject(ctx)
	if err != nil {
		return err
	}
	for i, of := range [][]record{{who}, nil} {
		r := l.recordings[i]
		var link string
		var err error
		if at[i], link, err = c.register(ctx, r, of...); err == nil {
			err = c.put(ctx, at[i], link, r)
		}
		if err == nil {
			keypoints[i], err = c.extract(ctx, at[i])
		}
		if err != nil {
			return err
		}
	}
	if err := c.wait(ctx, keypoints[0]); err != nil {
		return err
	}
	if err := errors.Join(c.correct(ctx, keypoints[0], "leftWrist", 7), c.rename(ctx, at[0])); err != nil {
		return err
	}
	var made []record
	note := func(r record, err error) error { made = append(made, r); return err }
	err = errors.Join(
		note(c.derive(ctx, "analyses", keypoints[0])), note(c.derive(ctx, "drawings", keypoints[1])),
		note(c.compare(ctx, keypoints[0], keypoints[1])), l.restart(ctx), note(c.derive(ctx, "drawings", keypoints[0])),
	)
	if err == nil {
		err = errors.Join(c.wait(ctx, made...), note(c.derive(ctx, "drawings", made[2])))
	}
	if err == nil {
		err = errors.Join(c.wait(ctx, made[len(made)-1]), c.delete(ctx, keypoints[0]))
	}
	if err != nil {
		return err
	}
	last, err := c.derive(ctx, "analyses", keypoints[1])
	guest, also := c.subject(ctx)
	theirs, e := c.extract(ctx, at[1])
	if err = errors.Join(err, also, e); err != nil {
		return err
	}
	return errors.Join(c.wait(ctx, last, theirs), l.reread(ctx, c, ""), c.giveBeside(ctx, theirs, guest), c.delete(ctx, who))
}

// restart ends the Service and starts it again.
func (l *lane) restart(ctx context.Context) error { return errors.Join(l.end(), l.start(ctx)) }

// reread reads all that a client was told of.
func (l *lane) reread(ctx context.Context, c *client, key string) error {
	l.history.mu.Lock()
	told := map[record]bool{}
	for _, e := range l.history.events {
		told[e.of] = told[e.of] || e.op == make_ && e.done()
	}
	l.history.mu.Unlock()
	for r, ok := range told {
		if !ok {
			continue
		}
		var refused errRefused
		if _, err := c.getAs(ctx, r, key); err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return nil
}

// run runs a session with faults and returns what it calls, and what is wrong after it.
func (l *lane) run(ctx context.Context, choose func(storagetest.Call) storagetest.Fault) (calls map[string]int, findings []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 6*time.Minute)
	defer cancel()
	l.history = newHistory()
	l.injector.begin(choose)
	if err := l.start(ctx); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, l.end()) }()
	l.number++
	c := newClient("http://motion", fmt.Sprint("s", l.number), &l.world, l.history)
	c.busy = 4 * time.Minute // a key is reserved for one for a request that may still run
	failed := l.session(ctx, c)
	calls, made := l.injector.finish()
	defer func() {
		for i := range findings {
			findings[i] = fmt.Sprintf("%s: %s", strings.Join(made, ", "), findings[i])
		}
	}()
	if failed != nil {
		findings = append(findings, fmt.Sprint("the session: ", failed))
	}
	left, err := l.settle(ctx)
	if err == nil {
		err = l.reread(ctx, c, inTheEnd)
	}
	if err != nil {
		return calls, append(findings, err.Error()), nil
	}
	m, wrong := judge(l.history.events)
	k, err := l.place.open(ctx, l.log)
	if err != nil {
		return calls, nil, err
	}
	defer func() { err = errors.Join(err, k.close()) }()
	f, err := look(ctx, l.place, k)
	if err != nil {
		return calls, nil, err
	}
	if l.want == nil {
		l.want = f.outcomes()
	}
	f.against(l.want, m)
	l.sessions.Add(1)
	findings = append(append(append(findings, left...), wrong...), f.faults...)
	return calls, findings, l.clear(ctx, k, f)
}

// clear empties the place for the next session.
func (l *lane) clear(ctx context.Context, k *kept, f *found) error {
	for r := range f.entries {
		var err error
		if kind := storage.Kind(r.kind); kind == storage.Subjects {
			_, err = l.service.DeleteSubject(ctx, clientID, r.id, true)
		} else {
			err = l.service.DeleteRecord(ctx, clientID, kind, r.id)
		}
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
	return nil
}

// newLane makes a lane with an empty place.
func (c *campaign) newLane(ctx context.Context) (*lane, error) {
	p, err := c.newPlace(ctx, c.dir, fmt.Sprintf("lane%d", c.lanes.Add(1)))
	if err != nil {
		return nil, err
	}
	l := &lane{campaign: c, injector: injector{all: &c.faults}}
	l.world = world{place: p, choose: l.injector.Choose, log: slog.New(slog.DiscardHandler)}
	l.world.faults = &storagetest.Faults{Choose: l.injector.Choose, Pause: 50 * time.Millisecond}
	return l, nil
}

// each runs a session for each fault of each call, or for a random part of them, on several lanes.
func (c *campaign) each(ctx context.Context, lanes int, part float64, seed uint64) error {
	first, err := c.newLane(ctx)
	if err != nil {
		return err
	}
	calls, findings, err := first.run(ctx, func(storagetest.Call) storagetest.Fault { return storagetest.None })
	if err != nil || len(findings) > 0 {
		return errors.Join(err, fmt.Errorf("without faults: %s", strings.Join(findings, "\n")))
	}
	var plans []func(storagetest.Call) storagetest.Fault
	random := rand.New(rand.NewPCG(seed, 0))
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		for n := range calls[name] {
			for _, fault := range []storagetest.Fault{storagetest.Fail, storagetest.Lose, storagetest.Hang} {
				if random.Float64() >= part || fault == storagetest.Hang && (n > 0 || strings.HasPrefix(name, "HTTP")) {
					continue
				}
				if c.quick && waits(name, fault) {
					continue
				}
				plans = append(plans, func(c storagetest.Call) storagetest.Fault {
					if c.Name == name && c.N == n+1 {
						return fault
					}
					return storagetest.None
				})
			}
		}
	}
	return c.all(ctx, lanes, plans)
}

// chance runs sessions with random faults.
func (c *campaign) chance(ctx context.Context, lanes, sessions int, part float64, seed uint64) error {
	var plans []func(storagetest.Call) storagetest.Fault
	for i := range sessions {
		chosen := storagetest.Chance(seed+uint64(i), part, storagetest.Fail, storagetest.Lose, storagetest.Delay)
		plans = append(plans, func(call storagetest.Call) storagetest.Fault {
			if fault := chosen(call); !c.quick || !waits(call.Name, fault) {
				return fault
			}
			return storagetest.None
		})
	}
	return c.all(ctx, lanes, plans)
}

// waits reports whether clients wait for a while after a fault: a call may take 15 s, and a key is reserved for a minute.
func waits(name string, fault storagetest.Fault) bool {
	return fault == storagetest.Hang || fault == storagetest.Lose && name == "Answers.ReserveAnswer"
}

// all runs a session for each plan.
func (c *campaign) all(ctx context.Context, lanes int, plans []func(storagetest.Call) storagetest.Fault) error {
	work := make(chan func(storagetest.Call) storagetest.Fault)
	go func() {
		defer close(work)
		for _, p := range plans {
			select {
			case work <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wg sync.WaitGroup
	errs := make([]error, lanes)
	for i := range lanes {
		wg.Go(func() {
			var l *lane
			for choose := range work {
				if l == nil {
					if l, errs[i] = c.newLane(ctx); errs[i] != nil {
						return
					}
				}
				_, findings, err := l.run(ctx, choose)
				if err != nil {
					findings = append(findings, err.Error())
				}
				for _, f := range findings {
					c.findings.Add(1)
					c.say("%s", f)
				}
				if findings != nil {
					l = nil // what is left must not trouble the next one
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}
