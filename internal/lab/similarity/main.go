// Similarity measures the score of package compare on rendered movies whose repetitions are known:
//
//	go run ./internal/lab/similarity -movies rendered
//
// It cuts the movies into repetitions, strides and stretches of standing still, compares each with each, and
// prints how the scores are distributed: of repetitions of one person, of the same movement of other people
// and from other views, and of unrelated movements, without and with time warping; then the lowest scores of
// repetitions and the highest of unrelated movements.
//
// The keypoints are the true ones of the movies, or with -keypoints FOLDER the raw ones of an estimator in
// FOLDER/NAME.json, in the form of keypoint.Sequence, after the default cleaning.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "similarity:", err)
		os.Exit(1)
	}
}

func run(args []string, out, status io.Writer) error {
	f := flag.NewFlagSet("similarity", flag.ContinueOnError)
	f.SetOutput(status)
	movies := f.String("movies", "", "`folder` of the truth of rendered movies")
	keypoints := f.String("keypoints", "", "`folder` of raw keypoints (default the true ones)")
	if err := f.Parse(args); err != nil {
		return err
	}
	all, err := read(*movies, *keypoints)
	if err != nil {
		return err
	}
	table, err := measure(all)
	if err != nil {
		return err
	}
	table.print(out)
	return nil
}

// read returns the units of all movies of a folder.
func read(movies, keypoints string) ([]unit, error) {
	paths, err := filepath.Glob(filepath.Join(movies, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []unit
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if name == "manifest" {
			continue
		}
		truth, err := readTruth(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		seq := truth.Parts
		if keypoints != "" {
			if seq, err = cleaned(filepath.Join(keypoints, name+".json")); err != nil {
				return nil, err
			}
		}
		all = append(all, units(name, truth, seq)...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("-movies: there is no truth in %q", movies)
	}
	return all, nil
}

func readTruth(path string) (*evalpose.Truth, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return evalpose.ReadTruth(f)
}

// cleaned reads raw keypoints and cleans them.
func cleaned(path string) (seq keypoint.Sequence, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &seq)
	}
	if err == nil {
		seq, _, err = clean.Run(seq, clean.Default())
	}
	return seq, err
}
