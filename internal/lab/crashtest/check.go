package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// entry is a record after a run.
type entry struct {
	storage.Record
	data struct {
		From  []origin `json:"from"`
		About struct {
			Subject int64 `json:"subjectId"`
		} `json:"about"`
		File *struct {
			Extension string `json:"extension"`
		} `json:"file"`
		Corrections map[int]string `json:"corrections"`
		Request     struct {
			MD5  string          `json:"contentMd5"`
			Rule json.RawMessage `json:"rule"`
		} `json:"request"`
	}
}

// origin is a record that another one is made from.
type origin struct {
	Kind string `json:"kind"`
	ID   int64  `json:"id"`
}

func (o origin) record() record { return record{o.Kind, o.ID} }

// found is everything stored after a run.
type found struct {
	entries map[record]*entry
	blobs   map[string][32]byte // SHA-256 by key
	faults  []string
}

var kinds = []storage.Kind{storage.Subjects, storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings}

func (f *found) fault(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// look reads all records and files of a place, and checks what must be true after any run.
func look(ctx context.Context, p place, k *kept) (*found, error) {
	f := &found{entries: map[record]*entry{}, blobs: map[string][32]byte{}}
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
	f.checkOrigins()
	f.checkBlobs()
	return f, f.checkAudit(ctx, p)
}

// checkStates checks that all jobs are finished.
func (f *found) checkStates() {
	for r, e := range f.entries {
		waits := !r.media() && r.kind != "subjects"
		if waits == (e.Status == "") || waits && !e.Status.Final() {
			f.fault("%s %d is %q after %d attempts", r.kind, r.id, e.Status, e.Attempts)
		}
	}
}

// checkOrigins checks that no record is made from one that is gone, or of a person who is.
func (f *found) checkOrigins() {
	for r, e := range f.entries {
		if who := (record{"subjects", e.data.About.Subject}); who.id != 0 && f.entries[who] == nil {
			f.fault("%v is of %v, who is gone", r, who)
		}
		for _, o := range e.data.From {
			if from := o.record(); f.entries[from] == nil {
				f.fault("%v is %s, and made from %v, which is gone: %s", r, e.Status, from, e.Failure)
			}
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
		if r.media() { // an upload may not have come to its end, and a missing thumbnail is made again
			for _, name := range catalog.FileNames(e.Key) {
				owned[name] = true
			}
		}
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
	if !p.audited() {
		return nil
	}
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
		if was.Final() && was != now { // corrections change the result alone
			f.fault("%s %d was %s and became %s", r.kind, r.id, was, now)
		}
		if now.Final() && !was.Final() {
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
		from += f.signature(o.record())
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

// outcomes returns the outcomes of all records by signature.
func (f *found) outcomes() map[string]string {
	all := map[string]string{}
	for r := range f.entries {
		s := f.signature(r)
		if all[s] != "" && all[s] != f.outcome(r) {
			f.fault("there are two outcomes of %s", s)
		}
		all[s] = f.outcome(r)
	}
	return all
}

// doomed reports whether a record failed because its job was killed in its last attempt, or because
// a record that it is made from failed so.
func (f *found) doomed(r record) bool {
	e := f.entries[r]
	if e == nil || e.Status != storage.Failure {
		return false
	}
	if e.Failure == failService {
		return e.Attempts == attempts
	}
	for _, o := range e.data.From {
		in := o.record()
		names := map[string]string{"keypoints": "keypoint extraction", "comparisons": "comparison"}
		if f.doomed(in) && strings.HasPrefix(e.Failure, fmt.Sprintf("The %s %d has failed: ", names[in.kind], in.id)) {
			return true
		}
	}
	return false
}

// corrected reports whether a record, or one that it is made from, was corrected.
func (f *found) corrected(r record) bool {
	e := f.entries[r]
	return e != nil && (len(e.data.Corrections) > 0 || slices.ContainsFunc(e.data.From, func(o origin) bool {
		return f.corrected(o.record())
	}))
}

// against compares the outcomes of records with those of a run without trouble, by signature, and the records of which no
// client was told with the requests that were not answered. It returns the number of records that failed because their
// jobs were killed.
func (f *found) against(want map[string]string, m *model) (doomed int) {
	strangers := map[string]int{}
	for r, e := range f.entries {
		if m.lives[r] == nil {
			w := wish{kind: r.kind, what: e.data.Request.MD5}
			for _, o := range e.data.From {
				w.from = append(w.from, o.record())
			}
			if who := e.data.About.Subject; who != 0 && r.media() {
				w.from = []record{{"subjects", who}}
			}
			strangers[w.group()]++
		}
		if f.corrected(r) || r.media() && e.data.File == nil {
			continue
		}
		s := f.signature(r)
		switch got := f.outcome(r); {
		case want[s] == "":
			f.fault("no reference for %v, %s", r, s)
		case got == want[s]:
		case f.doomed(r):
			doomed++
		default:
			f.fault("%v, %s: %s, without trouble %s", r, s, got, want[s])
		}
	}
	f.faults = append(f.faults, m.strangers(strangers)...)
	return doomed
}

func (f *found) err() error {
	slices.Sort(f.faults)
	var errs []error
	for _, s := range f.faults {
		errs = append(errs, errors.New(s))
	}
	return errors.Join(errs...)
}
