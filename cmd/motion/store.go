package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// generation is part of every key. Raise it when what is computed changes.
const generation = 2

// store is the folder of the results. Its folder .motion has what the program remembers, a file for each
// input, and the files that are being written.
type store struct {
	dir    string
	unlock func() error
}

// openStore opens a folder, which no other process may have open, and removes what a killed one has left half-written.
func openStore(dir string) (*store, error) {
	s := &store{dir: dir}
	if err := os.MkdirAll(s.own("results"), 0o755); err != nil {
		return nil, err
	}
	var err error
	if s.unlock, err = setup.Lock(s.own("lock"), "process"); err != nil {
		return nil, err
	}
	os.RemoveAll(s.own("work")) // an FFmpeg of a killed process may still write there: the names are new
	if err := os.MkdirAll(s.own("work"), 0o755); err != nil {
		return nil, errors.Join(err, s.unlock())
	}
	return s, nil
}

func (s *store) Close() error { return errors.Join(os.RemoveAll(s.own("work")), s.unlock()) }

// own returns the path of a file of the program's own.
func (s *store) own(name string) string { return filepath.Join(s.dir, ".motion", name) }

// put writes a file of the results, whole or not at all: write makes it under another path with the
// same extension. It returns the file's size.
func (s *store) put(path string, write func(path string) error) (size int64, err error) {
	return whole(s.own("work"), path, write)
}

// whole writes a file as store.put does, with a folder for it while it is written.
func whole(work, path string, write func(path string) error) (size int64, err error) {
	dir, err := os.MkdirTemp(work, "")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	temporary := filepath.Join(dir, "result"+filepath.Ext(path))
	if err := write(temporary); err != nil {
		return 0, err
	}
	info, err := os.Stat(temporary)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// record is what the program remembers of an input.
type record struct {
	Size     int64     // of the input
	Modified time.Time // the input

	Frames  int
	Seconds float64
	Found   float64        // share of the 17 parts in all frames, 0 to 1
	Quality quality.Report `json:",omitzero"` // zero: not judged

	Results map[string]result // by name
}

// result is a file that was written.
type result struct {
	Key  string // of what it was made from, and how
	Size int64
	summary
}

// load returns the record of an input. It is empty if there is none, or if the input has changed.
func (s *store) load(name string, source os.FileInfo) record {
	r := record{}
	b, err := os.ReadFile(s.own(filepath.Join("results", name+".json")))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || r.Size != source.Size() || !r.Modified.Equal(source.ModTime()) || r.Results == nil {
		return record{Size: source.Size(), Modified: source.ModTime(), Results: map[string]result{}}
	}
	return r
}

func (s *store) save(name string, r record) error {
	_, err := s.put(s.own(filepath.Join("results", name+".json")), func(path string) error {
		b, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return os.WriteFile(path, b, 0o644)
	})
	return err
}

// made reports whether a result is there as it was written.
func (s *store) made(name string, r record) (result, bool) {
	was, ok := r.Results[name]
	info, err := os.Stat(filepath.Join(s.dir, name))
	return was, ok && err == nil && info.Size() == was.Size
}

// keypoints reads keypoints that were found before.
func (s *store) keypoints(name string) (seq keypoint.Sequence, err error) {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err == nil {
		err = json.Unmarshal(b, &seq)
	}
	return seq, err
}

// key returns a short name of settings.
func key(settings ...any) string {
	b, err := json.Marshal(append(settings, generation))
	if err != nil {
		panic("settings have no JSON: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
