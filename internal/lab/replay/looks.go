package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// film are the looks of all members at a movie.
type film struct {
	Size   image.Point
	Times  []float64
	Found  [][]inference.Candidate     // by the Finder; nil where it was not asked
	Looks  map[string][]keypoint.Frame // by member
	Target []keypoint.Frame            // what was followed

	mu sync.Mutex
}

// stored is the file of a film.
type stored struct {
	Found  [][]inference.Candidate      `json:"found"`
	Looks  map[string]keypoint.Sequence `json:"looks"`
	Target keypoint.Sequence            `json:"target"`
}

func path(folder, movie string) string {
	return filepath.Join(folder, strings.NewReplacer("/", "_", ".mp4", "").Replace(movie)+".json")
}

func (f *film) sequence(frames []keypoint.Frame) keypoint.Sequence {
	for len(frames) < len(f.Times) {
		frames = append(frames, keypoint.Frame{})
	}
	return keypoint.Sequence{Frames: frames, Times: f.Times, Size: f.Size}
}

func (f *film) write(folder, movie string) error {
	s := stored{Found: f.Found, Looks: map[string]keypoint.Sequence{}, Target: f.sequence(f.Target)}
	for name, frames := range f.Looks {
		s.Looks[name] = f.sequence(frames)
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(path(folder, movie), data, 0o666)
}

func readFilm(folder, movie string) (*film, error) {
	data, err := os.ReadFile(path(folder, movie))
	if err != nil {
		return nil, err
	}
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", path(folder, movie), err)
	}
	f := &film{Size: s.Target.Size, Times: s.Target.Times, Found: s.Found, Target: s.Target.Frames, Looks: map[string][]keypoint.Frame{}}
	for name, seq := range s.Looks {
		f.Looks[name] = seq.Frames
	}
	return f, nil
}

// put stores a member's look at frame n.
func (f *film) put(member string, n int, frame keypoint.Frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.Looks[member]) <= n {
		f.Looks[member] = append(f.Looks[member], keypoint.Frame{})
	}
	f.Looks[member][n] = frame
}

// at returns a member's look at frame n.
func (f *film) at(member string, n int) keypoint.Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n < len(f.Looks[member]) {
		return f.Looks[member][n]
	}
	return keypoint.Frame{}
}

// numbered is a picture that knows the number of its frame.
type numbered struct {
	image.Image
	n int
}

// counted numbers the frames of a movie.
type counted struct {
	inference.Frames
	next int
}

func (c *counted) Next() (inference.Picture, error) {
	p, err := c.Frames.Next()
	p.Image = numbered{p.Image, c.next}
	c.next++
	return p, err
}

// replayed are the frames of a film: grey pictures.
type replayed struct {
	film *film
	grey *image.Gray
	next int
}

func (r *replayed) Info() inference.Info {
	return inference.Info{Size: r.film.Size, Frames: len(r.film.Times)}
}
func (r *replayed) Close() error { return nil }

func (r *replayed) Next() (inference.Picture, error) {
	if r.next == len(r.film.Times) {
		return inference.Picture{}, io.EOF
	}
	r.next++
	return inference.Picture{Image: numbered{r.grey, r.next - 1}, Time: r.film.Times[r.next-1], Release: func() {}}, nil
}

// member is a Network that repeats what one of a film has seen, and counts.
type member struct {
	name  string
	film  *film
	asked *count
}

type count struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *count) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times[name]++
}

func (m member) Look(_ context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	n := img.(numbered).n
	m.asked.add(m.name)
	f := m.film.at(m.name, n)
	if !r.Followed {
		return f, nil
	}
	return r.Accept(f, 0, keypoint.NumBody), nil
}

// finder repeats what the Finder has found.
type finder struct {
	film  *film
	asked *count
}

func (f finder) Find(_ context.Context, img image.Image) ([]inference.Candidate, error) {
	n := img.(numbered).n
	f.asked.add("multipose")
	if n < len(f.film.Found) && f.film.Found[n] != nil {
		return f.film.Found[n], nil
	}
	target := f.film.Target[n].Only(keypoint.Body)
	if box, ok := inference.BoundsOf(&target); ok {
		return []inference.Candidate{{Box: box, Keypoints: target, Score: 1}}, nil
	}
	return nil, nil
}
