package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/keypoint"
)

// WriteJSON writes a file of the results, whole or not at all.
func (p *Parts) WriteJSON(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(p.Out, ".motion-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when the file has been renamed
	_, err = f.Write(append(b, '\n'))
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	path := filepath.Join(p.Out, name)
	fmt.Println(" ", path)
	return os.Rename(f.Name(), path)
}

// Annotate draws onto a picture or movie and writes it into the results, with the extension
// that fits.
func (p *Parts) Annotate(ctx context.Context, a motion.Annotator, in, name string, seq keypoint.Sequence) error {
	meter := p.Begin(name)
	a.Decoder, a.Encoder, a.Progress = p.Decoder, p.Encoder, meter.Progress
	path := filepath.Join(p.Out, name+".mp4")
	if seq.Times == nil {
		path = filepath.Join(p.Out, name+".jpg")
	}
	if err := a.File(ctx, in, path, seq); err != nil {
		return err
	}
	meter.end()
	fmt.Println(" ", path)
	return nil
}
