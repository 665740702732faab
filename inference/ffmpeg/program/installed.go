package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Installed is the Runner of installed programs. The zero value finds them in PATH.
type Installed struct {
	FFmpeg  string // path of ffmpeg, version 5.1 or newer; default: found in PATH
	FFprobe string // path of ffprobe; default: found in PATH
}

// outputDelay is how long Run waits for the output of a program that has ended. The output
// is in the pipes and usually comes at once; a busy machine, or a child process that holds
// the pipes, can delay it.
const outputDelay = 10 * time.Second

// Run implements Runner. When ctx ends, it kills the program and, on systems with process
// groups, all its child processes.
func (p Installed) Run(ctx context.Context, c Command) error {
	name := c.Program
	if path := map[string]string{"ffmpeg": p.FFmpeg, "ffprobe": p.FFprobe}[c.Program]; path != "" {
		name = path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%w: %s (%v); install FFmpeg 5.1 or newer and have it in PATH", ErrNotFound, c.Program, err)
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

// feed starts the program with an input. If the program ends early, the input is not read
// to its end, and a reader that blocks does not delay the end.
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

// environment returns env without the variables that make FFmpeg write reports or colours.
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
