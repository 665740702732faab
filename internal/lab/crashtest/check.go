package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/bodymotion/motion/storage"
)

// entry is a record after a run.
type entry struct {
	storage.Record
	data struct {
		From []struct {
			Kind string `json:"kind"`
			ID   int64  `json:"id"`
		} `json:"from"`
		File *struct {
			Extension string `json:"extension"`
		} `json:"file"`
		Request struct {
			MD5  string          `json:"contentMd5"`
			Rule json.RawMessage `json:"rule"`
		} `json:"request"`
	}
}

// found is everything stored after a run.
type found struct {
	attempts int // maximum of a job
	entries  map[record]*entry
	blobs    map[string][32]byte // SHA-256 by key
	faults   []string
}

var kinds = []storage.Kind{storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings}

func (f *found) fault(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// look reads all records and files of a place, and checks what must be true after any run.
func look(ctx context.Context, p place, attempts int) (*found, error) {
	k, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer k.close()
	f := &found{attempts: attempts, entries: map[record]*entry{}, blobs: map[string][32]byte{}}
	for _, kind := range kinds {
		list, total, err := k.store.List(ctx, clientID, kind, storage.Filter{Limit: 1 << 20})
		if err != nil {
			return nil, err
		}
		if total != len(list) {
			f.fault("%s: %d are listed and %d counted", kind, len(list), total)
		}
		for _, r := range list {
			e := &entry{}
			if e.Record, err = k.store.Get(ctx, r.Key); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(e.Data, &e.data); err != nil {
				return nil, err
			}
			f.entries[record{string(kind), r.ID}] = e
		}
	}
	deletions, err := k.store.Scan(ctx, storage.Deletions, 0, 100)
	if err != nil {
		return nil, err
	}
	for _, d := range deletions {
		f.fault("deletion %d is not finished: %s", d.ID, d.Data)
	}
	err = k.blobs.List(ctx, "", func(i storage.BlobInfo) error {
		b, err := k.blobs.Open(ctx, i.Key)
		if err != nil {
			return err
		}
		defer b.Close()
		h := sha256.New()
		if _, err := io.Copy(h, b); err != nil {
			return err
		}
		f.blobs[i.Key] = [32]byte(h.Sum(nil))
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.checkStates()
	f.checkBlobs()
	return f, f.checkAudit(ctx, p)
}

// checkStates checks that all jobs are finished.
func (f *found) checkStates() {
	for r, e := range f.entries {
		media := r.kind == "movies" || r.kind == "images"
		if media != (e.Status == "") || !media && !e.Status.Final() {
			f.fault("%s %d is %q after %d attempts", r.kind, r.id, e.Status, e.Attempts)
		}
	}
}

// blob returns the key of the blob that a record must have; "" if none.
func (e *entry) blob() string {
	switch {
	case (e.Kind == storage.Movies || e.Kind == storage.Images) && e.data.File != nil:
		return fmt.Sprintf("media/%s/%d", e.Kind, e.ID)
	case e.Kind == storage.Drawings && e.Status == storage.Success && e.data.File != nil:
		return fmt.Sprintf("drawings/%d%s", e.ID, e.data.File.Extension)
	}
	return ""
}

// checkBlobs checks that every record has its blob and every blob its record.
func (f *found) checkBlobs() {
	owned := map[string]bool{}
	for r, e := range f.entries {
		key := e.blob()
		if key == "" {
			continue
		}
		owned[key] = true
		if _, ok := f.blobs[key]; !ok {
			f.fault("%s %d has no blob %s", r.kind, r.id, key)
		}
	}
	for key := range f.blobs {
		if !owned[key] {
			f.fault("the blob %s has no record", key)
		}
	}
}

// checkAudit checks that no record was finished twice or changed after that.
func (f *found) checkAudit(ctx context.Context, p place) error {
	db, err := p.database()
	if err != nil {
		return err
	}
	defer db.Close()
	table := "crash_audit"
	if p.URL != "" {
		table = p.Schema + "." + table
	}
	rows, err := db.QueryContext(ctx, "SELECT kind, id, was, now FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	ends := map[record]int{}
	for rows.Next() {
		var r record
		var was, now storage.Status
		if err := rows.Scan(&r.kind, &r.id, &was, &now); err != nil {
			return err
		}
		if was.Final() {
			f.fault("%s %d was %s and became %s", r.kind, r.id, was, now)
		}
		if now.Final() {
			ends[r]++
		}
	}
	for r, e := range f.entries {
		if e.Status.Final() && ends[r] != 1 {
			f.fault("%s %d was finished %d times", r.kind, r.id, ends[r])
		}
	}
	return rows.Err()
}

var number = regexp.MustCompile(`\d+`)

// failService is the failure of a record whose job was killed too often.
const failService = "There is a problem on the service."

// signature describes what a record is made from, without ids, so that it can be found in another
// run.
func (f *found) signature(r record) string {
	e := f.entries[r]
	if e == nil {
		return fmt.Sprintf("no %s %d", r.kind, r.id)
	}
	if sum := e.data.Request.MD5; sum != "" {
		return r.kind + " " + sum
	}
	from := ""
	for _, o := range e.data.From {
		from += f.signature(record{o.Kind, o.ID})
	}
	return fmt.Sprintf("%s(%s) %s", r.kind, from, e.data.Request.Rule)
}

// outcome describes the result of a record, without ids.
func (f *found) outcome(r record) string {
	e := f.entries[r]
	switch e.Status {
	case storage.Failure:
		return "FAILURE " + number.ReplaceAllString(e.Failure, "#")
	case storage.Success:
		return fmt.Sprintf("SUCCESS %x %x", sha256.Sum256(e.Result), f.blobs[e.blob()])
	}
	return fmt.Sprint(e.Status, f.blobs[e.blob()])
}

// doomed reports whether a record failed because its job was killed in its last attempt, or because
// a record that it is made from failed so.
func (f *found) doomed(r record) bool {
	e := f.entries[r]
	if e == nil || e.Status != storage.Failure {
		return false
	}
	if e.Failure == failService {
		return e.Attempts == f.attempts
	}
	for _, o := range e.data.From {
		in := record{o.Kind, o.ID}
		names := map[string]string{"keypoints": "keypoint extraction", "comparisons": "comparison"}
		if f.doomed(in) && strings.HasPrefix(e.Failure, fmt.Sprintf("The %s %d has failed: ", names[in.kind], in.id)) {
			return true
		}
	}
	return false
}

// against compares a run with the undisturbed one. It returns the number of records that failed
// because their jobs were killed, and the number that exist twice because a request was repeated
// after its response was lost.
func (f *found) against(calm *found, w *work) (doomed, twice int) {
	want := map[string]string{}
	for r := range calm.entries {
		if s := calm.signature(r); want[s] == "" {
			want[s] = calm.outcome(r)
		} else if want[s] != calm.outcome(r) {
			f.fault("the run without kills has two outcomes for %s", s)
		}
	}
	for _, r := range w.told {
		if f.entries[r] == nil {
			f.fault("%s %d is lost", r.kind, r.id)
		}
	}
	for _, r := range w.deleted {
		if f.entries[r] != nil {
			f.fault("%s %d was deleted and is there", r.kind, r.id)
		}
	}
	done := map[string]bool{}
	for r, e := range f.entries {
		if !slices.Contains(w.told, r) {
			twice++
			if (r.kind == "movies" || r.kind == "images") && e.data.File == nil {
				continue // no client got its upload URL
			}
		}
		s := f.signature(r)
		done[s] = true
		switch got := f.outcome(r); {
		case got == want[s]:
		case f.doomed(r):
			doomed++
		default:
			f.fault("%s %d, %s: %s, without kills %s", r.kind, r.id, s, got, want[s])
		}
	}
	for s := range want {
		if !done[s] {
			f.fault("%s is missing", s)
		}
	}
	return doomed, twice
}

func (f *found) err() error {
	slices.Sort(f.faults)
	var errs []error
	for _, s := range f.faults {
		errs = append(errs, errors.New(s))
	}
	return errors.Join(errs...)
}
