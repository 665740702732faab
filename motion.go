// Package motion finds the 17 body keypoints of a person in pictures and movies, and heels and toes
// if asked, measures and compares them, and draws the result:
//
//	est, err := pose.Balanced(pose.Options{})
//	if err != nil {
//		return err
//	}
//	defer est.Close()
//	seq, judged, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(ctx, "squats.mp4") // cleaned keypoints
//	if err != nil {
//		return err
//	}
//	shown, err := study.Run(seq, judged) // shown.Summary.Title: With care: 3 squats, left knee flexion 101° ± 13
//
// [Extractor] finds, study.Run measures, and [Annotator] draws onto the movie. The single steps are packages of their own:
//
//   - [github.com/bodymotion/motion/keypoint]: parts, frames and sequences
//   - [github.com/bodymotion/motion/inference]: pixels to keypoints, with its drivers below
//   - [github.com/bodymotion/motion/analyze]: rules to values; its package [github.com/bodymotion/motion/analyze/study] says what a recording shows
//   - [github.com/bodymotion/motion/compare]: how far one recording is from another
//   - [github.com/bodymotion/motion/draw]: rules to pixels
//   - [github.com/bodymotion/motion/storage]: records, files and queues, with its drivers below
//
// [Service] keeps records that belong to clients, queues the work and stores the files; package
// [github.com/bodymotion/motion/httpapi] serves it over HTTP. Some packages are modules, for go get: inference/onnx,
// inference/onnxruntime/offline and inference/blazepose/heavy, storage/postgres and storage/s3, httpapi/live, httpapi/viewer,
// httpapi/webhook, httpapi/jwtauth and httpapi/otelmetrics, and for tests inference/inferencetest and storage/storagetest.
//
// # Errors
//
// Errors have a kind; test it with errors.Is ([ErrInvalid], [ErrNotFound], [ErrConflict], [ErrTooLarge],
// [ErrUnavailable]); a [RequestError] says which field is wrong.
//
// # Progress
//
// [Extractor.Progress] and [Config.Progress] are called after each frame; [State.Progress] is
// the progress of a record, whichever process works on it. [Service.GetFound] returns the keypoints of a movie while they are being found.
package motion

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/upkeep"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// New returns a Service, or an error that names the field of Config that is missing or wrong. It starts nothing: Run does the work.
// A forgotten Run is logged when a record has waited for 5 seconds, unless other processes share the queue.
func New(cfg Config) (*Service, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	jobs, shared := storage.As[storage.JobCreator](cfg.Queue)
	switch {
	case shared && !jobs.CreatesIn(cfg.Store): // two processes could work on the same record
		return nil, errors.New("motion: Config.Queue creates jobs in another Store than Config.Store: use the Store that the Queue was made for; a Store that decorates it needs a method Unwrap() storage.Store")
	case cfg.Role != ServeAndWork && cfg.Role != ServeOnly && cfg.Role != WorkOnly:
		return nil, fmt.Errorf("motion: Config.Role is %q, want %q, %q or nothing for both", cfg.Role, ServeOnly, WorkOnly)
	case cfg.Role != ServeAndWork && !shared:
		return nil, fmt.Errorf("motion: Config.Role is %q, but Config.Queue is not shared with other processes: use storage/postgres", cfg.Role)
	}
	s := &Service{turn: fair.New(1), probes: fair.New(cfg.Probes), looks: fair.New(cfg.Probes), answers: new(driver.Answers)}
	if k, ok := storage.As[storage.AnswerKeeper](cfg.Store); ok {
		s.answers = timedAnswers{k}
	}
	s.corrections = corrections{records: fair.Each(1), work: fair.New(cfg.Probes), waiting: map[storage.Key][]*correction{}}
	s.feeds = &feeds{byOwner: map[string]*feed{}}
	cfg.Store, cfg.Queue, cfg.Blobs = timedStore{cfg.Store, s.feeds}, timedQueue{cfg.Queue}, localBlobs{cfg.Blobs}
	s.feeds.store = cfg.Store
	if jobs != nil {
		s.jobs = toldJobs{jobs, s.feeds}
	}
	s.cfg = cfg
	s.keeper = &upkeep.Keeper{Store: cfg.Store, Blobs: cfg.Blobs, Queue: cfg.Queue, Logger: cfg.Logger, Forget: s.answers.ForgetAnswers}
	s.keeper.Release = func(ctx context.Context, subject storage.Key) error {
		return s.changeAll(ctx, subject, ExtractionUpdate{RecordingUpdate: RecordingUpdate{SubjectID: new(int64)}})
	}
	s.ready = &upkeep.Readiness{Store: cfg.Store, Blobs: cfg.Blobs, Logger: cfg.Logger}
	s.ready.Movies = func(ctx context.Context) error { return inference.Check(ctx, cfg.Decoder) }
	work := worker.Config{
		Store: cfg.Store, Queue: cfg.Queue, Logger: cfg.Logger, Discard: s.keeper.DeleteFiles, Remove: s.keeper.Delete,
		Works: map[storage.Kind]worker.Work{
			storage.Keypoints: s.workExtract, storage.Comparisons: s.workCompare,
			storage.Analyses: s.workAnalyze, storage.Drawings: s.workDraw,
		},
		Workers: cfg.Workers, MaxAttempts: cfg.MaxAttempts, DrainTimeout: cfg.DrainTimeout, Local: s.jobs == nil,
		Progress: cfg.Progress,
	}
	if cfg.Finished != nil {
		work.Finished = func(r storage.Record) { cfg.Finished(Finished{r.Key, r.Status, r.Failure, r.UpdatedAt}) }
	}
	s.worker = worker.New(work)
	s.keeper.Cancel = s.worker.Cancel
	return s, nil
}

