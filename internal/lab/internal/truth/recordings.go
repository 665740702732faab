// Package truth reads what is known of recordings and pictures: the truth of rendered movies, keypoints of other systems, and
// labels of people.
package truth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// Truth is what is known of a recording. Of one that is not rendered, that is Parts, and perhaps Events.
type Truth = rendered.Truth

// Event is a step, a take-off or a landing.
type Event = rendered.Event

// World holds the parts of a frame in metres.
type World = rendered.World

// The events that are measured.
const (
	HeelStrike = "heel strike"
	ToeOff     = "toe off"
	TakeOff    = "take-off"
	Landing    = "landing"
)

// Recording is a movie, or a file of keypoints, with what is known of it.
type Recording struct {
	Name, Path string
	*Truth     // nil if nothing is known
}

// Recordings finds the recordings in a folder, and if there are none those of its subfolders, or takes the one of that path.
// They are those with a reference NAME.reference.EXT, or if there is none the movies.
func Recordings(path string) (list []Recording, err error) {
	var paths []string
	for _, pattern := range []string{path, filepath.Join(path, "*"), filepath.Join(path, "*", "*")} {
		files, err := filepath.Glob(pattern)
		if err == nil {
			paths, err = referred(files)
		}
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			paths = slices.DeleteFunc(files, func(file string) bool { return !IsMovie(file) })
		}
		if len(paths) > 0 {
			break
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there is no movie in %q", path)
	}
	for _, file := range paths {
		r := Recording{Path: file}
		if r.Name, err = filepath.Rel(path, file); r.Name == "." {
			r.Name = filepath.Base(file)
		}
		if err != nil {
			return nil, err
		}
		if r.Truth, err = Of(file); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// IsMovie reports whether a path has the extension of a movie.
func IsMovie(path string) bool {
	return slices.Contains([]string{".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"}, strings.ToLower(filepath.Ext(path)))
}

// Of reads what is known of a recording NAME.EXT: its reference, the truth NAME.json of a rendered movie, or the keypoints that
// another program has found, NAME.json or reference_keypoints.json beside it. It returns nil if nothing is known.
func Of(recording string) (*Truth, error) {
	name := strings.TrimSuffix(recording, filepath.Ext(recording))
	if t, ok, err := reference(name); ok || err != nil {
		return t, err
	}
	for _, path := range []string{name + ".json", filepath.Join(filepath.Dir(recording), "reference_keypoints.json")} {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var t *Truth
		if err == nil {
			t, err = Read(data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return t, nil
	}
	return nil, nil
}

// Keypoints reads a file of keypoints in a format of formats.Read.
func Keypoints(path string) (seq keypoint.Sequence, err error) {
	f, err := os.Open(path)
	if err != nil {
		return seq, err
	}
	defer f.Close()
	if seq, err = formats.Read(f, "", formats.Options{}); err != nil {
		return seq, fmt.Errorf("%s: %w", path, err)
	}
	return seq, nil
}

// Read reads the truth of a rendered movie, or keypoints: in the JSON form of a keypoint.Sequence with times, or
//
//	{"frames": [{"t": 0.04, "keypoints": {"nose": [367, 81], "leftEye": [374, 73, 0.9]}}]}
//
// t is in seconds from the start of the movie; coordinates are pixels of the upright picture; a third number is the
// confidence, without it and above it 1. A frame without keypoints has nobody. An error wraps keypoint.ErrInvalid.
func Read(data []byte) (*Truth, error) {
	var d struct {
		Format   string
		Keypoint json.RawMessage
		Frames   json.RawMessage
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, invalid("%w", err)
	}
	if d.Format != "" {
		return rendered.Read(data)
	}
	t := &Truth{}
	var err error
	if d.Keypoint != nil {
		err = t.Parts.UnmarshalJSON(data)
	} else {
		t.Parts, err = found(d.Frames)
	}
	if err == nil && len(t.Parts.Times) != t.Parts.Len() {
		err = invalid("the keypoints have no times")
	}
	if err != nil {
		return nil, err
	}
	known(t)
	return t, t.Parts.Validate()
}

// found reads frames of keypoints.
func found(data []byte) (seq keypoint.Sequence, err error) {
	var frames []struct {
		T         *float64
		Keypoints map[string][]float64
	}
	if err := json.Unmarshal(data, &frames); err != nil {
		return seq, invalid("frames: %w", err)
	}
	for i, x := range frames {
		if x.T == nil || x.Keypoints == nil {
			return seq, invalid("frame %d: want t and keypoints", i)
		}
		var f keypoint.Frame
		for name, at := range x.Keypoints {
			p, err := keypoint.ParsePart(name)
			if err != nil || len(at) < 2 || len(at) > 3 {
				return seq, invalid("frame %d: %s is %v, want [x, y] or [x, y, confidence] of a part", i, name, at)
			}
			f.Set(p, keypoint.Point(at[:2]), append(at, 1)[2]) // clamps it
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, *x.T)
	}
	return seq, nil
}

// invalid returns an error of the kind keypoint.ErrInvalid.
func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %w", keypoint.ErrInvalid, fmt.Errorf(format, args...))
}
