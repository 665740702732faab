package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/setup"
	"github.com/bodymotion/motion/keypoint"
)

// parts are what finds keypoints and draws, and the folder for the results.
type parts struct {
	*setup.Parts
	out string
}

// writeJSON writes a file of the results, whole or not at all.
func (p *parts) writeJSON(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(p.out, ".motion-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when the file has been renamed
	_, err = f.Write(append(b, '\n'))
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	path := filepath.Join(p.out, name)
	fmt.Println(" ", path)
	return os.Rename(f.Name(), path)
}

// annotate draws onto a picture or movie and writes it into the results, with the extension
// that fits.
func (p *parts) annotate(ctx context.Context, a motion.Annotator, in, name string, seq keypoint.Sequence) error {
	meter := begin(name)
	a.Decoder, a.Encoder, a.Progress = p.Decoder, p.Encoder, meter.progress
	path := filepath.Join(p.out, name+".mp4")
	if seq.Times == nil {
		path = filepath.Join(p.out, name+".jpg")
	}
	if err := a.File(ctx, in, path, seq); err != nil {
		return err
	}
	meter.end()
	fmt.Println(" ", path)
	return nil
}
