package blazepose

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// Model is a network: that of package lite, full or heavy, or a file with the same input and
// outputs.
type Model struct {
	Name   string
	ONNX   []byte
	SHA256 string // of ONNX, hexadecimal; "": not checked
}

// Size is the width and height of the network's input, pixels.
const Size = 256

// Session is a loaded network. It is safe for concurrent use.
type Session struct {
	model Model
	graph *ort.Graph
}

// ErrLibrary reports that ONNX Runtime is missing or unusable. The error says how to install it.
var ErrLibrary = ort.ErrLibrary

// ErrProvider reports that Options.Provider cannot be used.
var ErrProvider = ort.ErrProvider

// NewSession loads a network with the Library, Threads and Provider of opt. The caller closes
// the Session.
func NewSession(m Model, opt Options) (*Session, error) {
	if sum := sha256.Sum256(m.ONNX); m.SHA256 != "" && hex.EncodeToString(sum[:]) != m.SHA256 {
		return nil, fmt.Errorf("blazepose: the model %s is damaged: its SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
	}
	g, err := ort.OpenGraph(ort.Model{Data: m.ONNX}, ort.GraphOptions{
		Library: opt.Library, Threads: opt.Threads, Provider: opt.Provider,
		Input: "input", Bytes: true, Outputs: []string{"landmarks", "person", "heatmap"},
	})
	if err != nil {
		return nil, fmt.Errorf("blazepose: %w", err)
	}
	return &Session{m, g}, nil
}

// Close waits for running calls and frees the network. Later calls give an error.
func (s *Session) Close() error { return s.graph.Close() }

// NumPoints is the number of points of the network. 0 to 32 are the body's, in the order of the paper:
// 0 nose, 1 to 6 eyes, 7 and 8 ears, 9 and 10 mouth, 11 and 12 shoulders, 13 and 14 elbows, 15 and 16
// wrists, 17 to 22 fingers, 23 and 24 hips, 25 and 26 knees, 27 and 28 ankles, 29 and 30 heels, 31 and
// 32 big toes, the left one first. 33 is the middle of the hips, and 34 lies on the circle around the
// body, above 33 as the person stands. 35 to 38 have no meaning here.
const NumPoints = 39

// Heat maps have HeatmapSize × HeatmapSize cells, each of 4 × 4 pixels of the input.
const HeatmapSize = 64

// Output is what the network finds in a picture. Its slices are valid during the call that gets it.
type Output struct {
	// Points has NumPoints rows of x, y and z, in pixels of the input, and the logits of visibility
	// and presence.
	Points []float32
	// Person is the probability that somebody is in the picture, 0 to 1.
	Person float32
	// Heatmap has NumPoints maps of HeatmapSize rows, 0 to 1: how likely the point is in a cell.
	Heatmap []float32
}

// Run runs the network on a picture of Size × Size pixels of RGB bytes, rows from the top, in which
// the body stands upright. fill writes the picture, and use reads the output.
func (s *Session) Run(fill func(rgb []byte), use func(Output)) error {
	if fill == nil || use == nil {
		return fmt.Errorf("%w blazepose.Session.Run: fill or use is nil", keypoint.ErrInvalid)
	}
	shapes := [][]int64{{1, 5 * NumPoints}, {1, 1}, {1, NumPoints, HeatmapSize, HeatmapSize}}
	err := s.graph.Use([]int64{1, Size, Size, 3}, shapes, func(r *ort.Run) error {
		fill(r.Bytes)
		if err := r.Do(context.Background()); err != nil {
			return err
		}
		out := r.Outputs()
		use(Output{Points: out[0].Data, Person: out[1].Data[0], Heatmap: out[2].Data})
		return nil
	})
	if err != nil {
		return fmt.Errorf("blazepose: %s: %w", s.model.Name, err)
	}
	return nil
}
