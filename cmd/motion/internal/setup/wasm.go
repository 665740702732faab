package setup

import (
	"context"

	"github.com/bodymotion/motion/cmd/motion/ffmpreg"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
)

// wasm selects FFmpeg as WebAssembly.
func (p *Parts) wasm(ctx context.Context, opt Options) error {
	opt.Say("movies: FFmpeg as WebAssembly (slower; the first start takes some seconds)")
	r, err := ffmpreg.Open(ctx, opt.loads())
	if err != nil {
		return err
	}
	p.Probes = 1
	p.Decoder, p.Encoder = ffmpeg.Decoder{Runner: r, TempDir: opt.TempDir}, mp4.Encoder{Runner: r, Preset: "ultrafast"}
	return nil
}
