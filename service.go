package motion

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/upkeep"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

// Service keeps media and results as records, and works on them. Its methods may be called from many goroutines at once.
//
// Every record belongs to an owner, any non-empty name the host gives its clients; a record of another owner is ErrNotFound.
type Service struct {
	cfg     Config
	jobs    storage.JobCreator // what cfg.Queue is or wraps; else nil
	worker  *worker.Worker
	keeper  *upkeep.Keeper
	ready   *upkeep.Readiness
	feeds   *feeds
	running extraction.Running
	turn    *fair.Places // of the large pictures
	probes  *fair.Places // for uploaded files to be examined
	looks   *fair.Places // for pictures to be taken out of them
	answers storage.AnswerKeeper

	corrections corrections
}

// Limits returns the limits in force; 0 means no limit.
func (s *Service) Limits() Limits { return s.cfg.Limits }

// Fonts returns the fonts of the configuration.
func (s *Service) Fonts() []draw.Font { return s.cfg.Fonts }

// Answers keeps the answers to requests that clients may repeat: Config.Store if it is, or wraps, a storage.AnswerKeeper, such as
// those of storage/sqlite and storage/postgres; else at most 64 MiB in the memory of this process.
func (s *Service) Answers() storage.AnswerKeeper { return s.answers }

// Watch reports the changes to an owner's records of the kinds that have a status, from now on, whichever
// process makes them. Those of this Service arrive at once, others within a second. Deletions are not reported.
// The channel is closed when ctx ends, or after an error. A reader may be slow: see Events.Lost. All callers
// for an owner share one query a second to the Store, or four while somebody Waits for one of the records.
func (s *Service) Watch(ctx context.Context, owner string) (<-chan Events, error) {
	return s.feeds.watch(ctx, storage.Key{Owner: owner})
}

const workPrefix = "motion-job-"

func (s *Service) workFolder() (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp(s.cfg.WorkDir, workPrefix); err != nil {
		return "", nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	return dir, func() {
		if err := os.RemoveAll(dir); err != nil {
			s.cfg.Logger.Error("work folder not removed", "folder", dir, "error", err)
		}
	}, nil
}

// localBlobs are the Blobs of a Service. Decoders and encoders look for the method File of
// what they read, so blobs that wrap a local file have it.
type localBlobs struct{ storage.Blobs }

func (b localBlobs) Unwrap() storage.Blobs { return b.Blobs }

func (b localBlobs) Delete(ctx context.Context, key string) error {
	return timedCall(ctx, func(ctx context.Context) error { return b.Blobs.Delete(ctx, key) })
}

func (b localBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	reading, cancel := context.WithCancel(ctx) // which the blob may need until ctx ends
	silence := time.AfterFunc(storageTime, cancel)
	blob, err := b.Blobs.Open(reading, key)
	if err = late(ctx, reading, err); err == nil && !silence.Stop() {
		err = errors.Join(late(ctx, reading, reading.Err()), blob.Close())
	}
	if err != nil {
		cancel()
		return nil, err
	}
	if local, ok := storage.As[storage.Local](blob); ok {
		return localBlob{blob, local}, nil
	}
	return blob, nil
}

type localBlob struct {
	storage.Blob
	storage.Local
}

func (b localBlob) Unwrap() storage.Blob { return b.Blob }

// corrections are those under way. Those of one record take turns, and whoever has the turn makes all that wait: a
// correction of a long movie takes about as long as sixty of them. Few records are corrected at a time.
type corrections struct {
	records *fair.Places // a turn for each record
	work    *fair.Places // of clients
	mu      sync.Mutex
	waiting map[storage.Key][]*correction
}

// correction is a call of CorrectKeypoints.
type correction struct {
	edits []correct.Edit
	taken bool // by whoever has the turn: the rest is the outcome, once the turn is over
	done  storage.Record
	err   error
}