// Run works on the queued jobs until ctx ends, lets those that are running finish for at most Config.DrainTimeout, interrupts and
// hands back the others, and returns nil. It also calls Upkeep and logs its errors. With ServeOnly, Run returns an error at once.
//
// A job that goes on for a second after it was interrupted, because an Estimator, Decoder or Encoder ignores
// its context, is handed back too, and Run returns an error: the process should end soon.
//
// Run first queues again what a crash has left unfinished. So only one process may Run for a Store, unless
// Queue is, or wraps, a storage.JobCreator, which hands out unfinished jobs of other processes by itself.
func (s *Service) Run(ctx context.Context) error {
	if s.cfg.Role == ServeOnly {
		return errors.New("motion: Run of a Service whose Config.Role is ServeOnly")
	}
	if err := s.sweep(); err != nil {
		return err
	}
	if err := inference.Check(ctx, s.cfg.Decoder); err != nil {
		s.cfg.Logger.Error("movies cannot be decoded", "error", err)
	}
	if s.jobs == nil {
		if err := s.worker.Resume(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("resume unfinished records: %w", err)
		}
	}
	var upkeep sync.WaitGroup
	defer upkeep.Wait()
	keeping, rest := context.WithCancel(ctx)
	defer rest()
	upkeep.Go(func() { s.upkeep(keeping) })
	return s.worker.Run(ctx)
}

// sweep removes the work files that a crash has left.
func (s *Service) sweep() error {
	if s.cfg.WorkDir == "" {
		return nil
	}
	if err := os.MkdirAll(s.cfg.WorkDir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.cfg.WorkDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workPrefix) {
			if err := os.RemoveAll(filepath.Join(s.cfg.WorkDir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Wait returns when the record has reached SUCCESS or FAILURE, or when ctx ends,
// and then with ctx's error. Media have no status: waiting for them is ErrInvalid.
func (s *Service) Wait(ctx context.Context, owner string, kind storage.Kind, id int64) (storage.Status, error) {
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	if status, err := s.finalStatus(ctx, key); status != "" || err != nil {
		return status, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := s.feeds.watch(ctx, key)
	if err != nil {
		return "", err
	}
	reread := time.NewTicker(rereadEach) // other processes may delete the record
	defer reread.Stop()
	for {
		if status, err := s.finalStatus(ctx, key); status != "" || err != nil {
			return status, err
		}
		select {
		case <-ctx.Done():
		case <-reread.C:
		case c := <-changes:
			if c.Err != nil {
				return "", c.Err
			}
		}
	}
}

// GetStatus returns the status of a record, "" of media, or ErrNotFound. It reads no result.
func (s *Service) GetStatus(ctx context.Context, owner string, kind storage.Kind, id int64) (storage.Status, error) {
	r, err := s.cfg.Store.Head(ctx, storage.Key{Owner: owner, Kind: kind, ID: id})
	return r.Status, err
}

// finalStatus returns the status of a record, "" while it is not final.
func (s *Service) finalStatus(ctx context.Context, key storage.Key) (storage.Status, error) {
	switch status, err := s.GetStatus(ctx, key.Owner, key.Kind, key.ID); {
	case err != nil:
		return "", err
	case status == "":
		return "", fmt.Errorf("%w: %s have no status to wait for", ErrInvalid, key.Kind)
	case status.Final():
		return status, nil
	}
	return "", nil
}
