package places_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// findings are what Verify finds, without the details, in order.
func findings(t *testing.T, s *motion.Service, opt motion.VerifyOptions) []string {
	t.Helper()
	found := []string{}
	err := s.Verify(t.Context(), opt, func(f motion.Finding) error {
		what := f.Blob
		if what == "" {
			what = fmt.Sprintf("%s/%d", f.Record.Kind, f.Record.ID)
		}
		found = append(found, string(f.Problem)+" "+what)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// flip changes a bit of a blob.
func (k kept) flip(t *testing.T, key string) {
	t.Helper()
	k.rewrite(t, key, func(content []byte) []byte {
		content[len(content)/2] ^= 1
		return content
	})
}

// rewrite changes the file that holds the content of a blob.
func (k kept) rewrite(t *testing.T, key string, change func([]byte) []byte) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(k.files, func(path string, e fs.DirEntry, err error) error {
		rest, below := strings.CutPrefix(path, filepath.Join(k.files, key))
		if err != nil || e.IsDir() || !below || rest[0] != '/' && rest[0] != '!' {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) == 0 {
			return err
		}
		n++
		return os.WriteFile(path, change(content), 0o600)
	})
	if err != nil || n != 1 {
		t.Fatalf("%d files of %s (%v)", n, key, err)
	}
}

// TestVerify does damage of every kind, in every place, and looks for it.
func TestVerify(t *testing.T) {
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			k := p.two(t)[0]
			s := k.service(t, nil)
			stop := host.Run(t, s)
			fine, f := newFamily(t, s), newFamily(t, s)
			stop()
			now := motion.VerifyOptions{Grace: -1}
			content := motion.VerifyOptions{Grace: -1, Content: true}
			for _, opt := range []motion.VerifyOptions{now, content} {
				if found := findings(t, s, opt); len(found) != 0 {
					t.Errorf("before the damage: %v", found)
				}
			}

			// Other content of the same name, none, and a bit that fell over.
			k.put(t, fmt.Sprint("media/images/", f.image.ID), "something else")
			if err := k.blobs.Delete(t.Context(), fmt.Sprintf("drawings/%d.jpg", f.first)); err != nil {
				t.Fatal(err)
			}
			flipped := ""
			if k.files != "" {
				flipped = fmt.Sprintf("drawings/%d.jpg", f.last)
				k.flip(t, flipped)
			}
			// Files of no record, of a record that says otherwise, and of somebody else.
			k.put(t, "media/movies/77", "no such movie")
			k.put(t, "drawings/77.mp4", "no such drawing")
			k.put(t, fmt.Sprintf("drawings/%d.mp4", fine.first), "a picture was drawn")
			k.put(t, "drawings/0.jpg", "not a number of a record")
			k.put(t, "media/notes.txt", "somebody's notes")
			k.put(t, "elsewhere/7", "somebody's")
			// A record without a job, and one that cannot be read.
			lost, err := k.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, Status: storage.Processing, Data: []byte(`{"from":[{"kind":"images","id":1}],"request":{"imageId":1}}`)})
			if err != nil {
				t.Fatal(err)
			}
			broken, err := k.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: host.Owner, Kind: storage.Images}, Data: []byte("{")})
			if err != nil {
				t.Fatal(err)
			}
			// One that waits for its file is in order.
			if _, err := s.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(nil)}); err != nil {
				t.Fatal(err)
			}
			want := []string{
				fmt.Sprint("broken record images/", broken.ID),
				fmt.Sprintf("missing blob drawings/%d.jpg", f.first),
				fmt.Sprint("missing job keypoints/", lost.ID),
				"orphan blob drawings/77.mp4",
				fmt.Sprintf("orphan blob drawings/%d.mp4", fine.first),
				"orphan blob media/movies/77",
				"unknown blob drawings/0.jpg",
				"unknown blob media/notes.txt",
				fmt.Sprint("wrong blob media/images/", f.image.ID),
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, findings(t, s, now)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if flipped != "" {
				want = append(want, "wrong blob "+flipped)
				slices.Sort(want)
			}
			if diff := cmp.Diff(want, findings(t, s, content)); diff != "" {
				t.Errorf("with content: -want +got:\n%s", diff)
			}
			if found := findings(t, s, motion.VerifyOptions{Grace: time.Hour}); len(found) != 0 {
				t.Errorf("what was changed a moment ago is looked at: %v", found)
			}
			stopped := errors.New("stop")
			if err := s.Verify(t.Context(), now, func(motion.Finding) error { return stopped }); !errors.Is(err, stopped) {
				t.Errorf("report's error: %v", err)
			}

			// What can be put right is put right.
			if n, err := s.DeleteOrphans(t.Context(), time.Hour); err != nil || n != 0 {
				t.Errorf("%d orphans that are an hour old (%v)", n, err)
			}
			if n, err := s.DeleteOrphans(t.Context(), 0); err != nil || n != 3 {
				t.Errorf("%d orphans, want 3 (%v)", n, err)
			}
			if _, err := s.DeleteOrphans(t.Context(), -1); !errors.Is(err, motion.ErrInvalid) {
				t.Errorf("a negative age: %v", err)
			}
			for _, kind := range []storage.Key{{Kind: storage.Images, ID: f.image.ID}, {Kind: storage.Images, ID: broken.ID}, {Kind: storage.Keypoints, ID: lost.ID}} {
				kind.Owner = host.Owner
				if err := k.store.Delete(t.Context(), kind); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := s.DeleteOrphans(t.Context(), 0); err != nil || n != 1 {
				t.Errorf("%d orphans of the deleted records, want 1 (%v)", n, err)
			}
			left := findings(t, s, now)
			if diff := cmp.Diff([]string{fmt.Sprintf("missing blob drawings/%d.jpg", f.first), "unknown blob drawings/0.jpg", "unknown blob media/notes.txt"}, left); diff != "" {
				t.Errorf("afterwards: -want +got:\n%s", diff)
			}
		})
	}
}

