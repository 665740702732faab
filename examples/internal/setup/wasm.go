//go:build !noffmpreg

package setup

import (
	encode "github.com/bodymotion/motion/draw/ffmpeg"
	"github.com/bodymotion/motion/examples/internal/ffmpreg"
	decode "github.com/bodymotion/motion/inference/ffmpeg"
)

// wasm takes FFmpeg as WebAssembly. Programs built with the tag noffmpreg do without it.
func (p *Parts) wasm(opt Options) error {
	opt.Say("movies: FFmpeg as WebAssembly inside this process (GPL-3; slower, the first movie waits some seconds)")
	r := &ffmpreg.Runner{}
	p.Decoder, p.Encoder = decode.Decoder{Runner: r, TempDir: opt.TempDir}, encode.Encoder{Runner: r, Preset: "ultrafast"}
	return nil
}
