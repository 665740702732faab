package ffexec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// ErrProgram is the kind of the error that says that ffmpeg or ffprobe is not there.
var ErrProgram = errors.New("the program is not installed")

// Exec runs the installed programs. The zero value looks them up in PATH.
type Exec struct {
	FFmpeg  string // path of ffmpeg, version 5.1 or newer; "" looks in PATH
	FFprobe string // path of ffprobe; "" looks in PATH
}

// killDelay is how long the pipes of a program that has ended are waited for.
const killDelay = 50 * time.Millisecond

// Run implements Runner. The program, and where the system has process groups whatever
// it has started, is killed when ctx ends.
func (e Exec) Run(ctx context.Context, c Command) error {
	name := c.Program
	if path := map[string]string{"ffmpeg": e.FFmpeg, "ffprobe": e.FFprobe}[c.Program]; path != "" {
		name = path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%w: %s (%v); install FFmpeg 5.1 or newer and have it in PATH", ErrProgram, c.Program, err)
	}
	cmd := exec.CommandContext(ctx, path, c.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = killDelay
	ownGroup(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended well, only its input was not read to the end
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Program, err)
	}
	return nil
}

// environment returns env without what makes FFmpeg write report files or colours.
func environment(env []string) []string {
	kept := make([]string, 0, len(env)+1)
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "FFREPORT", "AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR":
		default:
			kept = append(kept, v)
		}
	}
	return append(kept, "AV_LOG_FORCE_NOCOLOR=1")
}
