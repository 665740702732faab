// Package program runs the programs ffmpeg and ffprobe. Packages inference/ffmpeg, which decodes movies, and draw/mp4,
// which encodes them, take a Runner:
//
//	run := program.Installed{FFmpeg: "/opt/ffmpeg/bin/ffmpeg", FFprobe: "/opt/ffmpeg/bin/ffprobe"}
//	decoder := ffmpeg.Decoder{Runner: run}
//	encoder := mp4.Encoder{Runner: run}
//
// The default is the zero Installed. Implement Runner to run FFmpeg in a sandbox.
//
// Installed limits a program's memory on Unix systems: on Linux 4.7 and newer the system refuses to allocate more;
// elsewhere Installed checks with ps ten times a second. On Windows, run your process in a job object with a limit.
package program

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrNotFound reports that ffmpeg or ffprobe is not installed, or only an older version, or does not start. Test for it with errors.Is.
var ErrNotFound = errors.New("the program is missing or too old, or does not start")

// ErrMemory reports that a program was ended because it took more memory than Command.Memory. Test for it with errors.Is.
var ErrMemory = errors.New("the program needs more memory than it may have")

// Command is one run of ffmpeg or ffprobe.
type Command struct {
	Program string   // "ffmpeg" or "ffprobe"
	Args    []string // without the program's name

	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: discarded
	Stderr io.Writer // nil: discarded

	// ReadFiles are the files the program reads and WriteDirs the folders it writes into,
	// all absolute paths. A Runner that is a sandbox opens nothing else to the program.
	ReadFiles []string
	WriteDirs []string

	// Memory is how many bytes the program may allocate; 0: no limit. Where the system can
	// refuse memory, the program fails by itself or continues with less; elsewhere it is killed.
	Memory int64

	// CPU is how much processor time the program may take; 0: no limit.
	CPU time.Duration
}

// Runner runs ffmpeg and ffprobe.
//
// Run is safe for concurrent use. It returns when the program has ended and nothing of it is left. If ctx ends first, Run kills
// the program and returns ctx's error. A Runner that can limit memory enforces Command.Memory; if it kills the program for
// that, the error wraps ErrMemory. An exit status other than 0 is an error. If the program is missing, the error wraps
// ErrNotFound and says what was looked for and how to get it. If it has taken more than Command.CPU when it is killed, for that
// or because ctx ended, the error wraps os.ErrDeadlineExceeded; a Runner that cannot tell leaves that out.
type Runner interface {
	Run(ctx context.Context, cmd Command) error
}
