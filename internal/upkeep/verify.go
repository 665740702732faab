package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// The problems that Verify finds.
const (
	MissingBlob  = "missing blob"
	WrongBlob    = "wrong blob"
	OrphanBlob   = "orphan blob"
	UnknownBlob  = "unknown blob"
	MissingJob   = "missing job"
	BrokenRecord = "broken record"
	GoneSubject  = "gone subject"
)

// Finding is one problem.
type Finding struct {
	Problem string
	Record  storage.Key
	Blob    string
	Detail  string
}

// VerifyOptions are the options of Verify.
type VerifyOptions struct {
	Content bool          // read every file and check its MD5
	Grace   time.Duration // records and files that were changed later than this ago are skipped
}

// Verify checks all records against the files and the queue, and all files against the
// records, and calls report for each problem. It stops at report's first error.
func (k *Keeper) Verify(ctx context.Context, opt VerifyOptions, report func(Finding) error) error {
	v := verification{Keeper: k, content: opt.Content, before: time.Now().Add(-opt.Grace), report: report, people: k.subjects()}
	for _, kind := range kinds() {
		err := k.scan(ctx, kind, 0, func(r storage.Record) error { return v.record(ctx, r) })
		if err != nil {
			return err
		}
	}
	return k.listFiles(ctx, func(info storage.BlobInfo) error { return v.file(ctx, info) })
}

// verification is one run of Verify.
type verification struct {
	*Keeper
	content bool
	before  time.Time // what was changed later is skipped
	report  func(Finding) error
	people  subjects
}

func (v verification) record(ctx context.Context, r storage.Record) error {
	if r.UpdatedAt.After(v.before) {
		return nil
	}
	var f Finding
	if err := v.inspect(ctx, r); !errors.As(err, &f) {
		return err
	}
	// The record may have changed meanwhile.
	now, ok, err := v.find(ctx, r.Kind, r.ID)
	if err != nil || !ok || !now.UpdatedAt.Equal(r.UpdatedAt) {
		return err
	}
	f.Record = r.Key
	return v.report(f)
}

func (v verification) inspect(ctx context.Context, r storage.Record) error {
	if gone, err := v.people.gone(ctx, r); err != nil || gone {
		return cmp.Or(err, error(Finding{Problem: GoneSubject, Detail: fmt.Sprintf("subject %d", catalog.SubjectOf(r))}))
	}
	if r.Status != "" && !r.Status.Final() {
		held, err := v.Queue.Holds(ctx, r.Key)
		if err != nil || held {
			return err
		}
		return Finding{Problem: MissingJob, Detail: fmt.Sprintf("%s since %s", r.Status, r.UpdatedAt.Format(time.RFC3339))}
	}
	want, ok, err := catalog.FileOf(r)
	if err != nil {
		return Finding{Problem: BrokenRecord, Detail: err.Error()}
	}
	if !ok {
		return nil
	}
	blob, err := v.open(ctx, want)
	if err != nil {
		return err
	}
	defer blob.Close()
	return inspectContent(ctx, blob, want, v.content)
}

func (v verification) file(ctx context.Context, info storage.BlobInfo) error {
	if info.Modified.After(v.before) {
		return nil
	}
	kind, id, ok := catalog.ParseFileName(info.Key)
	if !ok {
		return v.report(Finding{Problem: UnknownBlob, Blob: info.Key})
	}
	orphan, err := v.orphan(ctx, info.Key)
	if err != nil || !orphan {
		return err
	}
	return v.report(Finding{
		Problem: OrphanBlob, Record: storage.Key{Kind: kind, ID: id}, Blob: info.Key,
		Detail: fmt.Sprintf("%d bytes, put at %s", info.Size, info.Modified.Format(time.RFC3339)),
	})
}
