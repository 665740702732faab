package stores

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// TestStorage: what is kept where for each value of --db, over two starts.
func TestStorage(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "records")
	for _, c := range []struct {
		db, file string
		lasts    bool
	}{
		{"", filepath.Join(dir, "motion.db"), true},
		{elsewhere, elsewhere, true},
		{Memory, "", false},
	} {
		key := storage.Key{Owner: "someone", Kind: storage.Movies, ID: 1}
		for _, again := range []bool{false, true} {
			k, err := Open(t.Context(), Places{Data: dir, DB: c.db}, slog.Default())
			if err != nil {
				t.Fatal(err)
			}
			_, recordErr := k.Records.Get(t.Context(), key)
			blob, blobErr := k.Blobs.Open(t.Context(), "of-"+filepath.Base(c.db))
			if blobErr == nil {
				blob.Close()
			}
			for _, err := range []error{recordErr, blobErr} {
				if there := err == nil; there != (again && c.lasts) || (!there && !errors.Is(err, storage.ErrNotFound)) {
					t.Errorf("--db %q, started again %v: %v", c.db, again, err)
				}
			}
			if !again {
				if _, err := k.Records.Create(t.Context(), storage.Record{Key: key}); err != nil {
					t.Fatal(err)
				}
				if _, err := k.Blobs.Put(t.Context(), "of-"+filepath.Base(c.db), strings.NewReader("x"), storage.PutOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := k.Close(); err != nil {
				t.Error(err)
			}
		}
		if c.file != "" {
			if _, err := os.Stat(c.file); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, Memory)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file has the name of %q: %v", Memory, err)
	}
	// The server in memory took nothing from the one that keeps.
	k, err := Open(t.Context(), Places{Data: dir}, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	x, err := k.Blobs.Open(t.Context(), "of-.")
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
}

// TestOneServerAFolder: what belongs to one process is refused to a second one.
func TestOneServerAFolder(t *testing.T) {
	testkit.NeedFileLocks(t)
	dir := t.TempDir()
	db := filepath.Join(t.TempDir(), "records.db")
	k, err := Open(t.Context(), Places{Data: dir, DB: db}, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Places{
		"--data: ": {Data: dir, DB: Memory},
		"--db: ":   {Data: t.TempDir(), DB: db},
	} {
		if _, err := Open(t.Context(), p, slog.Default()); err == nil || !strings.Contains(err.Error(), "another server") || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s taken twice: %v", name, err)
		}
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if k, err = Open(t.Context(), Places{Data: dir, DB: db}, slog.Default()); err != nil {
		t.Fatalf("after the end of the first: %v", err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

func TestS3Config(t *testing.T) {
	keys := map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "eu-west-3"}
	env := func(name string) string { return keys[name] }
	want := s3.Config{Bucket: "bucket", Prefix: "some/where/", Endpoint: "http://host:7070", Region: "eu-west-3", AccessKey: "a", SecretKey: "b"}
	if got, err := s3Config("s3://bucket/some/where/?endpoint=http://host:7070", env); err != nil || got != want {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	if got, err := s3Config("s3://bucket?region=here", env); err != nil || got.Region != "here" || got.Prefix != "" {
		t.Errorf("%+v (%v)", got, err)
	}
	for address, text := range map[string]string{"s3:///x": "bucket", "s3://b?end=1": "end"} {
		if _, err := s3Config(address, env); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", address, err)
		}
	}
	keys["AWS_SESSION_TOKEN"] = "c"
	if _, err := s3Config("s3://b", env); err == nil || !strings.Contains(err.Error(), "AWS_SESSION_TOKEN") {
		t.Error(err)
	}
	if _, err := s3Config("s3://b", func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "AWS_ACCESS_KEY_ID") {
		t.Error(err)
	}
}
