package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/live"
)

// feed is where live pictures come from.
type feed struct {
	input     string // "-": standard input
	format    string // FFmpeg's name of the demuxer; "": unknown
	options   []string
	reconnect time.Duration
	stdin     io.Reader
}

// isFile reports whether the input is a movie.
func (f feed) isFile() bool {
	return f.input != "-" && f.format == "" && !strings.HasPrefix(f.input, "/dev/") && !strings.Contains(f.input, "://")
}

// check reports what is wrong before anything is opened. wasm says that FFmpeg runs inside this process.
func (f feed) check(wasm bool) error {
	switch file, _ := f.stdin.(*os.File); {
	case f.isFile():
		info, err := os.Stat(f.input)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no movie: a camera needs --input-format", f.input)
		}
		if len(f.options) > 0 {
			return errors.New("--input-options are for cameras, streams and standard input")
		}
	case f.input != "-" && wasm:
		return wrong("ffmpeg", setup.WASM, setup.Installed+" for cameras and network streams")
	case f.input == "-" && file != nil && term.IsTerminal(int(file.Fd())):
		return errors.New("standard input is a terminal: want pictures in a pipe")
	}
	return nil
}

// source returns the pictures. d decodes files.
func (f feed) source(d inference.Decoder) live.Source {
	if f.isFile() {
		return f.play(d)
	}
	camera := ffmpeg.Live{Input: f.input, Format: f.format, Options: f.options, Reconnect: f.reconnect}
	if f.reconnect == 0 {
		camera.Reconnect = -1
	}
	switch {
	case f.input == "-":
		camera.Input, camera.Reader = "", f.stdin
		if d, ok := d.(ffmpeg.Decoder); ok {
			camera.Runner = d.Runner
		}
	case f.format == "" && strings.HasPrefix(f.input, "/dev/"):
		camera.Format = "v4l2"
	}
	return func(ctx context.Context) (inference.Frames, error) {
		if f.format == "" && strings.HasPrefix(f.input, "http") && sendsJPEG(ctx, f.input) {
			camera.Format = "mpjpeg"
		}
		return camera.Open(ctx)
	}
}

// sendsJPEG reports whether a server sends one picture after the other. FFmpeg finds that out, too, but takes
// them as 25 a second if it is not told.
func sendsJPEG(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return kind == "multipart/x-mixed-replace"
}

// play returns the pictures of a movie, each when it is due.
func (f feed) play(d inference.Decoder) live.Source {
	return func(ctx context.Context) (inference.Frames, error) {
		movie, err := os.Open(f.input)
		if err != nil {
			return nil, err
		}
		frames, err := d.Open(ctx, movie)
		if err != nil {
			movie.Close()
			return nil, err
		}
		return &playing{Frames: frames, ctx: ctx, movie: movie}, nil
	}
}

// playing are the pictures of a movie that plays.
type playing struct {
	inference.Frames
	ctx   context.Context
	movie *os.File
	begun time.Time
}

// Next implements inference.Frames.
func (p *playing) Next() (inference.Picture, error) {
	pic, err := p.Frames.Next()
	if err != nil {
		return pic, err
	}
	if p.begun.IsZero() {
		p.begun = time.Now()
	}
	select {
	case <-time.After(time.Until(p.begun.Add(time.Duration(pic.Time * 1e9)))):
		return pic, nil
	case <-p.ctx.Done():
		pic.Release()
		return inference.Picture{}, p.ctx.Err()
	}
}

// Close implements inference.Frames.
func (p *playing) Close() error { return errors.Join(p.Frames.Close(), p.movie.Close()) }
