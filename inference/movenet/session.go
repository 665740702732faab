package movenet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// Model is a network: that of package lightning, thunder or multipose, or a file with the same
// inputs and outputs.
type Model struct {
	Name   string
	ONNX   []byte
	SHA256 string // of ONNX, hexadecimal; "": not checked
	Size   int    // width and height of a pose network's input, pixels; 0: MultiPose

	Calibration Calibration // for Options.Calibrated; the zero value: none
}

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
		return nil, fmt.Errorf("movenet: the model %s is damaged: its SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
	}
	g, err := ort.OpenGraph(ort.Model{Data: m.ONNX}, ort.GraphOptions{
		Library: opt.Library, Threads: opt.Threads, Provider: opt.Provider, Input: "input", Bytes: true, Outputs: []string{"output"},
	})
	if err != nil {
		return nil, fmt.Errorf("movenet: %w", err)
	}
	return &Session{m, g}, nil
}

// Close waits for running calls and frees the network. Later calls give an error.
func (s *Session) Close() error { return s.graph.Close() }

// Run runs the network on a picture of RGB bytes, rows from the top. height and width are Size
// for a pose network, and multiples of 32 for MultiPose. fill writes the picture, and use reads
// the output, which is valid during the call: for a pose network 17 rows of y, x (0 to 1, of
// height and width) and score; for MultiPose 6 rows of 56 numbers, the same 17 rows, the box as
// ymin, xmin, ymax and xmax, and the person's score.
func (s *Session) Run(height, width int, fill func(rgb []byte), use func(out []float32)) error {
	switch {
	case fill == nil || use == nil:
		return fmt.Errorf("%w movenet.Session.Run: fill or use is nil", keypoint.ErrInvalid)
	case s.model.Size > 0 && (height != s.model.Size || width != s.model.Size):
		return fmt.Errorf("movenet: %s takes pictures of %d×%d pixels, not %d×%d", s.model.Name, s.model.Size, s.model.Size, width, height)
	case s.model.Size == 0 && (height <= 0 || width <= 0 || height%32 != 0 || width%32 != 0):
		return fmt.Errorf("movenet: %s takes pictures whose sides are multiples of 32 pixels, not %d×%d", s.model.Name, width, height)
	}
	out := []int64{1, 1, 17, 3}
	if s.model.Size == 0 {
		out = []int64{1, 6, 56}
	}
	err := s.graph.Use([]int64{1, int64(height), int64(width), 3}, [][]int64{out}, func(r *ort.Run) error {
		fill(r.Bytes)
		if err := r.Do(context.Background()); err != nil {
			return err
		}
		use(r.Outputs()[0].Data)
		return nil
	})
	if err != nil {
		return fmt.Errorf("movenet: %s: %w", s.model.Name, err)
	}
	return nil
}
