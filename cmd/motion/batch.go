package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// limits are wider than those of a service, which takes files from strangers: pictures of 100 megapixels, and movies of any length. Larger
// frames are made smaller.
var limits = motion.Limits{ImagePixels: 100_000_000, FramePixels: 2_100_000, Frames: -1}

// errSome says that files have failed, each with a line of its own: nothing is left to print.
var errSome = flag.ErrHelp

// errAll is an error that is no file's fault and would befall all of them.
type errAll struct{ error }

// batch works on files.
type batch struct {
	*options
	store          *store
	stdout, stderr io.Writer
	jobs           int
	// The programs for movies, and the networks, are made when they are first needed.
	parts  func() (*setup.Parts, error)
	finder func() (inference.Estimator, error)
	used   io.Closer // the networks, if they were loaded
	inputs []os.FileInfo
}

// newBatch opens the folder of the results for at most so many files.
func newBatch(ctx context.Context, o *options, files int, stdout, stderr io.Writer) (*batch, error) {
	b := &batch{options: o, stdout: stdout, stderr: stderr, jobs: o.jobs}
	if b.jobs == 0 {
		b.jobs = runtime.GOMAXPROCS(0)
	}
	b.jobs = max(min(b.jobs, files), 1)
	var err error
	if b.store, err = openStore(o.out); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	opt := setup.Options{
		Setting: o.found.Setting, FFmpeg: o.ffmpeg, TempDir: b.store.own("work"), Blind: true,
		// The search looks at two frames of a movie at once.
		Threads: min(max(runtime.GOMAXPROCS(0)/(2*b.jobs), 1), 4), Say: func(string, ...any) {},
		Loads: func(line string) { fmt.Fprintln(stderr, line) },
	}
	if onTerminal() {
		opt.Say = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	}
	b.parts = sync.OnceValues(func() (*setup.Parts, error) {
		parts, err := setup.New(ctx, opt)
		if err != nil {
			return nil, errAll{err}
		}
		return parts, nil
	})
	b.finder = sync.OnceValues(func() (inference.Estimator, error) {
		parts, err := b.parts()
		if err != nil {
			return nil, err
		}
		b.used = parts
		if err := parts.Load(ctx, opt); err != nil {
			return nil, errAll{err}
		}
		return parts.Estimator, nil
	})
	return b, nil
}

// Close frees the networks and the folder. No file may be worked on.
func (b *batch) Close() error {
	var err error
	if b.used != nil {
		err = b.used.Close()
	}
	return errors.Join(err, b.store.Close())
}

// job is the work on one file.
type job struct {
	*batch
	in       input
	still    bool // a picture, not a movie
	record   record
	seq      *keypoint.Sequence  // nil: not read yet
	studied  *study.Study        // nil: not yet
	passed   map[int]image.Image // the report's pictures, by frame, that are known
	together bool                // drawing and report are made from one decoding of the movie
	progress func(done, total int)
	made     int      // how many results were made
	results  []string // names of those that were made, now or before
}

// output is a result to make of a file and its keypoints.
type output struct {
	name     string // of the file, below the folder of the results
	settings []any
	write    func(ctx context.Context, path string) (summary, error)
}

// summary is what a result shows, for tables.
type summary struct {
	Note   string  `json:",omitempty"` // for people
	Values []value `json:",omitempty"`
}

// run makes the results that plan asks for of each file, many files at a time, and prints a table. It
// returns errSome if a file failed, and ends early with an errAll.
func (b *batch) run(ctx context.Context, inputs []input, plan func(j *job) ([]output, error)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	show := newDisplay(b.stderr, onTerminal(), len(inputs))
	rows := make([]row, len(inputs))
	for _, in := range inputs {
		if info, err := os.Stat(in.path); err == nil {
			b.inputs = append(b.inputs, info)
		}
	}
	var group errgroup.Group
	group.SetLimit(b.jobs)
	for i, in := range inputs {
		group.Go(func() error {
			rows[i] = row{File: in.name, Status: "not begun"}
			if ctx.Err() != nil {
				return nil
			}
			progress, end := show.begin(in.name)
			defer end()
			j := &job{batch: b, in: in, progress: progress}
			err := j.do(ctx, plan)
			rows[i] = j.row()
			var all errAll
			if errors.As(err, &all) {
				stop(all)
			}
			switch {
			case err == nil:
				rows[i].Status, rows[i].Kept = "done", j.made == 0
			case ctx.Err() != nil:
				rows[i].Status = "not finished"
			default:
				rows[i].Status, rows[i].Error = "failed", oneLine(in.path, err)
				show.fail(in.path, rows[i].Error)
			}
			return nil
		})
	}
	group.Wait()
	show.close()
	var all errAll
	if errors.As(context.Cause(ctx), &all) {
		return all
	}
	print := printTable
	switch {
	case b.json:
		print = printRows
	case b.command == "motion":
		if err := b.printReports(rows); err != nil {
			return err
		}
	}
	if err := print(b.stdout, rows); err != nil {
		return err
	}
	if err := b.writeTables(b.command, rows); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: run it again to continue")
	}
	for _, r := range rows {
		if r.Status == "failed" {
			return errSome
		}
	}
	return nil
}

