package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// The exit statuses of verify, beside 0 and 1. The least of all findings counts.
const (
	lost    = 2 // nothing brings it back but a backup
	mended  = 3 // by the server's upkeep
	foreign = 4 // not the server's
)

// statuses are the exit statuses of findings.
var statuses = map[motion.Problem]int{
	motion.MissingBlob: lost, motion.WrongBlob: lost, motion.BrokenRecord: lost,
	motion.MissingJob: mended, motion.OrphanBlob: mended, motion.GoneSubject: mended,
	motion.UnknownBlob: foreign,
}

func verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "verify", Short: "Check the records and files of a server", Args: cobra.NoArgs,
		Long: `Check that the records and files of "motion serve" belong together, and print a line for each
finding. The server may run meanwhile; nothing is changed. Exit statuses:

  0  nothing was found
  1  storage could not be checked, or not to its end
  2  something is lost: a file is missing or differs from its record, or a record cannot be read
  3  the server's upkeep mends it: a file without a record (with --orphans), a job that is not queued,
     a recording of a person who was deleted
  4  the folders of files have files that are not the server's

With several kinds of findings, the lowest status counts. Jobs are checked in PostgreSQL only: with
SQLite, the server queues them when it starts. The environment variables MOTION_DB and MOTION_BLOBS
replace --db and --blobs, and a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
		Example: `  motion verify --data motion-data --content
  motion verify --db postgres:///motion --blobs 's3://recordings?endpoint=http://127.0.0.1:7070' --json`,
	}
	f := c.Flags()
	places := stores.Places{}
	f.StringVar(&places.Data, "data", "motion-data", "folder of the server")
	f.StringVar(&places.DB, "db", "", "records: a SQLite file, or a postgres:// address; default: motion.db in the folder of --data")
	f.StringVar(&places.Blobs, "blobs", "", "files: a folder, or s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]; default: blobs in the folder of --data")
	content := f.Bool("content", false, "read every file and check its MD5")
	grace := f.Duration("grace", time.Minute, "skip what was changed less than this ago")
	lines := f.Bool("json", false, "print findings as JSON, one a line")
	c.MarkFlagDirname("data")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *grace < 0 {
			return wrong("grace", *grace, "0 or more")
		}
		opt := motion.VerifyOptions{Content: *content, Grace: *grace}
		if opt.Grace == 0 {
			opt.Grace = -1
		}
		places.FromEnvironment()
		write := writeFinding
		if *lines {
			write = writeFindingJSON
		}
		return verify(c.Context(), places, opt, func(f motion.Finding) error { return write(c.OutOrStdout(), f) })
	}
	return c
}

// verify tells report what is wrong. If something is, the error is a setup.Exit.
func verify(ctx context.Context, places stores.Places, opt motion.VerifyOptions, report func(motion.Finding) error) (err error) {
	if err := places.Check(); err != nil {
		return err
	}
	quiet := slog.New(slog.DiscardHandler)
	kept, err := stores.Look(ctx, places, quiet)
	if err != nil {
		return err
	}
	defer func() {
		if failed := kept.Close(); failed != nil {
			err = failed
		}
	}()
	if !places.Shared() {
		kept.Queue = elsewhere{kept.Queue}
	}
	service, err := motion.New(motion.Config{Store: kept.Records, Blobs: kept.Blobs, Queue: kept.Queue, Estimator: blind{}, Logger: quiet})
	if err != nil {
		return err
	}
	counts := map[int]int{}
	err = service.Verify(ctx, opt, func(f motion.Finding) error {
		counts[statuses[f.Problem]]++
		return report(f)
	})
	if err != nil {
		return err
	}
	for status, what := range []string{lost: "lost or damaged", mended: "left for upkeep", foreign: "of files that are not the server's"} {
		if n := counts[status]; n > 0 {
			all := counts[lost] + counts[mended] + counts[foreign]
			return setup.Exit{Status: status, Reason: fmt.Sprintf("findings: %d, of which %d %s", all, n, what)}
		}
	}
	return nil
}

// writeFinding writes a finding for people.
func writeFinding(w io.Writer, f motion.Finding) error {
	line := string(f.Problem)
	if f.Record.ID != 0 {
		line += fmt.Sprintf("\t%s %d", f.Record.Kind, f.Record.ID)
	}
	if f.Record.Owner != "" {
		line += " of " + setup.Visible(f.Record.Owner)
	}
	for _, s := range []string{f.Blob, f.Detail} {
		if s != "" {
			line += "\t" + setup.Visible(s)
		}
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// writeFindingJSON writes a finding for programs.
func writeFindingJSON(w io.Writer, f motion.Finding) error {
	return json.NewEncoder(w).Encode(struct {
		Status  int            `json:"status"`
		Problem motion.Problem `json:"problem"`
		Owner   string         `json:"owner,omitempty"`
		Kind    storage.Kind   `json:"kind,omitempty"`
		ID      int64          `json:"id,omitempty"`
		File    string         `json:"file,omitempty"`
		Detail  string         `json:"detail,omitempty"`
	}{statuses[f.Problem], f.Problem, f.Record.Owner, f.Record.Kind, f.Record.ID, f.Blob, f.Detail})
}

// elsewhere is a queue in the memory of another process, which holds every job.
type elsewhere struct{ storage.Queue }

func (elsewhere) Holds(context.Context, storage.Key) (bool, error) { return true, nil }

// blind is an Estimator of a Service that does not work.
type blind struct{}

func (blind) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, errors.New("verify finds no keypoints")
}
