package motion

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

// Event is a record that has reached another status, or on which work has advanced.
type Event struct {
	Kind storage.Kind
	State
	Advanced bool // the status is the same, the progress is not
}

// Events are the changes since the previous ones.
type Events struct {
	Records []Event // earliest change first; a record that changed twice may appear once
	Lost    bool    // there were more changes than Records has: list the records to see them
	Err     error   // the Store failed; no more changes follow
}

const (
	lookEvery  = time.Second            // how often the Store is asked for changes
	hurryEvery = 250 * time.Millisecond // the same, while somebody waits for a record
	rereadEach = 5 * time.Second        // how often Wait reads its record without a change
	maxChanges = 1000                   // changes read at a time, and kept for a slow reader

	// lookBack is how long a transaction may take from setting UpdatedAt to its commit.
	lookBack = 5 * time.Second
)

// feeds are the feeds of all owners whose changes somebody reads.
type feeds struct {
	store storage.Store

	mu      sync.Mutex // guards all feeds, too
	byOwner map[string]*feed
}

// feed finds the changes to one owner's records. Its goroutine asks the Store; the Service tells it of its own changes.
type feed struct {
	owner    string
	watchers map[*watcher]bool
	known    map[storage.Key]known
	ready    chan struct{} // closed after the first look
	err      error         // of the first look
	hurry    chan struct{} // somebody has begun to wait for a record
	stop     context.CancelFunc

	since  time.Time // from which UpdatedAt on the next look reads
	newest time.Time // UpdatedAt of the latest change
	mark   time.Time // what newest was at the time marked: lookBack later, all up to it is seen
	marked time.Time
}

// watcher is one reader of a feed.
type watcher struct {
	c   chan Events // holds what is not read yet
	key storage.Key // the one record to watch; ID 0: all
}

// known is what a feed remembers of a record.
type known struct {
	at       time.Time // UpdatedAt
	status   storage.Status
	progress float64
}

// watch begins to watch one record of an owner, or all where the key's ID is 0.
func (fs *feeds) watch(ctx context.Context, key storage.Key) (<-chan Events, error) {
	w := &watcher{make(chan Events, 1), key}
	f := fs.join(w)
	context.AfterFunc(ctx, func() { fs.leave(f, w) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.ready:
		return w.c, f.err
	}
}

func (fs *feeds) join(w *watcher) *feed {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.byOwner[w.key.Owner]
	if f == nil {
		ctx, stop := context.WithCancel(context.Background())
		f = &feed{
			owner: w.key.Owner, watchers: map[*watcher]bool{}, known: map[storage.Key]known{},
			ready: make(chan struct{}), hurry: make(chan struct{}, 1), stop: stop,
		}
		fs.byOwner[f.owner] = f
		go fs.run(ctx, f)
	}
	f.watchers[w] = true
	if w.key.ID != 0 {
		select {
		case f.hurry <- struct{}{}:
		default:
		}
	}
	return f
}

// leave removes a watcher, and the feed with its last one.
func (fs *feeds) leave(f *feed, w *watcher) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if !f.watchers[w] {
		return
	}
	delete(f.watchers, w)
	close(w.c)
	if len(f.watchers) == 0 {
		f.stop()
		delete(fs.byOwner, f.owner)
	}
}

