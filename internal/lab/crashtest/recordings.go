package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
)

// recording is a file that a client uploads.
type recording struct {
	kind string // movies or images
	data []byte
}

// makeRecordings makes three different pictures, a short movie, and an invalid picture.
func makeRecordings(ctx context.Context, dir string) ([]recording, error) {
	var list []recording
	for i := range 3 {
		var b bytes.Buffer
		if err := png.Encode(&b, plain(color.RGBA{uint8(i * 37), uint8(i * 91), uint8(i), 255})); err != nil {
			return nil, err
		}
		list = append(list, recording{"images", b.Bytes()})
	}
	path := filepath.Join(dir, "movie.mp4")
	if err := makeMovie(ctx, path, color.RGBA{100, 150, 0, 255}); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	return append(list, recording{"movies", data}, recording{"images", []byte("no picture")}), err
}

func plain(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			m.Set(x, y, c)
		}
	}
	return m
}

func makeMovie(ctx context.Context, path string, at color.RGBA) error {
	w, err := mp4.Encoder{}.Create(ctx, path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 10})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range 6 {
		at.R, at.G = at.R+20, at.G-10
		if err := w.Write(plain(at), float64(i)/10); err != nil {
			return err
		}
	}
	return w.Close()
}
