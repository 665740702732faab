package ffexec

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// outputDelay is how long the output of a program that has ended is waited for. It is all
// in the pipes then and comes at once, unless the machine is busy, or a program that this
// one has started holds the pipes.
const outputDelay = 10 * time.Second

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
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = outputDelay
	ownGroup(cmd)
	if err = feed(cmd, c.Stdin); err == nil {
		err = cmd.Wait()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Program, err)
	}
	return nil
}

// feed starts the program with an input. That of a program that ends early is not read to
// its end, and a reader that blocks does not keep the end waiting.
func feed(cmd *exec.Cmd, input io.Reader) error {
	if file, ok := input.(*os.File); ok || input == nil {
		if ok {
			cmd.Stdin = file
		}
		return cmd.Start()
	}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		io.Copy(pipe, input)
		pipe.Close()
	}()
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
