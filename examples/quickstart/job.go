package main

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
)

const owner = "quickstart"

// job runs files through a Service and writes what comes out.
type job struct {
	service *motion.Service
	out     string
	meter   *meter
	close   func()
}

// result is what is known of one file.
type result struct {
	name       string
	extraction int64
	seq        keypoint.Sequence
	took       time.Duration // of the extraction
	files      []string
}

func newJob(ctx context.Context, parts *setup.Parts, work, out string) (*job, error) {
	blobs, err := file.Open(filepath.Join(work, "blobs"), file.Options{})
	if err != nil {
		return nil, err
	}
	j := &job{out: out, meter: newMeter(os.Stderr)}
	j.service, err = motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}), Blobs: blobs,
		Estimator: parts.Estimator, Decoder: parts.Decoder, Encoder: parts.Encoder,
		WorkDir: filepath.Join(work, "jobs"), Progress: j.meter.progress,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- j.service.Run(ctx) }()
	j.close = func() { cancel(); <-done; blobs.Close() }
	return j, nil
}

// file extracts, analyses and draws one file.
func (j *job) file(ctx context.Context, path, name string) (*result, error) {
	r := &result{name: name}
	kind, media, err := j.upload(ctx, path, name)
	if err != nil {
		return nil, err
	}
	req := motion.ExtractRequest{MovieID: media.ID}
	if kind == storage.Images {
		req = motion.ExtractRequest{ImageID: media.ID}
	}
	begin := time.Now()
	e, err := j.service.Extract(ctx, owner, req)
	if err != nil {
		return nil, err
	}
	j.meter.begin(name + ": keypoints")
	if err := j.wait(ctx, storage.Keypoints, e.ID, path); err != nil {
		return nil, err
	}
	r.took, r.extraction = time.Since(begin), e.ID
	if e, err = j.service.Extraction(ctx, owner, e.ID); err != nil {
		return nil, err
	}
	if r.seq, err = e.Sequence(); err != nil {
		return nil, err
	}
	if err := j.writeJSON(r, name+".keypoints.json", r.seq); err != nil {
		return nil, err
	}

	a, err := j.service.Analyze(ctx, owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: jointAngles(kind == storage.Movies)})
	if err != nil {
		return nil, err
	}
	if err := j.wait(ctx, storage.Analyses, a.ID, path); err != nil {
		return nil, err
	}
	if a, err = j.service.Analysis(ctx, owner, a.ID); err != nil {
		return nil, err
	}
	_, values := a.JSON()
	if err := j.writeJSON(r, name+".analysis.json", values); err != nil {
		return nil, err
	}
	return r, j.draw(ctx, r, motion.DrawRequest{KeypointID: e.ID}, name+".drawing", path)
}

// compare compares the second file with the first and draws the difference.
func (j *job) compare(ctx context.Context, source, target *result) error {
	name := source.name + "-" + target.name + ".comparison"
	c, err := j.service.Compare(ctx, owner, motion.CompareRequest{SourceID: source.extraction, TargetID: target.extraction})
	if err != nil {
		return err
	}
	if err := j.wait(ctx, storage.Comparisons, c.ID, name); err != nil {
		return err
	}
	if c, err = j.service.Comparison(ctx, owner, c.ID); err != nil {
		return err
	}
	difference, score := c.JSON()
	doc := struct {
		Difference json.RawMessage `json:"difference"`
		Score      json.RawMessage `json:"score"`
	}{difference, score}
	if err := j.writeJSON(source, name+".json", doc); err != nil {
		return err
	}
	return j.draw(ctx, source, motion.DrawRequest{ComparisonID: c.ID}, name, name)
}

func (j *job) draw(ctx context.Context, r *result, req motion.DrawRequest, name, about string) error {
	d, err := j.service.Draw(ctx, owner, req)
	if err != nil {
		return err
	}
	j.meter.begin(name)
	if err := j.wait(ctx, storage.Drawings, d.ID, about); err != nil {
		return err
	}
	if d, err = j.service.Drawing(ctx, owner, d.ID); err != nil {
		return err
	}
	blob, err := j.service.OpenDrawing(ctx, owner, d.ID)
	if err != nil {
		return err
	}
	defer blob.Close()
	return j.write(r, name+filepath.Ext(d.File), func(w io.Writer) error {
		_, err := io.Copy(w, blob)
		return err
	})
}

// upload registers the file as what its content shows and uploads it.
func (j *job) upload(ctx context.Context, path, name string) (storage.Kind, motion.Media, error) {
	fail := func(err error) (storage.Kind, motion.Media, error) {
		return "", motion.Media{}, fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", motion.Media{}, err
	}
	defer f.Close()
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if n == 0 {
		return fail(errors.New("the file is empty"))
	}
	if err != nil && err != io.ErrUnexpectedEOF {
		return fail(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fail(err)
	}
	hash := md5.New()
	if _, err := io.Copy(hash, f); err != nil {
		return fail(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fail(err)
	}
	kind, register := storage.Movies, j.service.RegisterMovie
	if inference.ImageFormat(head[:n]) != "" {
		kind, register = storage.Images, j.service.RegisterImage
	}
	m, err := register(ctx, owner, motion.NewMedia{Name: name, ContentMD5: hex.EncodeToString(hash.Sum(nil))})
	if err != nil {
		return fail(err)
	}
	m, err = j.service.Upload(ctx, owner, kind, m.ID, f)
	if err != nil {
		return fail(err)
	}
	return kind, m, nil
}

// wait waits for a record and turns its failure into an error.
func (j *job) wait(ctx context.Context, kind storage.Kind, id int64, about string) error {
	status, err := j.service.Wait(ctx, owner, kind, id)
	j.meter.end()
	if err != nil {
		return err
	}
	if status == storage.Success {
		return nil
	}
	reason := "unknown"
	switch kind {
	case storage.Keypoints:
		if r, err := j.service.Extraction(ctx, owner, id); err == nil {
			reason = r.Failure
		}
	case storage.Analyses:
		if r, err := j.service.Analysis(ctx, owner, id); err == nil {
			reason = r.Failure
		}
	case storage.Comparisons:
		if r, err := j.service.Comparison(ctx, owner, id); err == nil {
			reason = r.Failure
		}
	case storage.Drawings:
		if r, err := j.service.Drawing(ctx, owner, id); err == nil {
			reason = r.Failure
		}
	}
	return fmt.Errorf("%s: %s", about, reason)
}

func (j *job) writeJSON(r *result, name string, v any) error {
	return j.write(r, name, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// write writes a result file whole or not at all.
func (j *job) write(r *result, name string, content func(io.Writer) error) (err error) {
	path := filepath.Join(j.out, name)
	f, err := os.CreateTemp(j.out, ".motion-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := errors.Join(content(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	r.files = append(r.files, path)
	return os.Rename(f.Name(), path)
}
