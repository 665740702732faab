// Package setup finds or installs ONNX Runtime, chooses the installed FFmpeg or the WebAssembly one, and
// handles interrupts, for command motion and the examples.
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
	Say     func(string, ...any) // told what is used and what takes time
	Loads   func(line string)    // told what is downloaded, and of another's licence; nil: Say is
}

// Parts are the parts of a Service that New creates. Close frees them.
type Parts struct {
	Estimator *pose.Estimator // nil if Blind
	Live      *pose.Estimator // pose.Fast, whatever the setting; nil without Options.Live
	Decoder   inference.Decoder
	Encoder   draw.Encoder
	Probes    int // for motion.Config: FFmpeg inside this process takes its memory
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
	p := &Parts{}
	if err := p.ffmpeg(ctx, opt); err != nil {
		return nil, err
	}
	if opt.Blind {
		return p, nil
	}
	return p, p.Load(ctx, opt)
}

func (o Options) loads() func(line string) {
	if o.Loads != nil {
		return o.Loads
	}
	return func(line string) { o.Say("%s", line) }
}

// Load loads the networks of parts that are Blind.
func (p *Parts) Load(ctx context.Context, opt Options) error {
	estimator := map[string]func(pose.Options) (*pose.Estimator, error){
		"fast": pose.Fast, "balanced": pose.Balanced,
		"accurate": func(o pose.Options) (*pose.Estimator, error) { return pose.Accurate(o, heavy.Model()) },
	}[opt.Setting]
	options := pose.Options{Options: onnxruntime.Options{Threads: opt.Threads}}
	est, err := estimator(options)
	if errors.Is(err, onnxruntime.ErrLibrary) {
		path, installErr := onnxruntime.Install(ctx, opt.loads())
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

// ffmpeg chooses the FFmpeg to run.
func (p *Parts) ffmpeg(ctx context.Context, opt Options) error {
	err := checked(ctx)
	switch {
	case opt.FFmpeg == Installed && err != nil:
		return fmt.Errorf("--ffmpeg is installed, but %w, or omit the flag", err)
	case opt.FFmpeg == Installed, opt.FFmpeg == Auto && err == nil:
		opt.Say("movies: the installed ffmpeg")
		run := &remembering{known: map[question]*answer{}}
		p.Decoder, p.Encoder = ffmpeg.Decoder{TempDir: opt.TempDir, Runner: run}, mp4.Encoder{Runner: run}
	default:
		if opt.FFmpeg == Auto {
			opt.Say("%v", err)
		}
		return p.wasm(ctx, opt)
	}
	return nil
}
