package mp4

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
)

// audio is the file whose sound is copied into a movie. The zero value is silent.
type audio struct {
	ffexec.Media
	codec  string // of its first audio stream; "": none
	remove func() // removes the copy of the file
}

// openAudio examines the sound of r. The caller calls remove. If a copy is needed, it lies in dir. As the decoder does, it names
// the demuxer of the container that the content shows, so that FFmpeg does not open what a playlist names.
func (e Encoder) openAudio(ctx context.Context, r io.ReadSeeker, dir string) (a audio, err error) {
	if a.Path, a.remove, err = ffexec.LocalPath(ctx, r, dir); err != nil {
		return audio{}, err
	}
	head, err := ffexec.Head(a.Path)
	if err != nil {
		a.remove()
		return audio{}, err
	}
	out := new(ffexec.Answer)
	if a.Demuxer = ffexec.Demuxer(head); a.Demuxer != "" {
		out, err = ffexec.Probe(ctx, a.Media, e.Runner, ffexec.Memory, 0, func() *ffexec.Answer { return new(ffexec.Answer) }, ffexec.Headers...)
	}
	if errors.Is(err, program.ErrNotFound) || ctx.Err() != nil {
		a.remove()
		return audio{}, errors.Join(ctx.Err(), err)
	}
	var answer struct {
		Streams []struct {
			Type  string `json:"codec_type"`
			Codec string `json:"codec_name"`
		}
	}
	if err == nil && json.Unmarshal(out.Bytes(), &answer) == nil {
		for _, s := range slices.Backward(answer.Streams) {
			if s.Type == "audio" {
				a.codec = s.Codec // at last of the first one
			}
		}
	}
	return a, nil // no codec: no readable sound
}
