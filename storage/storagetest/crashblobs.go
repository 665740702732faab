package storagetest

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// crashContent is the content that a crashing child puts, by object and version.
func crashContent(id int64, version int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%d of %d;", version, id), 20_000)
}

func crashKey(id int64) string { return fmt.Sprintf("crash/%d", id) }

// putVersions repeatedly replaces a blob of one worker.
func putVersions(b storage.Blobs, worker int) error {
	id := int64(worker)
	next := 1
	if x, err := b.Open(context.Background(), crashKey(id)); err == nil { // of a former child
		if _, err := fmt.Fscanf(x, "%d of", &next); err != nil {
			return err
		}
		next++
		if err := x.Close(); err != nil {
			return err
		}
	} else if !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	content := crashContent(id, next)
	if _, err := b.Put(context.Background(), crashKey(id), bytes.NewReader(content), storage.PutOptions{}); err != nil {
		return err
	}
	return tell(id, next)
}

// crashBlobs: the blobs of a killed process exist and are complete, in the last version or in the one that was being put.
func crashBlobs(t *testing.T, d BlobsDriver) {
	place := d.Place(t)
	told := map[int64]int{}
	for round := range 3 {
		for id, version := range killedAfter(t, place, 60+round*17) {
			told[id] = version
		}
		if t.Failed() {
			return
		}
		b, err := d.Open(place)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for id, version := range told {
			want = append(want, crashKey(id))
			x, err := b.Open(t.Context(), crashKey(id))
			if err != nil {
				t.Errorf("blob %d, put in version %d: %v", id, version, err)
				continue
			}
			content, err := io.ReadAll(x)
			whole := bytes.Equal(content, crashContent(id, version)) || bytes.Equal(content, crashContent(id, version+1))
			if err != nil || !whole || x.Info().MD5 != md5.Sum(content) || x.Info().Size != int64(len(content)) {
				t.Errorf("blob %d, put in version %d, has %d bytes that begin with %q (%v)", id, version, len(content), content[:min(20, len(content))], err)
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}
		slices.Sort(want)
		if got := keys(t, b, ""); !slices.Equal(got, want) {
			t.Errorf("after the crash there is %v, want %v", got, want)
		}
		shut(t, b)
	}
}

// reopenBlobs: blobs survive closing and opening.
func reopenBlobs(t *testing.T, d BlobsDriver) {
	place := d.Place(t)
	b, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	put(t, b, "a/b", "former")
	before := put(t, b, "a/b", "content")
	put(t, b, "gone", "x")
	if err := b.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	shut(t, b)
	b = d.open(t, place)
	x, err := b.Open(t.Context(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got := x.Info(); got.Key != before.Key || got.Size != before.Size || got.MD5 != before.MD5 || !got.Modified.Equal(before.Modified) {
		t.Errorf("%+v, was %+v", got, before)
	}
	if got := read(t, b, "a/b"); got != "content" {
		t.Errorf("the blob reads %q", got)
	}
	if got := keys(t, b, ""); !slices.Equal(got, []string{"a/b"}) {
		t.Errorf("there is %v", got)
	}
}
