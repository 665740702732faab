package ffmpeg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/bodymotion/motion/internal/ffexec"
)

// audio is the file whose sound a movie gets.
type audio struct {
	path  string
	codec string // of its first sound, "" for none
}

// fitsMP4 reports whether players expect a codec in an MP4 file, so that the sound can be
// copied as it is.
func fitsMP4(codec string) bool {
	return slices.Contains([]string{"aac", "mp3", "ac3", "eac3", "alac"}, codec)
}

// openAudio finds out what sound r has. A copy that has to be made of it lies in dir,
// which belongs to the movie.
func (e Encoder) openAudio(ctx context.Context, r io.ReadSeeker, dir string) (audio, error) {
	path, _, err := ffexec.LocalPath(ctx, r, dir)
	if err != nil {
		return audio{}, err
	}
	var out bytes.Buffer
	err = e.Runner.Run(ctx, ffexec.Command{
		Program: "ffprobe",
		Args: []string{
			"-v", "error", "-protocol_whitelist", "file", "-select_streams", "a:0", "-show_entries", "stream=codec_name", "-of", "json", "file:" + path,
		},
		Stdout: &out, ReadFiles: []string{path},
	})
	if errors.Is(err, ffexec.ErrProgram) || ctx.Err() != nil {
		return audio{}, err
	}
	var answer struct {
		Streams []struct {
			Codec string `json:"codec_name"`
		}
	}
	if err != nil || json.Unmarshal(out.Bytes(), &answer) != nil || len(answer.Streams) == 0 {
		return audio{}, nil // no sound that can be read
	}
	return audio{path, answer.Streams[0].Codec}, nil
}
