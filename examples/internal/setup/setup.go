// Package setup is shared by the example programs: it finds or installs ONNX Runtime, chooses the
// installed FFmpeg or the WebAssembly one, and handles interrupts.
package setup

import (
	"context"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
)

// The values of Options.FFmpeg.
const (
	Auto      = "auto"      // Installed if there is one, else WASM
	Installed = "installed" // the programs in PATH
	WASM      = "wasm"      // inside this process, as a sandbox
)

// Options are the options of New.
type Options struct {
	Setting string               // fast, balanced or accurate
	Blind   bool                 // no networks: Estimator and Live stay nil
	Live    bool                 // networks for live pictures, too
	FFmpeg  string               // Auto, Installed or WASM
	Threads int                  // of one estimate; 0 for the default
	TempDir string               // for copies of movies; "" for the system's
	Out     string               // folder for results of Parts.WriteJSON and Parts.Annotate
	Say     func(string, ...any) // told what is used and what takes time
}

// Parts are the parts of a Service that New creates. Close frees them.
type Parts struct {
	Estimator *pose.Estimator // nil if Blind
	Live      *pose.Estimator // pose.Fast, whatever the setting; nil without Options.Live
	Decoder   inference.Decoder
	Encoder   draw.Encoder
	Probes    int // for motion.Config: FFmpeg inside this process takes its memory
	Out       string
}

// Close frees the networks.
func (p *Parts) Close() error {
	var err error
	if p.Live != nil && p.Live != p.Estimator {
		err = p.Live.Close()
	}
	if p.Estimator != nil {
		err = errors.Join(err, p.Estimator.Close())
	}
	return err
}

// New creates the parts.
func New(ctx context.Context, opt Options) (*Parts, error) {
	if _, err := network(opt.Setting); err != nil {
		return nil, err
	}
	p := &Parts{Out: opt.Out}
	if err := p.ffmpeg(ctx, opt); err != nil {
		return nil, err
	}
	if opt.Blind {
		return p, nil
	}
	return p, p.Load(ctx, opt)
}

// Load loads the networks of parts that are Blind.
func (p *Parts) Load(ctx context.Context, opt Options) error {
	estimator, err := network(opt.Setting)
	if err != nil {
		return err
	}
	options := pose.Options{Options: onnxruntime.Options{Threads: opt.Threads}}
	est, err := estimator(options)
	if errors.Is(err, onnxruntime.ErrLibrary) {
		path, installErr := onnxruntime.Install(ctx, func(line string) { opt.Say("%s", line) })
		if installErr != nil {
			return fmt.Errorf("%w; installing it failed: %w", err, installErr)
		}
		options.Library = path
		est, err = estimator(options)
	}
	p.Estimator = est
	switch {
	case err != nil || !opt.Live:
	case opt.Setting == "fast":
		p.Live = est
	default:
		p.Live, err = pose.Fast(options)
	}
	return err
}

// network returns what loads the networks of a setting.
func network(setting string) (func(pose.Options) (*pose.Estimator, error), error) {
	switch setting {
	case "fast":
		return pose.Fast, nil
	case "balanced":
		return pose.Balanced, nil
	case "accurate":
		return func(o pose.Options) (*pose.Estimator, error) { return pose.Accurate(o, heavy.Model()) }, nil
	}
	return nil, fmt.Errorf("-setting is %q, want fast, balanced or accurate", setting)
}

// ffmpeg chooses the FFmpeg to run.
func (p *Parts) ffmpeg(ctx context.Context, opt Options) error {
	err := program.Installed{}.Check(ctx)
	switch {
	case opt.FFmpeg == Installed && err != nil:
		return fmt.Errorf("-ffmpeg is installed, but %w, or omit the flag", err)
	case opt.FFmpeg == Installed, opt.FFmpeg == Auto && err == nil:
		opt.Say("movies: the installed ffmpeg")
		p.Decoder, p.Encoder = ffmpeg.Decoder{TempDir: opt.TempDir}, mp4.Encoder{}
	case opt.FFmpeg == Auto, opt.FFmpeg == WASM:
		if opt.FFmpeg == Auto {
			opt.Say("%v", err)
		}
		return p.wasm(ctx, opt)
	default:
		return fmt.Errorf("-ffmpeg is %q, want auto, installed or wasm", opt.FFmpeg)
	}
	return nil
}
