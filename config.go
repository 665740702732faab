package motion

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// Config says what a Service is made of. Store, Blobs and Queue are required, and Estimator
// unless Role is ServeOnly; every other field has a working default, which 0 stands for,
// and less than 0 too where nothing else is said.
type Config struct {
	// Role is what this process does; default ServeAndWork.
	Role Role

	Store storage.Store // records
	Blobs storage.Blobs // uploaded media and drawn files
	Queue storage.Queue // work

	Estimator inference.Estimator // finds the keypoints; not needed with ServeOnly

	// Decoder decodes movies. Without one, extraction from a movie fails with "The
	// video format is not supported."
	Decoder inference.Decoder
	// Encoder writes drawn movies. Without one, drawing a movie fails with "There is
	// a problem on the service."
	Encoder draw.Encoder

	Limits Limits

	// Workers is how many jobs Run works on at a time; default 1. An extraction
	// keeps all cores busy by itself.
	Workers int
	// MaxAttempts is how often a job is started before its record fails; default 3. Not
	// counted is a start after which storage was unavailable, or the process had to end.
	MaxAttempts int
	// DrainTimeout is how long Run lets running jobs go on after its context has
	// ended, before they are interrupted and handed back; default 20 s.
	DrainTimeout time.Duration

	// Retention is how long records are kept; the zero value keeps them for ever.
	Retention Retention
	// OrphanAge is how old files of no record must be to be removed, 0 or more; default 0:
	// they stay.
	// With it, Store must be the one that belongs to Blobs: files of records that are in
	// another one are removed.
	OrphanAge time.Duration
	// UpkeepEvery is how often Run does Upkeep, which reads the list of all files; default 1
	// hour, -1 never. Where many processes Run, one or two of them are enough for it.
	UpkeepEvery time.Duration

	// WorkDir is the folder for work files, one private folder a job, which must
	// belong to this Service alone: what a crash has left there is removed by Run.
	// Default: new folders in the system's temporary folder.
	WorkDir string

	// Progress is told how far jobs are after each frame, from the goroutines that work on
	// them. State.Progress says it of a record, in every process.
	Progress func(Progress)
	// Finished is told of every record that this process has brought to SUCCESS or
	// FAILURE, when that is stored, from the goroutines that work on them. It has to
	// return soon.
	Finished func(Finished)
	// Logger gets what went wrong inside; default slog.Default().
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
	ImagePixels int   // width × height of an image; default 12,200,000
	FramePixels int   // width × height of a movie's frame; default 2,100,000
	Frames      int   // frames of a movie; default 1800
	UploadBytes int64 // bytes of an uploaded file at most; default 500,000,000; not for Extractor
}

func (l Limits) withDefaults() Limits {
	l.ImagePixels = orDefault(l.ImagePixels, 12_200_000)
	l.FramePixels = orDefault(l.FramePixels, 2_100_000)
	l.Frames = orDefault(l.Frames, 1800)
	l.UploadBytes = orDefault(l.UploadBytes, 500_000_000)
	return l
}

// orDefault returns the default for 0, and 0, which means no limit to the packages
// below, for a negative number.
func orDefault[T int | int64](v, def T) T {
	switch {
	case v == 0:
		return def
	case v < 0:
		return 0
	}
	return v
}

func (c Config) withDefaults() (Config, error) {
	switch {
	case c.Store == nil:
		return c, errors.New("motion: Config.Store is missing: use storage/memory, storage/sqlite or your own")
	case c.Blobs == nil:
		return c, errors.New("motion: Config.Blobs is missing: use storage/memory, storage/file or your own")
	case c.Queue == nil:
		return c, errors.New("motion: Config.Queue is missing: use storage/memory or your own")
	case c.Estimator == nil && c.Role != ServeOnly:
		return c, errors.New("motion: Config.Estimator is missing: use inference/movenet or your own")
	}
	if err := c.Retention.check(); err != nil {
		return c, fmt.Errorf("motion: Config.Retention: %w", err)
	}
	if c.OrphanAge < 0 {
		return c, fmt.Errorf("motion: Config.OrphanAge: %w: %v", ErrInvalid, c.OrphanAge)
	}
	if c.UpkeepEvery == 0 {
		c.UpkeepEvery = time.Hour
	}
	if err := c.Role.check(c.Store, c.Queue); err != nil {
		return c, err
	}
	c.Limits = c.Limits.withDefaults()
	if c.Workers <= 0 {
		c.Workers = 1
	}
	if c.MaxAttempts <= 0 {
		c.MaxAttempts = 3
	}
	if c.DrainTimeout <= 0 {
		c.DrainTimeout = 20 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c, nil
}
