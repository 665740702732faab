package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// limits are wider than those of a service, which takes files from strangers: pictures of 100
// megapixels, movies in 8K, and of any length.
var limits = motion.Limits{ImagePixels: 100_000_000, FramePixels: 34_000_000, Frames: -1}

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
	seq      *keypoint.Sequence // nil: not read yet
	progress func(done, total int)
	made     int // how many results were made
}

// output is a result to make of a file and its keypoints.
type output struct {
	name     string // of the file, below the folder of the results
	settings []any
	write    func(ctx context.Context, path string) (note string, err error)
}

// row is what became of a file.
type row struct {
	in     input
	record record
	notes  []string
	status string
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
			rows[i] = row{in: in, status: "not begun"}
			if ctx.Err() != nil {
				return nil
			}
			progress, end := show.begin(in.name)
			defer end()
			j := &job{batch: b, in: in, progress: progress}
			notes, err := j.do(ctx, plan)
			rows[i].record, rows[i].notes = j.record, notes
			var all errAll
			if errors.As(err, &all) {
				stop(all)
			}
			switch {
			case err == nil && j.made == 0:
				rows[i].status = "kept"
			case err == nil:
				rows[i].status = "made"
			case ctx.Err() != nil:
				rows[i].status = "not finished"
			default:
				rows[i].status = "failed"
				show.fail(in.path, err)
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
	if err := printTable(b.stdout, rows); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: run it again to continue")
	}
	for _, r := range rows {
		if r.status == "failed" {
			return errSome
		}
	}
	return nil
}

// do makes what is missing of the results of a file.
func (j *job) do(ctx context.Context, plan func(j *job) ([]output, error)) (notes []string, err error) {
	f, err := os.Open(j.in.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	format, err := inference.FormatOf(f)
	if err != nil {
		return nil, err
	}
	j.still, j.record = format != "", j.store.load(j.in.name, info)
	keypoints, err := j.keypoints(ctx, f)
	if err != nil {
		return nil, err
	}
	outputs, err := plan(j)
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		r, err := j.make(o.name, key(keypoints.Key, o.settings), func(path string) (string, error) { return o.write(ctx, path) })
		if err != nil {
			return nil, err
		}
		if r.Note != "" {
			notes = append(notes, r.Note)
		}
	}
	return notes, nil
}

// make makes a result unless it is there already.
func (j *job) make(name, key string, write func(path string) (note string, err error)) (result, error) {
	if r, ok := j.store.made(name, j.record); ok && r.Key == key {
		return r, nil
	}
	r, path := result{Key: key}, filepath.Join(j.store.dir, name)
	there, err := os.Stat(path)
	if err == nil && slices.ContainsFunc(j.inputs, func(in os.FileInfo) bool { return os.SameFile(in, there) }) {
		return r, fmt.Errorf("the result %s would replace one of the files that are read: choose another folder with --out", path)
	}
	r.Size, err = j.store.put(path, func(path string) (err error) {
		r.Note, err = write(path)
		return err
	})
	if err == nil {
		j.made++
		j.record.Results[name] = r
		err = j.store.save(j.in.name, j.record)
	}
	return r, err
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
	return j.make(name, want, func(path string) (string, error) {
		estimator, err := j.finder()
		if err != nil {
			return "", err
		}
		parts, err := j.parts()
		if err != nil {
			return "", err
		}
		x := j.options.found.extractor()
		x.Estimator, x.Decoder, x.Limits, x.Progress = estimator, parts.Decoder, limits, j.progress
		x.Quality = func(r quality.Report) { j.record.Quality = &r }
		seq, err := x.Read(ctx, f)
		if err != nil {
			return "", err
		}
		j.record.Frames, j.record.Seconds = seq.Len(), 0
		if n := len(seq.Times); n > 0 {
			j.record.Seconds = seq.Times[n-1]
		}
		parts17 := 0
		for i := range seq.Frames {
			parts17 += (seq.Frames[i].Present() & keypoint.Body).Len()
		}
		j.record.Found = float64(parts17) / float64(max(keypoint.NumBody*seq.Len(), 1))
		return "", writeJSON(path, seq)
	})
}

// sequence returns the keypoints of the file, always as they were written, so that results do not depend
// on when they are made.
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

// printTable prints what became of the files, and in a last column what was found, if anything was.
func printTable(w io.Writer, rows []row) error {
	noted := slices.ContainsFunc(rows, func(r row) bool { return len(r.notes) > 0 })
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(notes string, cells ...string) {
		if noted {
			cells = append(cells, notes)
		}
		for i := range cells {
			cells[i] = setup.Visible(cells[i])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	line("RESULT", "FILE", "FRAMES", "SECONDS", "FOUND", "QUALITY", "STATUS")
	for _, r := range rows {
		frames, seconds, found, verdict := "-", "-", "-", "-"
		if r.record.Frames > 0 {
			frames, found = fmt.Sprint(r.record.Frames), fmt.Sprintf("%.0f %%", 100*r.record.Found)
		}
		if r.record.Seconds > 0 {
			seconds = fmt.Sprintf("%.1f", r.record.Seconds)
		}
		if r.record.Quality != nil {
			verdict = string(r.record.Quality.Verdict)
		}
		line(strings.Join(r.notes, ", "), r.in.name, frames, seconds, found, verdict, r.status)
	}
	t.Flush() // a bytes.Buffer has no errors
	for l := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(l, " \n")); err != nil {
			return err
		}
	}
	return nil
}
