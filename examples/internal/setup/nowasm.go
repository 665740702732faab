//go:build noffmpreg

package setup

import "errors"

// wasm fails: FFmpeg as WebAssembly is under the GPL, and this program is built without it.
func (p *Parts) wasm(Options) error {
	return errors.New("this program is built without FFmpeg as WebAssembly (tag noffmpreg): install ffmpeg and ffprobe")
}
