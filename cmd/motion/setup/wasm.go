//go:build !noffmpreg

package setup

import (
	"github.com/bodymotion/motion/cmd/motion/internal/ffmpreg"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
)

// wasm selects FFmpeg as WebAssembly. The build tag noffmpreg leaves it out.
func (p *Parts) wasm(opt Options) error {
	opt.Say("movies: FFmpeg as WebAssembly inside this process (GPL-3; slower; the first start takes some seconds)")
	r := &ffmpreg.Runner{}
	if err := r.Compile(); err != nil {
		return err
	}
	p.Probes = 1
	p.Decoder, p.Encoder = ffmpeg.Decoder{Runner: r, TempDir: opt.TempDir}, mp4.Encoder{Runner: r, Preset: "ultrafast"}
	return nil
}
