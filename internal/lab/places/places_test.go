// Package places_test holds the service over every kind of storage: in memory, in files, and on servers.
package places_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// kept is what Services stand on, and may share.
type kept struct {
	store storage.Store
	blobs storage.Blobs
	queue storage.Queue
	files string // the folder in which the blobs lie somehow; "" in memory
}

func (k kept) service(t testing.TB, change func(*motion.Config)) *motion.Service {
	t.Helper()
	return host.Parts{}.Service(t, func(c *motion.Config) {
		c.Store, c.Blobs, c.Queue = k.store, k.blobs, k.queue
		c.UpkeepEvery = -1
		if change != nil {
			change(c)
		}
	})
}

// place is a place where Services keep things; two returns what two processes have of it.
type place struct {
	name string
	two  func(t *testing.T) [2]kept
}

// places are those that the tests of all of storage go over.
func places() []place {
	return []place{
		{"postgres and s3", onServers},
		{"memory", func(t *testing.T) [2]kept {
			p := host.New()
			k := kept{p.Store, p.Blobs, p.Queue, ""}
			return [2]kept{k, k}
		}},
		{"sqlite and files", func(t *testing.T) (both [2]kept) {
			dir := t.TempDir()
			for i := range both {
				store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
				closed(t, err, store.Close)
				blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{})
				closed(t, err, blobs.Close)
				both[i] = kept{store, blobs, memory.NewQueue(memory.QueueOptions{}), filepath.Join(dir, "blobs")}
			}
			return both
		}},
	}
}

