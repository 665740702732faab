// Package ffexec runs the programs ffmpeg and ffprobe for the two packages that
// need them, inference/ffmpeg and draw/ffmpeg, which export these types as their
// own.
package ffexec

import (
	"context"
	"io"
)

// Command is one run of ffmpeg or ffprobe.
type Command struct {
	Program string   // "ffmpeg" or "ffprobe"
	Args    []string // without the program's name

	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: discarded
	Stderr io.Writer // nil: discarded

	// The files that the program is to read and the folders that it is to write
	// into, absolute paths. A runner that is a sandbox opens nothing else to it.
	ReadFiles []string
	WriteDirs []string
}

// Runner runs ffmpeg and ffprobe.
//
// Promises: Run may be called from many goroutines at once. It returns when the
// program has ended, and nothing of the program is left then. When ctx ends first,
// it ends the program and returns ctx's error. An exit status other than 0 is an
// error; a program that cannot be started gives an error that says what was
// looked for and how to get it.
type Runner interface {
	Run(ctx context.Context, cmd Command) error
}
