package storagetest

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/testkit/faults"
	"github.com/bodymotion/motion/storage"
)

// Fault is what happens to a call.
type Fault int

// The faults. A lost connection is Fail or Lose: its caller cannot know which.
const (
	None  Fault = iota
	Fail        // the call is not made, and returns an error
	Lose        // the call is made, and returns an error instead of its answer
	Delay       // the call is made after a pause
	Hang        // the call is not made, and returns when its context ends
)

func (f Fault) String() string { return faults.Fault(f).String() }

// Faults makes faults in the calls of what it wraps: a host's own drivers, or the ones of a Service under test.
//
//	faults := &storagetest.Faults{Choose: storagetest.Chance(seed, 0.02, storagetest.Fail, storagetest.Lose)}
//	service, err := motion.New(motion.Config{Store: faults.Store(store), Blobs: faults.Blobs(blobs), …})
//
// What it wraps keeps its optional interfaces, see storage.As. The calls of a storage.AnswerKeeper and of a storage.JobCreator
// have faults too; those of the others have none. The fields are not to be changed once something is wrapped.
type Faults struct {
	// Choose returns the fault of a call. It runs in one goroutine at a time. nil: no call has a fault.
	Choose func(Call) Fault

	Err   error         // of calls that fail or lose their answer; default: one that wraps storage.ErrUnavailable
	Pause time.Duration // of Delay; default 100 ms

	once  sync.Once
	makes *faults.Faults
}

// Call is a call that may have a fault.
type Call struct {
	// Name is that of the interface and method: Store.Create, Answers.ReserveAnswer, Blobs.Put, Queue.Push. Blob.Read is a
	// read of an open blob. Queue.Handle is a call of the handler by Queue.Work, which gets the error; its Hang is a Delay.
	Name string
	N    int // how many calls of that name there were, with this one
	All  int // how many calls there were, with this one
}

// Nth chooses a fault for the n-th call, from 1.
func Nth(n int, fault Fault) func(Call) Fault {
	return func(c Call) Fault {
		if c.All == n {
			return fault
		}
		return None
	}
}

// Chance chooses one of the faults for a part of the calls, from 0 to 1, at random. Equal seeds choose the same.
func Chance(seed uint64, part float64, faults ...Fault) func(Call) Fault {
	random := rand.New(rand.NewPCG(seed, 0))
	return func(Call) Fault {
		if random.Float64() >= part || len(faults) == 0 {
			return None
		}
		return faults[random.IntN(len(faults))]
	}
}

// Store wraps a Store.
func (f *Faults) Store(s storage.Store) storage.Store { return f.made().Store(s) }

// Blobs wraps Blobs.
func (f *Faults) Blobs(b storage.Blobs) storage.Blobs { return f.made().Blobs(b) }

// Queue wraps a Queue.
func (f *Faults) Queue(q storage.Queue) storage.Queue { return f.made().Queue(q) }

// made returns what makes the faults: one for all that is wrapped, which counts its calls.
func (f *Faults) made() *faults.Faults {
	f.once.Do(func() {
		f.makes = &faults.Faults{Err: f.Err, Pause: f.Pause}
		if f.Choose != nil {
			f.makes.Choose = func(c faults.Call) faults.Fault { return faults.Fault(f.Choose(Call(c))) }
		}
	})
	return f.makes
}
