package evaldata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// Clip is a movie with its reference.
type Clip struct {
	Name      string // path below the folder of movies
	Path      string
	Reference *keypoint.Sequence // nil if there is none
	Clipped   int                // confidences of the reference above 1
	Truth     *evalpose.Truth    // of a rendered movie; nil if there is none
}

// Clips finds the movies in a folder, recursively, or takes the one of that path, and reads their
// references: the file beside a movie with the same name and .json, or else reference_keypoints.json.
// Without a folder there are none.
func Clips(folder string) ([]Clip, error) {
	if folder == "" {
		return nil, nil
	}
	var clips []Clip
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !IsMovie(path) {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if path == folder {
			name = filepath.Base(path)
		}
		c := Clip{Name: name, Path: path}
		for _, beside := range []string{strings.TrimSuffix(path, filepath.Ext(path)) + ".json", filepath.Join(filepath.Dir(path), "reference_keypoints.json")} {
			data, err := os.ReadFile(beside)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = c.read(data)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", beside, err)
			}
			break
		}
		clips = append(clips, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("-movies: %w", err)
	}
	if len(clips) == 0 {
		return nil, fmt.Errorf("-movies: there is no movie in %s", folder)
	}
	return clips, nil
}

// IsMovie reports whether a path has the extension of a movie.
func IsMovie(path string) bool {
	return slices.Contains([]string{".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"}, strings.ToLower(filepath.Ext(path)))
}

// read reads the reference or the truth of a movie.
func (c *Clip) read(data []byte) error {
	var head struct{ Format string }
	if json.Unmarshal(data, &head) == nil && head.Format != "" {
		truth, err := evalpose.ReadTruth(bytes.NewReader(data))
		if err != nil {
			return err
		}
		c.Truth, c.Reference = truth, &truth.Parts
		return nil
	}
	reference, clipped, err := evalpose.ReadReference(bytes.NewReader(data))
	c.Reference, c.Clipped = &reference, clipped
	return err
}
