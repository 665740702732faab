package motion

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Problem is what Verify finds wrong.
type Problem string

// The problems.
const (
	MissingBlob  Problem = "missing blob"  // the record says that there is a file, and there is none
	WrongBlob    Problem = "wrong blob"    // the file is not the one that was put: its size or MD5 is another
	OrphanBlob   Problem = "orphan blob"   // a file of no record: see DeleteOrphans
	UnknownBlob  Problem = "unknown blob"  // a file beside the Service's whose name is none of its own
	MissingJob   Problem = "missing job"   // the record is not finished, and the queue knows of no work on it
	BrokenRecord Problem = "broken record" // the data of the record cannot be read
)

// Finding is one thing that is wrong.
type Finding struct {
	Problem Problem
	Record  storage.Key // zero for an UnknownBlob; without an owner for an OrphanBlob of no record
	Blob    string      // its key; "" where the finding is not about one
	Detail  string      // more about it, for people
}

func (f Finding) String() string {
	text := string(f.Problem)
	if f.Blob != "" {
		text += " " + f.Blob
	} else {
		text += fmt.Sprintf(" %s/%d", f.Record.Kind, f.Record.ID)
	}
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// VerifyOptions say how thoroughly Verify looks. The zero value is ready to use.
type VerifyOptions struct {
	// Content reads every file of a record from its beginning to its end and checks its
	// MD5. Without it, size and MD5 are those that Blobs tells.
	Content bool
	// Grace is how long ago records and files must have been changed to be looked at, so
	// that calls and jobs under way are not taken for damage; default a minute, -1 none.
	Grace time.Duration
}

// Verify checks the records of all owners against the files and the queue, and calls report
// for everything that is wrong. It stops at report's first error and returns it, or one of
// storage that trying again may help. It changes nothing, and memory does not grow with the
// number of records and files. Calls and jobs may go on meanwhile.
//
// With a queue in memory, only the process that works on it can tell a MissingJob.
func (s *Service) Verify(ctx context.Context, opt VerifyOptions, report func(Finding) error) error {
	switch {
	case opt.Grace == 0:
		opt.Grace = time.Minute
	case opt.Grace < 0:
		opt.Grace = 0
	}
	v := verification{s: s, content: opt.Content, before: time.Now().Add(-opt.Grace), report: report}
	for _, kind := range kinds {
		if err := v.records(ctx, kind); err != nil {
			return err
		}
	}
	return s.listFiles(ctx, func(info storage.BlobInfo) error { return v.file(ctx, info) })
}

// verification is one run of Verify.
type verification struct {
	s       *Service
	content bool
	before  time.Time // what was changed later is not looked at
	report  func(Finding) error
}

func (v verification) records(ctx context.Context, kind storage.Kind) error {
	for after := int64(0); ; {
		page, err := v.s.cfg.Store.Scan(ctx, kind, after, scanPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, r := range page {
			after = r.ID
			if r.UpdatedAt.After(v.before) {
				continue
			}
			f, err := v.record(ctx, r)
			if err != nil {
				return err
			}
			if f.Problem == "" {
				continue
			}
			// The record may have changed while it was looked at.
			now, ok, err := v.s.find(ctx, kind, r.ID)
			if err == nil && ok && now.UpdatedAt.Equal(r.UpdatedAt) {
				f.Record = r.Key
				err = v.report(f)
			}
			if err != nil {
				return err
			}
		}
	}
}

// record returns what is wrong with a record; a Finding without a Problem if nothing.
func (v verification) record(ctx context.Context, r storage.Record) (Finding, error) {
	if r.Status != "" && !r.Status.Final() {
		held, err := v.s.cfg.Queue.Holds(ctx, r.Key)
		if err != nil || held {
			return Finding{}, err
		}
		return Finding{Problem: MissingJob, Detail: fmt.Sprintf("%s since %s", r.Status, r.UpdatedAt.Format(time.RFC3339))}, nil
	}
	want, ok, err := fileOf(r)
	if err != nil {
		return Finding{Problem: BrokenRecord, Detail: err.Error()}, nil
	}
	if !ok {
		return Finding{}, nil
	}
	return v.blob(ctx, want)
}

// fileOf returns what a record says of its file, if it has one.
func fileOf(r storage.Record) (want wanted, ok bool, err error) {
	switch r.Kind {
	case storage.Movies, storage.Images:
		var d mediaData
		err = decodeData(r, &d)
		sum, _ := parseMD5(d.ContentMD5)
		return wanted{mediaKey(r.Key), d.Bytes, sum}, err == nil && d.Uploaded, err
	case storage.Drawings:
		var d drawingData
		err = decodeData(r, &d)
		sum, _ := hex.DecodeString(d.MD5)
		return wanted{drawingKey(d.file(r.ID)), d.Bytes, sum}, err == nil && r.Status == storage.Success, err
	}
	_, err = originOf(r)
	return wanted{}, false, err
}

// wanted is what a file must be; size 0 and an empty MD5 are not known.
type wanted struct {
	key  string
	size int64
	sum  []byte
}

func (v verification) blob(ctx context.Context, want wanted) (Finding, error) {
	f := Finding{Blob: want.key}
	blob, err := v.s.cfg.Blobs.Open(ctx, want.key)
	if errors.Is(err, storage.ErrNotFound) {
		f.Problem = MissingBlob
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer blob.Close()
	info := blob.Info()
	size, sum := info.Size, info.MD5[:]
	if v.content {
		hash := md5.New()
		size, err = io.Copy(hash, blob)
		if err != nil && (ctx.Err() != nil || errors.Is(err, storage.ErrUnavailable)) {
			return f, err
		}
		if err != nil {
			f.Problem, f.Detail = WrongBlob, fmt.Sprintf("reading it ends after %d bytes: %v", size, err)
			return f, nil
		}
		sum = hash.Sum(nil)
		if want.size == 0 {
			want.size = info.Size
		}
		if len(want.sum) == 0 {
			want.sum = info.MD5[:]
		}
	}
	switch {
	case want.size != 0 && size != want.size:
		f.Problem, f.Detail = WrongBlob, fmt.Sprintf("it has %d bytes, want %d", size, want.size)
	case len(want.sum) != 0 && string(sum) != string(want.sum):
		f.Problem, f.Detail = WrongBlob, fmt.Sprintf("its MD5 is %x, want %x", sum, want.sum)
	}
	return f, nil
}

// file checks that there is a record for a file.
func (v verification) file(ctx context.Context, info storage.BlobInfo) error {
	if info.Modified.After(v.before) {
		return nil
	}
	kind, id, ok := parseBlob(info.Key)
	if !ok {
		return v.report(Finding{Problem: UnknownBlob, Blob: info.Key})
	}
	orphan, err := v.s.orphan(ctx, info.Key)
	if err != nil || !orphan {
		return err
	}
	return v.report(Finding{
		Problem: OrphanBlob, Record: storage.Key{Kind: kind, ID: id}, Blob: info.Key,
		Detail: fmt.Sprintf("%d bytes, put at %s", info.Size, info.Modified.Format(time.RFC3339)),
	})
}