// closed fails the test for an error, and calls close when the test is over.
func closed(t *testing.T, err error, close func() error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if close != nil {
		t.Cleanup(func() {
			if err := close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// everything lists what is kept of all owners: records as kind/id and blobs by their keys.
func (k kept) everything(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, kind := range []storage.Kind{storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings} {
		records, err := k.store.Scan(t.Context(), kind, 0, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			all[fmt.Sprintf("%s/%d", r.Kind, r.ID)] = true
		}
	}
	err := k.blobs.List(t.Context(), "", func(b storage.BlobInfo) error { all["blob "+b.Key] = true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// put puts a blob.
func (k kept) put(t *testing.T, key, content string) {
	t.Helper()
	if _, err := k.blobs.Put(context.Background(), key, strings.NewReader(content), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}

// server returns the API of a service as a process of its own has it. Every client is owner.
func server(t *testing.T, s *motion.Service, log *slog.Logger) http.Handler {
	t.Helper()
	api, err := httpapi.New(s, httpapi.Options{
		Authenticator: func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: host.Owner}, nil },
		LinkKeys:      [][]byte{[]byte("the same in all processes")}, Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

const newImage = `{"name":"a <b> & c","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="}`

// post sends a request with a key.
func post(api http.Handler, path, key, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

// members returns the answer without its link, and the link.
func members(t *testing.T, w *httptest.ResponseRecorder) (m map[string]any, link string) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	link, _ = m["uploadUrl"].(string)
	delete(m, "uploadUrl")
	return m, link
}

// TestIdempotencyKeysShared holds that two processes share keys, and that a process that has begun
// later knows those from before.
func TestIdempotencyKeysShared(t *testing.T) {
	for _, place := range places() {
		t.Run(place.name, func(t *testing.T) {
			both := place.two(t)
			one, two := both[0].service(t, nil), both[1].service(t, nil)
			a, b := server(t, one, nil), server(t, two, nil)
			count := func() int {
				_, n, err := one.ListMedia(t.Context(), host.Owner, storage.Images, motion.Page{})
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			first, link := members(t, post(a, "/images/", "k", newImage))
			for name, api := range map[string]http.Handler{"another process": b, "after a restart": server(t, both[0].service(t, nil), nil)} {
				w := post(api, "/images/", "k", newImage)
				again, fresh := members(t, w)
				if diff := cmp.Diff(first, again); diff != "" || w.Header().Get("Idempotent-Replayed") != "true" || w.Header().Get("Location") == "" {
					t.Errorf("%s: %v, %s", name, w.Header(), diff)
				}
				if before, _, _ := strings.Cut(link, "?"); !strings.HasPrefix(fresh, before+"?") {
					t.Errorf("%s: the link %s, first %s", name, fresh, link)
				}
				if w := post(api, "/images/", "k", strings.Replace(newImage, "a", "b", 1)); w.Code != 422 {
					t.Errorf("%s, another request: %d", name, w.Code)
				}
			}
			if n := count(); n != 1 {
				t.Errorf("%d images", n)
			}

			// Many at once: one is executed.
			var wg sync.WaitGroup
			for i := range 12 {
				api := []http.Handler{a, b}[i%2]
				wg.Go(func() {
					for end := time.Now().Add(time.Minute); ; {
						w := post(api, "/images/", "many", newImage)
						if w.Code == 409 && time.Now().Before(end) {
							time.Sleep(time.Millisecond)
							continue
						}
						if w.Code != 201 {
							t.Errorf("%d %s", w.Code, w.Body)
						}
						return
					}
				})
			}
			wg.Wait()
			if n := count(); n != 2 {
				t.Errorf("%d images, want 2", n)
			}

			// A process has died amid the request: the key is free after the lease.
			dead := storage.Request{Owner: host.Owner, Key: "dead"}
			if _, err := one.Answers().ReserveAnswer(t.Context(), dead, 0, 1000); err != nil {
				t.Fatal(err)
			}
			if w := post(b, "/images/", "dead", newImage); w.Code != 201 || w.Header().Get("Idempotent-Replayed") != "" {
				t.Errorf("after a dead process: %d %s", w.Code, w.Body)
			}
			if err := two.Upkeep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// keeper counts the calls of ExpireAnswers and notes what it is to keep, which may fail.
type keeper struct {
	storage.Store
	storage.AnswerKeeper
	err     error
	expired int
	kept    string
}

func (k *keeper) KeepAnswer(ctx context.Context, id int64, answer []byte, ttl time.Duration) error {
	k.kept += string(answer)
	if k.err != nil {
		return k.err
	}
	return k.AnswerKeeper.KeepAnswer(ctx, id, answer, ttl)
}

func (k *keeper) ExpireAnswers(ctx context.Context) error {
	k.expired++
	return k.AnswerKeeper.ExpireAnswers(ctx)
}

// metered is a store that a host decorates.
type metered struct{ storage.Store }

func (m metered) Unwrap() storage.Store { return m.Store }

// TestAnswers: a host's store is found through decorators, upkeep removes what is over, a fault of
// it hides no record, and a store without the ability gets a table in memory.
func TestAnswers(t *testing.T) {
	p := host.New()
	k := &keeper{Store: p.Store, AnswerKeeper: p.Store.(storage.AnswerKeeper)}
	s := p.Service(t, func(c *motion.Config) { c.Store = metered{k} })
	if err := s.Upkeep(t.Context()); err != nil || k.expired != 1 {
		t.Errorf("expired %d times (%v)", k.expired, err)
	}
	api := server(t, s, nil)
	k.err = errors.New("the disk is on fire")
	if w := post(api, "/images/", "k", newImage); w.Code != 201 || strings.Contains(w.Body.String(), "fire") {
		t.Errorf("an answer that is not kept: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(k.kept, "contentMd5") || strings.Contains(k.kept, "signature") {
		t.Errorf("kept is %s, want the answer without its link", k.kept)
	}
	if w := post(api, "/images/", "k", newImage); w.Code != 409 {
		t.Errorf("the record exists, and its answer is unknown: %d", w.Code)
	}

	plain := p.Service(t, func(c *motion.Config) {
		c.Store = struct{ storage.Store }{memory.NewStore(memory.StoreOptions{})}
	})
	first, _ := members(t, post(server(t, plain, nil), "/images/", "k", newImage))
	again, _ := members(t, post(server(t, plain, nil), "/images/", "k", newImage))
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("%v and %v", first, again)
	}
}
