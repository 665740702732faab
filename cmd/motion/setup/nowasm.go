//go:build noffmpreg

package setup

import "errors"

// wasm returns an error: this program is built without the WebAssembly FFmpeg, which is under the
// GPL.
func (p *Parts) wasm(Options) error {
	return errors.New("this program is built without FFmpeg as WebAssembly (tag noffmpreg): install ffmpeg and ffprobe")
}
