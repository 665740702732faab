package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Installed is the Runner of installed programs. The zero value finds them in PATH.
type Installed struct {
	FFmpeg  string // path of ffmpeg, version 5.1 or newer; default: found in PATH
	FFprobe string // path of ffprobe; default: found in PATH
}

// outputDelay is how long Run waits for the output of a program that has ended. The output is in the pipes and
// usually comes at once; a busy machine, or a child process that holds the pipes, can delay it.
const outputDelay = 10 * time.Second

// wanted is what to do about a missing or an old program.
const wanted = "install FFmpeg 5.1 or newer and have it in PATH"

// Run implements Runner. An error of a program that does not start, or is older than 5.1, wraps ErrNotFound. When ctx ends, it kills the program and, on systems with process groups, all its child
// processes. Each process is limited to Command.Memory on Unix systems, and to Command.CPU on Linux. Of this process's environment, the program
// gets only what it needs to start: PATH, the home and temporary folders, library paths and the language.
func (p Installed) Run(ctx context.Context, c Command) error {
	path, err := p.find(c.Program)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, path, c.Args...)
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = outputDelay
	ownGroup(cmd)
	if err = feed(cmd, c.Stdin); err != nil { // because there are too many processes, say: that is not the movie's fault, either
		return cmp.Or(ctx.Err(), fmt.Errorf("%w: %s does not start: %v", ErrNotFound, c.Program, err))
	}
	exceeded := limit(cmd, c)
	err = cmd.Wait()
	if exceeded() {
		err = ErrMemory
	} else if err != nil && c.CPU > 0 && cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime() >= c.CPU {
		return fmt.Errorf("%s: %w: more than %v of processor time", c.Program, os.ErrDeadlineExceeded, c.CPU)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, ErrMemory) {
		err = cmp.Or(current(ctx, c.Program, path), err) // an old one fails on each movie: that is not the movie's fault
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%s: %w", c.Program, err)
	}
	return err
}

func (p Installed) find(program string) (path string, err error) {
	name := cmp.Or(map[string]string{"ffmpeg": p.FFmpeg, "ffprobe": p.FFprobe}[program], program)
	if path, err = exec.LookPath(name); err != nil {
		err = fmt.Errorf("%w: %s (%v); %s", ErrNotFound, program, err, wanted)
	}
	return path, err
}

// Check runs both programs to read their versions. If one is missing or older than 5.1, the error wraps ErrNotFound.
func (p Installed) Check(ctx context.Context) error {
	for _, program := range []string{"ffmpeg", "ffprobe"} {
		path, err := p.find(program)
		if err == nil {
			err = current(ctx, program, path)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// version is the start of the first line of a release's -version. Builds of git have a date or a revision instead.
var version = regexp.MustCompile(`^ff\w+ version (n?(\d+)\.(\d+)\S*)`)

// current returns an ErrNotFound if a program is a release of FFmpeg before 5.1.
func current(ctx context.Context, program, path string) error {
	cmd := exec.CommandContext(ctx, path, "-version")
	cmd.Env, cmd.WaitDelay = environment(os.Environ()), outputDelay
	ownGroup(cmd)
	out, _ := cmd.Output() // without an answer, nothing is known
	found := version.FindSubmatch(out)
	if found == nil {
		return nil
	}
	major, _ := strconv.Atoi(string(found[2]))
	minor, _ := strconv.Atoi(string(found[3]))
	if major > 5 || major == 5 && minor >= 1 {
		return nil
	}
	return fmt.Errorf("%w: %s is version %s; %s", ErrNotFound, program, found[1], wanted)
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
		defer pipe.Close()
		io.Copy(pipe, input)
	}()
	return nil
}

// passed are the environment variables that programs get, in upper case, apart from LC_….
var passed = []string{
	"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "LANG", "TZ",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", // Windows
}

// environment returns the variables of env that ffmpeg and ffprobe need. The others may be
// secrets, or make FFmpeg write reports or colours.
func environment(env []string) []string {
	kept := []string{"AV_LOG_FORCE_NOCOLOR=1"}
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // Windows ignores the case
		if strings.HasPrefix(name, "LC_") || slices.Contains(passed, name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// watchEach is the time between two checks of a program's memory.
const watchEach = 100 * time.Millisecond

// watchMemory asks ps for the memory of a started program, and kills the program if it uses more than the given
// bytes. Call exceeded after the program has ended: it stops the watch and reports whether the program was killed.
func watchMemory(cmd *exec.Cmd, bytes int64) (exceeded func() bool) {
	stop, killed := make(chan struct{}), make(chan bool, 1)
	go func() {
		tick := time.NewTicker(watchEach)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				killed <- false
				return
			case <-tick.C:
			}
			out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(cmd.Process.Pid)).Output()
			kib, notNumber := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
			if err == nil && notNumber == nil && kib<<10 > bytes {
				killed <- cmd.Cancel() == nil
				return
			}
		}
	}()
	return func() bool {
		close(stop)
		return <-killed
	}
}
