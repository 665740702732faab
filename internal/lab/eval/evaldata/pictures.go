// Package evaldata reads labelled pictures and movies with references from folders.
package evaldata

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
)

// Set is one file of labels.
type Set struct {
	Name     string
	Pictures []evalpose.Labelled

	images string // folder
}

// Sets reads the files of labels that match a pattern of filepath.Glob, and checks that their
// pictures exist: in the folder images, or if it is "", beside the labels. A first above 0 leaves out
// all but so many pictures of each set. Without a pattern there are no sets.
func Sets(pattern, images string, first int) ([]Set, error) {
	if pattern == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("-annotations %q: %w", pattern, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("-annotations: there is no file %s", pattern)
	}
	if len(paths) > 1 && images != "" {
		return nil, fmt.Errorf("-images is given, but -annotations matches %d files: each has its pictures beside it", len(paths))
	}
	var sets []Set
	for _, path := range paths {
		s := Set{Name: filepath.Base(path), images: filepath.Dir(path)}
		if s.Name == "annotations.json" {
			s.Name = filepath.Base(s.images)
		}
		if images != "" {
			s.images = images
		}
		if s.Pictures, err = labels(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if first > 0 && len(s.Pictures) > first {
			s.Pictures = s.Pictures[:first]
		}
		for i := range s.Pictures {
			if _, err := os.Stat(s.Path(i)); err != nil {
				return nil, fmt.Errorf("%s names a picture that is not in the folder of pictures: %w", path, err)
			}
		}
		sets = append(sets, s)
	}
	return sets, nil
}

func labels(path string) ([]evalpose.Labelled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pictures, err := evalpose.Read(f)
	if err == nil && len(pictures) == 0 {
		err = fmt.Errorf("there is no picture in the file")
	}
	return pictures, err
}

// Path returns the path of the i-th picture.
func (s *Set) Path(i int) string {
	return filepath.Join(s.images, filepath.FromSlash(s.Pictures[i].Image))
}
