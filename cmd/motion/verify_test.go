package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// planted is storage in which a test plants what verify is to find.
type planted struct {
	t     *testing.T
	flags string
	*stores.Stores
}

// do plants something, unless its error says why it cannot.
func (p planted) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p planted) put(key, content string) {
	p.t.Helper()
	_, err := p.Blobs.Put(p.t.Context(), key, strings.NewReader(content), storage.PutOptions{})
	p.do(err)
}

func (p planted) create(kind storage.Kind, status storage.Status, data string) {
	p.t.Helper()
	_, err := p.Records.Create(p.t.Context(), storage.Record{Key: storage.Key{Owner: host.Owner, Kind: kind}, Status: status, Data: []byte(data)})
	p.do(err)
}

// upload returns the name of the file of a new picture.
func (p planted) upload() string {
	s := host.Parts{Store: p.Records, Blobs: p.Blobs, Queue: p.Queue.(storage.Counter)}.Service(p.t, nil)
	return fmt.Sprint("media/images/", host.Upload(p.t, s, host.Picture(4, 4)).ID)
}

// wants runs verify, and compares its exit status and what it finds.
func (p planted) wants(status int, flags, text string, problems ...string) {
	p.t.Helper()
	stdout, stderr, got := call(p.t, p.t.TempDir(), append([]string{"verify", "--grace", "0"}, strings.Fields(p.flags+" "+flags)...)...)
	found := []string{}
	for line := range strings.Lines(stdout) {
		problem, _, _ := strings.Cut(line, "\t")
		found = append(found, problem)
	}
	slices.Sort(found)
	slices.Sort(problems)
	if got != status || !slices.Equal(found, problems) || !strings.Contains(stderr, text) {
		p.t.Errorf("verify %s: status %d, want %d with %q and %q\n%s%s", flags, got, status, problems, text, stdout, stderr)
	}
}

// TestVerify plants findings of each kind; the worst one so far is the exit status.
func TestVerify(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	for name, places := range map[string]func(*testing.T) stores.Places{
		"folder":   func(*testing.T) stores.Places { return stores.Places{Data: data} },
		"database": databaseWithBucket,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "database" {
				t.Skip("starts two servers, not run with -short")
			}
			at := places(t)
			p := planted{t: t, flags: "--data " + data}
			if at.Shared() {
				p.flags = "--db " + at.DB + " --blobs " + at.Blobs
			}
			if _, stderr, status := call(t, t.TempDir(), append([]string{"verify"}, strings.Fields(p.flags)...)...); status != 1 || stderr == "" {
				t.Errorf("before there is any: status %d\n%s", status, stderr)
			}
			kept, err := stores.Open(t.Context(), at, slog.New(slog.DiscardHandler))
			p.do(err)
			t.Cleanup(func() { testkit.Close(t, kept) })
			p.Stores = kept

			wrong, missing := p.upload(), p.upload()
			p.wants(0, "", "")
			p.put("media/notes.txt", "somebody's notes")
			p.wants(4, "", "1 of files that are not the server's", "unknown blob")
			p.put("media/movies/77", "no such movie")
			p.wants(3, "", "2, of which 1 left for upkeep", "unknown blob", "orphan blob")
			all := []string{"unknown blob", "orphan blob"}
			p.create(storage.Keypoints, storage.Processing, `{"from":[{"kind":"images","id":1}],"request":{"imageId":1}}`)
			if at.Shared() { // else the server queues it when it starts
				all = append(all, "missing job")
			}
			p.wants(3, "", "left for upkeep", all...)
			if !at.Shared() {
				flip(t, filepath.Join(data, "blobs", wrong))
				p.wants(3, "", "left for upkeep", all...)
				p.wants(2, "--content", "1 lost or damaged", append(all, "wrong blob")...)
			}
			p.put(wrong, "something else")
			p.wants(2, "", "1 lost or damaged", append(all, "wrong blob")...)
			p.do(kept.Blobs.Delete(t.Context(), missing))
			p.create(storage.Images, "", "{")
			all = append(all, "wrong blob", "missing blob", "broken record")
			p.wants(2, "--content", "3 lost or damaged", all...)
			stdout, _, status := call(t, t.TempDir(), append([]string{"verify", "--grace", "0", "--json"}, strings.Fields(p.flags)...)...)
			if want := `{"status":2,"problem":"missing blob","owner":"somebody","kind":"images","id":2,"file":"` + missing + `"`; status != 2 || !strings.Contains(stdout, want) {
				t.Errorf("status %d, %s is missing in\n%s", status, want, stdout)
			}
			if stdout, _, status := call(t, t.TempDir(), append([]string{"verify"}, strings.Fields(p.flags)...)...); status != 0 || stdout != "" {
				t.Errorf("what was changed a moment ago is looked at: status %d\n%s", status, stdout)
			}
		})
	}
}

// flip changes a bit of the one file in a folder, and nothing of what its name says.
func flip(t *testing.T, folder string) {
	t.Helper()
	files := glob(t, folder, "*")
	if len(files) != 1 {
		t.Fatalf("files of one picture: %q", files)
	}
	content, err := os.ReadFile(files[0])
	if err == nil {
		content[len(content)/2] ^= 1
		err = os.WriteFile(files[0], content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// databaseWithBucket starts PostgreSQL and an S3 server.
func databaseWithBucket(t *testing.T) stores.Places {
	pg := testkit.Database(t)
	bucket, err := testkit.StartS3(t.TempDir())
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err == nil {
		t.Cleanup(bucket.Kill)
		err = bucket.MakeBucket("media")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", testkit.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", testkit.SecretKey)
	return stores.Places{Data: t.TempDir(), DB: pg.URL(), Blobs: "s3://media?endpoint=" + bucket.Endpoint()}
}

// TestVerifyNothing: what is not there is not made, and is no success.
func TestVerifyNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for flags, want := range map[string]string{
		"":                             "--data: ",
		"--data nope":                  "--data: ",
		"--db memory":                  "--db: ",
		"--db postgres:///x":           "--db postgres://… needs --blobs",
		"--grace -1s":                  "--grace is -1s",
		"--blobs . --db none.db":       "--db: ",
		"--blobs s3://x --db none.db":  "--db: ",
		"--data . --db main.go --json": "--blobs: ",
	} {
		root := newRoot(nil, nil)
		root.SetArgs(append([]string{"verify"}, strings.Fields(flags)...))
		if err := root.ExecuteContext(context.WithoutCancel(t.Context())); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", flags, err, want)
		}
	}
	if left := glob(t, ".", "*"); len(left) > 0 {
		t.Errorf("made: %q", left)
	}
}
