package motion

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// Config configures a Service. Store, Blobs and Queue are required, and Estimator unless Role is ServeOnly. All other fields are
// optional: zero selects the default, and so does a negative number unless the field says otherwise.
//
// A value that decorates a Store, Blobs, Queue, Estimator or Decoder, for example for metrics, needs a method
// Unwrap that returns the decorated value: the Service looks through it for optional interfaces.
//
// A call of storage that transfers no file may take 15 s. Then its context ends, and it fails with ErrUnavailable.
type Config struct {
	Role Role // what this process does; default ServeAndWork

	Store storage.Store // records, and the answers to requests if it is a storage.AnswerKeeper
	Blobs storage.Blobs // uploaded media and drawn files
	Queue storage.Queue // the work; if it is, or wraps, a storage.JobCreator, it must create in Store

	Estimator inference.Estimator // finds the keypoints; not needed with ServeOnly

	Decoder inference.Decoder // decodes movies; without one, extraction from movies fails
	Encoder draw.Encoder      // writes drawn movies; without one, drawing movies fails
	Fonts   []draw.Font       // of labels, for characters other than Latin, Greek and Cyrillic

	Limits Limits

	// Clean is the cleaning of requests with a zero FindOptions.Clean; zero: none. clean.Default() suits most recordings.
	Clean clean.Options

	// Workers is how many jobs Run works on at a time; default 1. An extraction keeps all cores busy by itself. While all
	// of these jobs are about movies, one more runs that is not, such as an analysis.
	Workers int
	// Probes is how many uploaded files are examined at a time, for which a Decoder may run a program, and how many are decoded at
	// a time for UseStills, and how many records are corrected at a time; default 2 of each. Others wait, and owners
	// take turns; after 18 s they fail with ErrUnavailable.
	Probes int
	// MaxAttempts is how often a job is started before its record fails; default 3. Shutdown and storage outages do not count as attempts.
	MaxAttempts int
	// DrainTimeout is how long Run lets running jobs go on after its context has ended, before they are
	// interrupted and handed back; default 20 s. Jobs that ignore that are handed back one second later.
	DrainTimeout time.Duration

	Retention Retention // how long records are kept; the zero value keeps them for ever
	// OrphanAge is the age from which files without a record are removed, 0 or more; default 0: they stay. With
	// it, no other Store may have records of files in Blobs: their files would be removed.
	OrphanAge time.Duration
	// UpkeepEvery is how often Run calls Upkeep, which lists all files; default 1 hour, -1 never. If many
	// processes Run, one or two of them are enough for it. Run finishes interrupted deletions in any case.
	UpkeepEvery time.Duration

	// WorkDir is the folder for work files, one private folder a job. It must belong to this Service alone: Run
	// removes what a crash has left there. Default: new folders in the system's temporary folder.
	WorkDir string

	// Progress is called after each frame with the number of frames done and in all, 0 if unknown, from the
	// goroutines that work on jobs. State.Progress is the progress of a record, in every process.
	Progress func(record storage.Key, done, total int)
	// Finished is called for every record that this process has brought to SUCCESS or FAILURE, after that is
	// stored, from the goroutines that work on jobs. It has to return soon. A panic is logged.
	Finished func(Finished)
	// Logger gets internal errors; default slog.Default().
	Logger *slog.Logger
}

// Finished is a record that has reached SUCCESS or FAILURE.
type Finished struct {
	Record    storage.Key
	Status    storage.Status
	Failure   string // why, when Status is storage.Failure
	UpdatedAt time.Time
}

// Limits bound what the service accepts. A zero field means the default, -1 no
// limit. Those of pixels and frames are strict: exactly the limit is too much.
type Limits struct {
	ImagePixels int           // width × height of an image; default 12,200,000
	ImageTime   time.Duration // for decoding an image, without what is done with it; default 10 s
	FramePixels int           // width × height of a movie's frame; default 2,100,000
	Frames      int           // frames of a movie; default 1800
	UploadBytes int64         // bytes of an uploaded file at most; default 500,000,000; not for Extractor
}

func (l Limits) withDefaults() Limits {
	l.ImagePixels = orDefault(l.ImagePixels, 12_200_000)
	l.ImageTime = orDefault(l.ImageTime, 10*time.Second)
	l.FramePixels = orDefault(l.FramePixels, 2_100_000)
	l.Frames = orDefault(l.Frames, 1800)
	l.UploadBytes = orDefault(l.UploadBytes, 500_000_000)
	return l
}

// orDefault returns the default for 0, and 0, which means no limit to the packages below, for a negative number.
func orDefault[T int | int64 | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }

// Retention is how long records are kept after their last change: results after they were finished, media after they were
// registered, uploaded or renamed. 0 keeps them for ever; a negative time is ErrInvalid. See Service.Expire.
type Retention struct {
	Movies, Images, Keypoints, Comparisons, Analyses, Drawings time.Duration
}

func (r Retention) byKind() map[storage.Kind]time.Duration {
	return map[storage.Kind]time.Duration{
		storage.Movies: r.Movies, storage.Images: r.Images, storage.Keypoints: r.Keypoints,
		storage.Comparisons: r.Comparisons, storage.Analyses: r.Analyses, storage.Drawings: r.Drawings,
	}
}

// check returns ErrInvalid for a negative time.
func (r Retention) check() error {
	for kind, d := range r.byKind() {
		if d < 0 {
			return fmt.Errorf("%w: records cannot be kept for %v: Retention of %s", storage.ErrInvalid, d, kind)
		}
	}
	return nil
}

// Role is what a process does with records: take them in, work on them, or both.
type Role string

// The roles. When serving and working run in separate processes, they must share Store, Blobs
// and Queue, and the Queue must be a storage.JobCreator, such as that of storage/postgres.
const (
	ServeAndWork Role = ""      // the default
	ServeOnly    Role = "serve" // creates records and queues work; Run returns an error
	WorkOnly     Role = "work"  // Run works; methods that create records or take files return an error
)

func (c Config) withDefaults() (Config, error) {
	switch {
	case c.Store == nil:
		return c, errors.New("motion: Config.Store is missing: use storage/memory, storage/sqlite or your own")
	case c.Blobs == nil:
		return c, errors.New("motion: Config.Blobs is missing: use storage/memory, storage/file or your own")
	case c.Queue == nil:
		return c, errors.New("motion: Config.Queue is missing: use storage/memory or your own")
	case c.Estimator == nil && c.Role != ServeOnly:
		return c, errors.New("motion: Config.Estimator is missing: use inference/pose or your own")
	}
	if err := c.Retention.check(); err != nil {
		return c, fmt.Errorf("motion: Config.Retention: %w", err)
	}
	if err := c.Clean.Validate(); err != nil {
		return c, fmt.Errorf("motion: Config.Clean: %w", err)
	}
	if c.OrphanAge < 0 {
		return c, fmt.Errorf("motion: Config.OrphanAge: %w: %v", storage.ErrInvalid, c.OrphanAge)
	}
	c.Limits = c.Limits.withDefaults()
	c.Workers = cmp.Or(max(c.Workers, 0), 1)
	c.Probes = cmp.Or(max(c.Probes, 0), 2)
	c.MaxAttempts = cmp.Or(max(c.MaxAttempts, 0), 3)
	c.DrainTimeout = cmp.Or(max(c.DrainTimeout, 0), 20*time.Second)
	c.UpkeepEvery = cmp.Or(c.UpkeepEvery, time.Hour)
	c.Logger = cmp.Or(c.Logger, slog.Default())
	return c, nil
}
