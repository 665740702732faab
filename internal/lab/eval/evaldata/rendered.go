package evaldata

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// Movies returns the movies and files of keypoints in a folder that have a reference NAME.reference.EXT, or if there is none
// the rendered movies.
func Movies(folder string) ([]string, error) {
	paths, err := own(folder)
	if err != nil || len(paths) > 0 {
		return paths, err
	}
	paths, err = filepath.Glob(filepath.Join(folder, "*.mp4"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("-movies: there is no .mp4 in %q", folder)
	}
	return paths, err
}

// Truth reads the reference of a recording, or the truth NAME.json beside a rendered movie NAME.mp4.
func Truth(movie string) (*evalpose.Truth, error) {
	name := strings.TrimSuffix(movie, filepath.Ext(movie))
	if t, ok, err := reference(name); ok || err != nil {
		return t, err
	}
	f, err := os.Open(name + ".json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return evalpose.ReadTruth(f)
}

// Stored returns a function that reads the keypoints of a movie NAME.mp4 or NAME/video.mp4 from NAME.json in a folder.
func Stored(folder string) func(movie string) (keypoint.Sequence, error) {
	return func(movie string) (seq keypoint.Sequence, err error) {
		name := strings.TrimSuffix(strings.TrimSuffix(movie, "/video.mp4"), ".mp4")
		data, err := os.ReadFile(filepath.Join(folder, filepath.Base(name)+".json"))
		if err == nil {
			err = json.Unmarshal(data, &seq)
		}
		return seq, err
	}
}

// Open opens the estimator of a name: balanced or fast.
func Open(name string) (*pose.Estimator, error) {
	open, ok := map[string]func(pose.Options) (*pose.Estimator, error){"balanced": pose.Balanced, "fast": pose.Fast}[name]
	if !ok {
		return nil, fmt.Errorf("-estimator is %q, want balanced or fast", name)
	}
	return open(pose.Options{})
}

// Estimated returns a function that estimates the keypoints of a movie, with feet.
func Estimated(ctx context.Context, est inference.Estimator) func(movie string) (keypoint.Sequence, error) {
	return func(movie string) (keypoint.Sequence, error) {
		return motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, ExtractOptions: inference.ExtractOptions{Feet: true}}.File(ctx, movie)
	}
}
