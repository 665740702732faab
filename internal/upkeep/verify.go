package upkeep

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
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

// Error describes a file that is missing, or is not what its record says.
func (f Finding) Error() string {
	text := f.Problem + " " + f.Blob
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// OpenFile opens the file of a record. If the record has no file, it returns the error none. If the file is missing or has
// another size than the record says, the error is a Finding.
func (k *Keeper) OpenFile(ctx context.Context, r storage.Record, none error) (storage.Blob, error) {
	want, ok, err := catalog.FileOf(r)
	if err != nil || !ok {
		return nil, cmp.Or(err, none)
	}
	blob, err := k.open(ctx, want)
	if errors.As(err, new(Finding)) {
		if _, gone := k.Store.Head(ctx, r.Key); gone != nil {
			return nil, gone // deleted meanwhile
		}
	}
	return blob, err
}

// CheckFile reads the file of a record, and returns a Finding if it is missing or its content is not what the
// record says. A record that does not exist, or has no file, is no error.
func (k *Keeper) CheckFile(ctx context.Context, key storage.Key) error {
	r, err := k.Store.Head(ctx, key)
	var blob storage.Blob
	if err == nil {
		blob, err = k.OpenFile(ctx, r, storage.ErrNotFound)
	}
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer blob.Close()
	want, _, err := catalog.FileOf(r)
	if err != nil {
		return err
	}
	return inspectContent(ctx, blob, want, true)
}

// open opens a file. If it is missing or has another size, the error is a Finding.
func (k *Keeper) open(ctx context.Context, want catalog.File) (storage.Blob, error) {
	blob, err := k.Blobs.Open(ctx, want.Name)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, Finding{Problem: MissingBlob, Blob: want.Name}
	}
	if err != nil {
		return nil, err
	}
	if size := blob.Info().Size; want.Size != 0 && size != want.Size {
		return nil, cmp.Or(blob.Close(), wrong(want, "it has %d bytes, want %d", size, want.Size))
	}
	return blob, nil
}

// inspectContent returns a Finding if the MD5 of a file is not what its record says: that of the content if it
// is to be read, else that in the file's Info.
func inspectContent(ctx context.Context, blob storage.Blob, want catalog.File, read bool) error {
	info := blob.Info()
	size, sum := info.Size, info.MD5[:]
	if read {
		hash := md5.New()
		var err error
		size, err = io.Copy(hash, blob)
		if err != nil && (ctx.Err() != nil || errors.Is(err, storage.ErrUnavailable)) {
			return err
		}
		if err != nil {
			return wrong(want, "reading stops after %d bytes: %v", size, err)
		}
		sum = hash.Sum(nil)
		if len(want.MD5) == 0 {
			want.MD5 = info.MD5[:]
		}
	}
	switch {
	case size != info.Size:
		return wrong(want, "it has %d bytes, want %d", size, info.Size)
	case len(want.MD5) != 0 && string(sum) != string(want.MD5):
		return wrong(want, "its MD5 is %x, want %x", sum, want.MD5)
	}
	return nil
}

func wrong(file catalog.File, format string, args ...any) error {
	return Finding{Problem: WrongBlob, Blob: file.Name, Detail: fmt.Sprintf(format, args...)}
}