// run asks the Store for changes again and again, until the last watcher has left.
func (fs *feeds) run(ctx context.Context, f *feed) {
	err := fs.look(ctx, f, true)
	f.err = err
	close(f.ready)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for last := time.Now(); err == nil; {
		timer.Reset(time.Until(last.Add(fs.pause(f))))
		select {
		case <-ctx.Done():
			return
		case <-f.hurry:
			continue
		case <-timer.C:
		}
		last = time.Now()
		err = fs.look(ctx, f, false)
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if len(f.watchers) == 0 {
		return // err is that ctx has ended
	}
	for w := range f.watchers {
		w.add(Events{Err: err})
		close(w.c)
	}
	clear(f.watchers)
	f.stop()
	delete(fs.byOwner, f.owner)
}

func (fs *feeds) pause(f *feed) time.Duration {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for w := range f.watchers {
		if w.key.ID != 0 {
			return hurryEvery
		}
	}
	return lookEvery
}

// look reads what has changed and passes it on, if it is new. The first look passes nothing on.
func (fs *feeds) look(ctx context.Context, f *feed, first bool) error {
	var page []storage.Record
	err := panics.Call(func() (err error) { page, err = fs.store.Changed(ctx, f.owner, f.since, maxChanges); return err })
	if err != nil {
		return err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var changes Events
	if len(page) > 0 {
		oldest := page[len(page)-1]
		full := len(page) == maxChanges
		changes.Lost = full && !first && oldest.UpdatedAt.After(f.known[oldest.Key].at)
		if f.newest = page[0].UpdatedAt; f.newest.After(time.Now()) {
			f.newest = time.Now() // the clock was wrong when that changed
		}
		if first {
			f.since = f.newest.Add(-lookBack)
		}
		if first && full && !oldest.UpdatedAt.Before(f.since) {
			f.since = oldest.UpdatedAt.Add(time.Microsecond) // what is older is unknown
		}
	}
	for _, r := range slices.Backward(page) {
		if c, ok := f.see(r); ok && !first {
			changes.Records = append(changes.Records, c)
		}
	}
	f.send(changes)
	if time.Since(f.marked) >= lookBack {
		if after := f.mark.Add(time.Microsecond); after.After(f.since) && !f.mark.IsZero() {
			f.since = after
		}
		f.marked, f.mark = time.Now(), f.newest
	}
	for key, k := range f.known {
		if k.at.Before(f.since) && (k.status != storage.Processing || len(f.known) > 2*maxChanges) {
			delete(f.known, key)
		}
	}
	return nil
}

// see notes the state of a record and reports whether that is a change.
func (f *feed) see(r storage.Record) (c Event, ok bool) {
	before, old := f.known[r.Key]
	if r.Status == "" || old && !r.UpdatedAt.After(before.at) {
		return c, false
	}
	var w catalog.Work
	if r.Status == storage.Processing && catalog.Decode(r, &w) != nil {
		w = catalog.Work{}
	}
	c = Event{Kind: r.Kind, State: stateOf(r, w)}
	f.known[r.Key] = known{r.UpdatedAt, r.Status, w.Progress}
	if !old || before.status != r.Status {
		return c, true
	}
	c.Advanced = true
	return c, w.Progress > 0 && w.Progress != before.progress
}

// send passes changes on to the watchers of the records.
func (f *feed) send(changes Events) {
	if len(changes.Records) == 0 && !changes.Lost {
		return
	}
	for w := range f.watchers {
		if w.key.ID == 0 || changes.Lost {
			w.add(changes)
			continue
		}
		for _, c := range changes.Records {
			if c.Kind == w.key.Kind && c.ID == w.key.ID {
				w.add(Events{Records: []Event{c}})
			}
		}
	}
}

// add keeps changes for the reader; the mutex is held.
func (w *watcher) add(changes Events) {
	select {
	case unread := <-w.c:
		all := append(unread.Records, changes.Records...)
		left := max(len(all)-maxChanges, 0)
		changes.Records, changes.Lost = all[left:], changes.Lost || unread.Lost || left > 0
	default:
	}
	w.c <- changes
}

// tell passes on what this Service has stored.
func (fs *feeds) tell(r storage.Record) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f := fs.byOwner[r.Owner]; f != nil {
		if c, ok := f.see(r); ok {
			f.send(Events{Records: []Event{c}})
		}
	}
}

// tellDeleted wakes up those who wait for records that this Service has deleted.
func (fs *feeds) tellDeleted(keys []storage.Key) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, key := range keys {
		if f := fs.byOwner[key.Owner]; f != nil {
			for w := range f.watchers {
				if w.key == key {
					w.add(Events{})
				}
			}
		}
	}
}

// toldJobs creates the jobs of a Service, and tells the feeds of their records.
type toldJobs struct {
	storage.JobCreator
	feeds *feeds
}

func (j toldJobs) CreateWithJob(ctx context.Context, r storage.Record, slow bool) (storage.Record, error) {
	r, err := timed(ctx, func(ctx context.Context) (storage.Record, error) { return j.JobCreator.CreateWithJob(ctx, r, slow) })
	if err == nil {
		j.feeds.tell(r)
	}
	return r, err
}
