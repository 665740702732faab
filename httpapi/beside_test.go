package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

// TestBeside: another client's reads are answered within a second beside 16 connections of one that gives recordings to people who
// are erased meanwhile, cuts its uploads, writes ids in other spellings, or reads long lists.
func TestBeside(t *testing.T) {
	testkit.Thorough(t, "needs some seconds for each")
	const given = `{"keypoints":[{"nose":[1,2]}],"size":[64,48],"clean":false%s}`
	type asking func(method, address, body string) (id int64)
	for name, act := range map[string]func(ask asking, upload func(body string)){
		"people are erased": func(ask asking, _ func(string)) {
			who := ask("POST", "/subjects/", `{"name":"somebody"}`)
			for range 4 {
				if id := ask("POST", "/keypoints/", fmt.Sprintf(given, "")); id != 0 {
					ask("PATCH", fmt.Sprintf("/keypoints/%d/", id), fmt.Sprintf(`{"subjectId":%d,"notes":[{"text":"even"}]}`, who))
				}
			}
			ask("DELETE", fmt.Sprintf("/subjects/%d/?all=true", who), "")
		},
		"uploads are cut": func(ask asking, upload func(string)) {
			who := ask("POST", "/subjects/", `{"name":"somebody"}`)
			upload(fmt.Sprintf(`{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","subjectId":%d}`, who))
			ask("DELETE", fmt.Sprintf("/subjects/%d/?all=true", who), "")
		},
		"ids in other spellings": func(ask asking, _ func(string)) {
			who := ask("POST", "/subjects/", `{"name":"somebody"}`)
			id := ask("POST", "/keypoints/", fmt.Sprintf(given, fmt.Sprintf(`,"subjectId":%d.0`, who)))
			ask("PATCH", fmt.Sprintf("/keypoints/%d/", id), fmt.Sprintf(`{"subjectId":%de0}`, who))
			ask("POST", "/analyses/", fmt.Sprintf(`{"keypointId":%d.0,"overview":true}`, id))
			ask("POST", "/keypoints/", fmt.Sprintf(`{"movieId":1.3e1,"imageId":%d.00}`, id))
		},
		"long lists": func(ask asking, _ func(string)) {
			ask("GET", "/keypoints/?size=1000", "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			blobs, err := file.Open(filepath.Join(folder, "blobs"), file.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer blobs.Close()
			store, err := sqlite.Open(filepath.Join(folder, "motion.db"), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			d := newDirect(t, func(_ *httpapi.Options, c *motion.Config) { c.Blobs, c.Store = blobs, store })
			for range 300 {
				givenRecord(t, d, "busy")
			}
			mine := givenRecord(t, d, "good")
			answers := map[string]int{} // by method and status
			var mu sync.Mutex
			send := func(method, address string, body io.Reader, n int) (made struct {
				ID        int64
				UploadURL string
			}) {
				r := serve(d.api, method, address, "busy", body, int64(n))
				json.Unmarshal(r.Body.Bytes(), &made)
				mu.Lock()
				defer mu.Unlock()
				answers[fmt.Sprint(method, " ", r.Code)]++
				return made
			}
			ask := func(method, address, body string) (id int64) {
				return send(method, address, strings.NewReader(body), len(body)).ID
			}
			upload := func(body string) {
				to := strings.TrimPrefix(send("POST", "/images/", strings.NewReader(body), len(body)).UploadURL, "http://example.com")
				cut := io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(io.ErrUnexpectedEOF))
				send("PUT", to, cut, 8<<20)
			}
			done := make(chan struct{})
			var all sync.WaitGroup
			for range 16 {
				all.Go(func() {
					for {
						select {
						case <-done:
							return
						default:
							act(ask, upload)
						}
					}
				})
			}
			time.AfterFunc(4*time.Second, func() { close(done) })
			took := reads(t, d.api, done, mine, "/keypoints/")
			all.Wait()
			p99 := took[len(took)*99/100]
			t.Logf("%d reads beside %v: median %v, p99 %v, the longest %v", len(took), answers, took[len(took)/2], p99, took[len(took)-1])
			if p99 > time.Second {
				t.Errorf("99 %% of the other client's reads take %v", p99)
			}
		})
	}
}
