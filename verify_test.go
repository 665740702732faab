package motion_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// findings are what Verify finds, without the details, in order.
func findings(t *testing.T, s *motion.Service, opt motion.VerifyOptions) []string {
	t.Helper()
	found := []string{}
	err := s.Verify(t.Context(), opt, func(f motion.Finding) error {
		f.Detail = ""
		found = append(found, f.String())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// flip changes a bit of the files that hold the content of a blob.
func (k kept) flip(t *testing.T, key string) {
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
		content[len(content)/2] ^= 1
		return os.WriteFile(path, content, 0o600)
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
			stop := run(t, s)
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
			lost, err := k.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Processing, Data: []byte(`{"image":1}`)})
			if err != nil {
				t.Fatal(err)
			}
			broken, err := k.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Images}, Data: []byte("{")})
			if err != nil {
				t.Fatal(err)
			}
			// One that waits for its file is in order.
			if _, err := s.RegisterImage(t.Context(), owner, motion.NewMedia{ContentMD5: hexMD5(nil)}); err != nil {
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
				kind.Owner = owner
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