// do makes what is missing of the results of a file.
func (j *job) do(ctx context.Context, plan func(j *job) ([]output, error)) error {
	f, info, err := openFile(j.in.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if !j.in.given() {
		format, err := inference.FormatOf(f)
		if err != nil {
			return err
		}
		j.still = format != ""
	}
	j.record = j.store.load(j.in.name, info)
	keypoints, err := j.keypoints(ctx, f)
	if err != nil {
		return err
	}
	j.record = j.store.load(j.in.name, info) // as it was written, so that results do not depend on when they are made
	if j.in.given() {
		j.still = j.record.Frames == 1
	}
	outputs, err := plan(j)
	if err != nil {
		return err
	}
	for _, o := range outputs { // one that fails does not take the others with it
		_, failed := j.make(o.name, key(keypoints.Key, o.settings), func(path string) (summary, error) { return o.write(ctx, path) })
		err = join(err, failed)
		var all errAll
		if ctx.Err() != nil || errors.As(failed, &all) {
			break
		}
	}
	return err
}

// make makes a result unless it is there already.
func (j *job) make(name, key string, write func(path string) (summary, error)) (result, error) {
	if r, ok := j.store.made(name, j.record); ok && r.Key == key {
		j.results = append(j.results, name)
		return r, nil
	}
	r, path := result{Key: key}, filepath.Join(j.store.dir, name)
	err := j.keepsInputs(path)
	if err == nil {
		r.Size, err = j.store.put(path, func(path string) (err error) {
			r.summary, err = write(path)
			return err
		})
	}
	if err == nil {
		j.made++
		j.results = append(j.results, name)
		j.record.Results[name] = r
		err = j.store.save(j.in.name, j.record)
	}
	return r, err
}

// keepsInputs reports a result that would replace one of the files that are read.
func (b *batch) keepsInputs(path string) error {
	there, err := os.Stat(path)
	if err == nil && slices.ContainsFunc(b.inputs, func(in os.FileInfo) bool { return os.SameFile(in, there) }) {
		return fmt.Errorf("the result %s would replace one of the files that are read: choose another folder with --out", path)
	}
	return nil
}

// row returns what the tables say of the file, without its status.
func (j *job) row() row {
	r := row{File: j.in.name, Frames: j.record.Frames, Seconds: j.record.Seconds, Found: j.record.Found, Quality: j.record.Quality.Verdict, Files: j.results}
	var notes []string
	for _, name := range j.results {
		of := j.record.Results[name]
		r.Values = append(r.Values, of.Values...)
		if of.Note != "" {
			notes = append(notes, of.Note)
		}
	}
	r.Result = strings.ReplaceAll(strings.Join(notes, ", "), "., ", ". ") // a note may be a sentence
	return r
}

// name returns the name of a result of the file.
func (j *job) name(kind string) string { return j.in.name + "." + kind }

// keypoints finds the keypoints of a file, unless they are there already: those that were found with
// the same settings, or, if no settings are given, with any.
func (j *job) keypoints(ctx context.Context, f io.ReadSeeker) (result, error) {
	name := j.name("keypoints.json")
	want := key(j.options.found)
	if r, ok := j.store.made(name, j.record); ok && j.any {
		want = r.Key
	}
	return j.make(name, want, func(path string) (summary, error) {
		seq, err := j.find(ctx, f)
		if err != nil {
			return summary{}, err
		}
		j.record.Frames, j.record.Seconds, j.record.Found = amounts(seq)
		var found summary
		if at := yuv.Within(seq.Size, limits.FramePixels); at != seq.Size && !j.still && !j.in.given() {
			found.Note = fmt.Sprintf("%d × %d, measured at %d × %d", seq.Size.X, seq.Size.Y, at.X, at.Y)
		}
		found.Note = strings.TrimSpace(seq.Damage + " " + found.Note)
		return found, writeJSON(path, seq)
	})
}

// amounts returns how much there is of keypoints, for tables.
func amounts(seq keypoint.Sequence) (frames int, seconds, found float64) {
	if n := len(seq.Times); n > 0 {
		seconds = seq.Times[n-1]
	}
	parts17 := 0
	for i := range seq.Frames {
		parts17 += (seq.Frames[i].Present() & keypoint.Body).Len()
	}
	return seq.Len(), seconds, float64(parts17) / float64(max(keypoint.NumBody*seq.Len(), 1))
}

// find finds the keypoints in a picture or movie, or reads them.
func (j *job) find(ctx context.Context, f io.ReadSeeker) (seq keypoint.Sequence, err error) {
	if j.in.given() {
		seq, j.record.Quality, err = j.options.found.read(f)
		return seq, err
	}
	estimator, err := j.finder()
	if err != nil {
		return seq, err
	}
	parts, err := j.parts()
	if err != nil {
		return seq, err
	}
	x := j.options.found.extractor()
	x.Estimator, x.Decoder, x.Limits, x.Progress, x.Shrink = estimator, parts.Decoder, limits, j.progress, true
	seq, j.record.Quality, err = x.Read(ctx, f)
	return seq, err
}

// study examines the file once, for its analysis and its report.
func (j *job) study() (study.Study, error) {
	if j.studied == nil {
		seq, err := j.sequence()
		if err != nil {
			return study.Study{}, err
		}
		found, err := study.Run(seq, j.record.Quality)
		if err != nil {
			return found, err
		}
		j.studied = &found
	}
	return *j.studied, nil
}

// sequence returns the keypoints of the file, always as they were written, so that results do not depend on when they are made.
func (j *job) sequence() (keypoint.Sequence, error) {
	if j.seq == nil {
		seq, err := j.store.keypoints(j.name("keypoints.json"))
		if err != nil {
			return seq, err
		}
		j.seq = &seq
	}
	return *j.seq, nil
}