// life is that of a process, which ends before or after one of its changes of storage.
type life struct{ changes int } // left

var errDead = errors.New("the process has died")

// change makes a change, unless the process is dead. It may die before or after it.
func (l *life) change(do func() error) error {
	if l.changes--; l.changes < 0 {
		return errDead
	}
	err := do()
	if l.changes--; l.changes < 0 {
		return errDead
	}
	return err
}

type mortalStore struct {
	storage.Store
	*life
}

func (s mortalStore) Unwrap() storage.Store { return s.Store }

func (s mortalStore) Create(ctx context.Context, r storage.Record) (made storage.Record, err error) {
	err = s.change(func() error { made, err = s.Store.Create(ctx, r); return err })
	return made, err
}

func (s mortalStore) Delete(ctx context.Context, keys ...storage.Key) error {
	return s.change(func() error { return s.Store.Delete(ctx, keys...) })
}

type mortalBlobs struct {
	storage.Blobs
	*life
}

func (b mortalBlobs) Delete(ctx context.Context, key string) error {
	return b.change(func() error { return b.Blobs.Delete(ctx, key) })
}

func base64MD5(content string) string {
	sum := md5.Sum([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// relatives makes an image, its keypoints, an analysis and a drawing of them, without any work.
func (k kept) relatives(t *testing.T) (image storage.Key) {
	t.Helper()
	create := func(kind storage.Kind, status storage.Status, format string, args ...any) int64 {
		t.Helper()
		r := storage.Record{Key: storage.Key{Owner: host.Owner, Kind: kind}, Status: status, Data: fmt.Appendf(nil, format, args...)}
		r, err := catalog.Labelled(r)
		if err == nil {
			r, err = k.store.Create(t.Context(), r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	picture, drawn := "a picture", "what was drawn onto it"
	image = storage.Key{Owner: host.Owner, Kind: storage.Images}
	image.ID = create(image.Kind, "", `{"file":{"bytes":%d,"md5":%q}}`, len(picture), base64MD5(picture))
	keypoints := create(storage.Keypoints, storage.Success, `{"from":[{"kind":"images","id":%d}]}`, image.ID)
	create(storage.Analyses, storage.Success, `{"from":[{"kind":"keypoints","id":%d}]}`, keypoints)
	drawing := create(storage.Drawings, storage.Success, `{"from":[{"kind":"keypoints","id":%d}],"file":{"extension":".jpg","bytes":%d,"md5":%q}}`, keypoints, len(drawn), base64MD5(drawn))
	k.put(t, fmt.Sprint("media/images/", image.ID), picture)
	k.put(t, fmt.Sprintf("drawings/%d.jpg", drawing), drawn)
	return image
}

// TestDeleteCrash: wherever a process dies that deletes or expires records, those that are left are
// whole, and the next process finishes the deletion: of what was deleted nothing is left.
func TestDeleteCrash(t *testing.T) {
	const old = time.Nanosecond
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			k := p.two(t)[0]
			dieAtEachStep(t, k, true, func(s *motion.Service, image storage.Key) error {
				return s.DeleteRecord(context.Background(), image.Owner, image.Kind, image.ID)
			})
			dieAtEachStep(t, k, false, func(s *motion.Service, _ storage.Key) error {
				_, err := s.Expire(context.Background(), motion.Retention{Images: old, Keypoints: old, Analyses: old, Drawings: old})
				return err
			})
		})
	}
}

// dieAtEachStep removes an image and its relatives by processes that die, each a step later. With
// whole, all of them must go as soon as anything was done.
func dieAtEachStep(t *testing.T, k kept, whole bool, remove func(s *motion.Service, image storage.Key) error) {
	now := motion.VerifyOptions{Grace: -1}
	for n, dead := 0, true; dead; n++ {
		if n > 100 {
			t.Fatal("it does not come to its end")
		}
		image := k.relatives(t)
		before := k.everything(t)
		l := &life{n}
		err := remove(k.service(t, func(c *motion.Config) { c.Store, c.Blobs = mortalStore{c.Store, l}, mortalBlobs{c.Blobs, l} }), image)
		if dead = err != nil; dead && !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		next := k.service(t, nil)
		for _, f := range findings(t, next, now) {
			if !strings.HasPrefix(f, "orphan blob") {
				t.Errorf("dead after %d steps: %s", n, f)
			}
		}
		_, gone := next.GetMedia(t.Context(), host.Owner, storage.Images, image.ID)
		stop := host.Run(t, next) // it does so when it starts, whatever Config.UpkeepEvery says
		for began := time.Now(); len(k.notes(t)) > 0 && time.Since(began) < 20*time.Second; {
			time.Sleep(time.Millisecond)
		}
		stop()
		left := k.everything(t)
		if n == 0 && !cmp.Equal(left, before) || len(left) > 0 && (!dead || whole && n > 0) || len(k.notes(t)) > 0 {
			t.Errorf("dead after %d steps: left are %v and the notes %v", n, left, k.notes(t))
		}
		if errors.Is(gone, motion.ErrNotFound) && left[fmt.Sprint("images/", image.ID)] {
			t.Errorf("dead after %d steps: the image has come back", n)
		}
		if found := findings(t, next, now); len(found) != 0 {
			t.Errorf("dead after %d steps: %v", n, found)
		}
		if err := remove(next, image); err != nil && !errors.Is(err, motion.ErrNotFound) {
			t.Fatal(err)
		}
	}
}

// notes are the deletions that are not finished.
func (k kept) notes(t *testing.T) []storage.Record {
	t.Helper()
	notes, err := k.store.Scan(t.Context(), storage.Deletions, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// TestDeleteOutage: a deletion that could not remove the files is finished by Upkeep.
func TestDeleteOutage(t *testing.T) {
	p := host.New()
	k := kept{store: p.Store, blobs: p.Blobs, queue: p.Queue}
	image := k.relatives(t)
	away := k.service(t, func(c *motion.Config) { c.Blobs = mortalBlobs{c.Blobs, &life{}} })
	if err := away.DeleteRecord(t.Context(), image.Owner, image.Kind, image.ID); !errors.Is(err, errDead) {
		t.Errorf("without blobs: %v", err)
	}
	if _, err := away.GetMedia(t.Context(), host.Owner, storage.Images, image.ID); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("the deleted image: %v", err)
	}
	if err := away.Upkeep(t.Context()); !errors.Is(err, errDead) {
		t.Errorf("upkeep without blobs: %v", err)
	}
	if err := k.service(t, nil).Upkeep(t.Context()); err != nil {
		t.Error(err)
	}
	if left := k.everything(t); len(left)+len(k.notes(t)) != 0 {
		t.Errorf("left: %v and %v", left, k.notes(t))
	}
}

// TestDeleteFromFull: from a store that is full, records can be deleted.
func TestDeleteFromFull(t *testing.T) {
	p := host.New()
	k := kept{memory.NewStore(memory.StoreOptions{MaxRecords: 4}), p.Blobs, p.Queue, ""}
	image := k.relatives(t)
	if _, err := k.store.Create(t.Context(), storage.Record{Key: image}); !errors.Is(err, motion.ErrUnavailable) {
		t.Errorf("a fifth record: %v", err)
	}
	if err := k.service(t, nil).DeleteRecord(t.Context(), image.Owner, image.Kind, image.ID); err != nil {
		t.Error(err)
	}
	if left := k.everything(t); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// TestDamagedFiles: a file that has changed since it was stored is not served, and not taken for a
// bad one of the user's; the log names it.
func TestDamagedFiles(t *testing.T) {
	shorter := func(b []byte) []byte { return b[:len(b)-3] }
	garbled := func(b []byte) []byte { clear(b); return b }
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			k := p.two(t)[0]
			var log syncBuffer
			logger := slog.New(slog.NewTextHandler(&log, nil))
			s := k.service(t, func(c *motion.Config) { c.MaxAttempts, c.Logger = 1, logger })
			stop := host.Run(t, s)
			defer stop()
			api := server(t, s, logger)
			get := func(path string) (int, map[string]any) {
				w := httptest.NewRecorder()
				api.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
				var m map[string]any
				_ = json.Unmarshal(w.Body.Bytes(), &m) // a file is none
				return w.Code, m
			}
			damage := func(key string, content []byte, change func([]byte) []byte) {
				t.Helper()
				if k.files == "" {
					k.put(t, key, string(change(bytes.Clone(content))))
				} else {
					k.rewrite(t, key, change)
				}
			}

			// A drawn file.
			f := newFamily(t, s)
			name := fmt.Sprintf("drawings/%d.jpg", f.first)
			_, record := get(fmt.Sprintf("/drawings/%d/", f.first))
			link, err := url.Parse(record["drawingUrl"].(string))
			if err != nil {
				t.Fatal(err)
			}
			if status, _ := get(link.RequestURI()); status != 200 {
				t.Errorf("before the damage: %d", status)
			}
			damage(name, []byte("anything"), shorter)
			status, problem := get(link.RequestURI())
			if status != 500 || problem["requestId"] == "" || problem["requestId"] == nil {
				t.Errorf("a truncated drawing: %d %v", status, problem)
			}
			log.wants(t, "blob "+name)
			if found := strings.Join(findings(t, s, motion.VerifyOptions{Grace: -1}), ", "); found != "wrong blob "+name && found != "missing blob "+name {
				t.Errorf("found: %s", found)
			}

			// Media, before they are extracted, and before they are drawn onto.
			for what, change := range map[string]func([]byte) []byte{"shorter": shorter, "garbled": garbled} {
				content := host.Picture(32, 48)
				m := host.Upload(t, s, content)
				name := fmt.Sprint("media/images/", m.ID)
				e := host.Extract(t, s, m.ID)
				host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
				damage(name, content, change)
				again, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID)})
				if err != nil {
					t.Fatal(err)
				}
				host.Wait(t, s, storage.Keypoints, again.ID, storage.Failure)
				if again, err = s.GetExtraction(t.Context(), host.Owner, again.ID); err != nil || again.Failure != "There is a problem on the service." {
					t.Errorf("%s: the extraction says %q (%v)", what, again.Failure, err)
				}
				log.wants(t, "blob "+name)
				d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
				if err != nil {
					t.Fatal(err)
				}
				host.Wait(t, s, storage.Drawings, d.ID, storage.Failure)
				if d, err = s.GetDrawing(t.Context(), host.Owner, d.ID); err != nil || d.Failure != "There is a problem on the service." {
					t.Errorf("%s: the drawing says %q (%v)", what, d.Failure, err)
				}
				log.wants(t, "blob "+name)
			}

			// What the user uploaded like this is the user's.
			bad, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(host.Upload(t, s, []byte("no picture")).ID)})
			if err != nil {
				t.Fatal(err)
			}
			host.Wait(t, s, storage.Keypoints, bad.ID, storage.Failure)
			if bad, err = s.GetExtraction(t.Context(), host.Owner, bad.ID); err != nil || bad.Failure != "The image format is not supported." {
				t.Errorf("no picture: %q (%v)", bad.Failure, err)
			}
		})
	}
}

// syncBuffer is a log that may be read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// wants checks that a text has been logged since the last call.
func (b *syncBuffer) wants(t *testing.T, text string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !strings.Contains(b.buf.String(), text) {
		t.Errorf("the log has no %q:\n%s", text, b.buf.String())
	}
	b.buf.Reset()
}
