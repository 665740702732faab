// Followreadme follows the README literally: in a fresh clone of the last commit, with an empty home
// folder and empty caches, it runs the commands in order and compares their output with the README.
//
//	go run ./internal/lab/followreadme [-cache]
//
// With -cache it keeps Go's build cache instead, so that packages compiled before with -trimpath are
// not compiled once more. Their sources are fetched all the same.
//
// Commands with go get or go install run in a new module beside the clone, which gets this module from a folder
// with the layout of a module proxy, and the README's program is built there. Servers are stopped
// when they listen. The program needs git, Go and a network.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bodymotion/motion/internal/lab/modproxy"
	"github.com/bodymotion/motion/internal/testkit"
)

const path = "github.com/bodymotion/motion"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "followreadme:", err)
		}
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("followreadme", flag.ContinueOnError)
	cache := flags.Bool("cache", false, "use the build cache of this machine")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // the flag package has printed the error
	}
	dir, err := os.MkdirTemp("", "followreadme-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &reader{clone: filepath.Join(dir, "motion"), host: filepath.Join(dir, "host")}
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--no-hardlinks", ".", r.clone).CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w\n%s", err, out)
	}
	own, err := modproxy.LayAll(filepath.Join(dir, "proxy"), r.clone)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOPROXY", "GOCACHE").Output()
	if err != nil {
		return err
	}
	normal, built, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	home := filepath.Join(dir, "home")
	if err := errors.Join(os.Mkdir(home, 0o700), os.Mkdir(r.host, 0o700)); err != nil {
		return err
	}
	// Everything that Go and the programs keep lies below HOME. Nothing else of the
	// environment reaches them but where programs are and how the network is reached.
	r.env = []string{"HOME=" + home, "GOFLAGS=-modcacherw", "GOPROXY=" + own + "," + normal, "GONOSUMDB=" + path}
	if *cache {
		r.env = append(r.env, "GOCACHE="+built, "GOFLAGS=-modcacherw -trimpath")
	}
	for _, name := range []string{"PATH", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GOTOOLCHAIN"} {
		if v, ok := os.LookupEnv(name); ok {
			r.env = append(r.env, name+"="+v)
		}
	}
	if err := r.shell(ctx, r.host, "go mod init example.com/host"); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(r.clone, "README.md"))
	if err != nil {
		return err
	}
	begun := time.Now()
	n := 0
	blocks := testkit.Blocks(string(text))
	for i, b := range blocks {
		if b.Kind == "go" && strings.HasPrefix(b.Text, "package main\n") {
			if err := r.build(ctx, b.Text); err != nil {
				return fmt.Errorf("README.md, line %d: %w", b.Line, err)
			}
		}
		if b.Kind != "sh" {
			continue
		}
		n++
		want := ""
		if i+1 < len(blocks) && blocks[i+1].Kind == "output" {
			want = blocks[i+1].Text
		}
		if err := r.follow(ctx, b, want); err != nil {
			return fmt.Errorf("README.md, line %d: %w", b.Line, err)
		}
	}
	if n < 3 {
		return fmt.Errorf("the README has only %d blocks of commands", n)
	}
	for _, name := range []string{"sample.keypoints.json", "sample.analysis.json", "sample.drawing.mp4", "sample-1-sample-3.comparison.mp4"} {
		if info, err := os.Stat(filepath.Join(r.clone, "motion-out", name)); err != nil || info.Size() < 100 {
			return fmt.Errorf("the quick start has not written %s (%v)", name, err)
		}
	}
	fmt.Printf("README: ok, %d blocks in %.0f s\n", n, time.Since(begun).Seconds())
	return nil
}

// reader follows the README.
type reader struct {
	clone, host string
	env         []string
}

// follow runs a block and compares its output with want; "" accepts any.
func (r *reader) follow(ctx context.Context, b testkit.Block, want string) error {
	fmt.Print(b.Text)
	begun := time.Now()
	var err error
	switch {
	case strings.Contains(b.Text, "go run ./cmd/motion serve"):
		err = r.serve(ctx, b.Text)
	case strings.Contains(b.Text, "go get "+path), strings.Contains(b.Text, "go install "+path):
		err = r.shell(ctx, r.host, b.Text)
	default:
		err = r.compare(ctx, b.Text, want)
	}
	fmt.Printf("    %.1f s\n", time.Since(begun).Seconds())
	return err
}

// build builds a program in the new module, as the commands before have left it.
func (r *reader) build(ctx context.Context, program string) error {
	if err := os.WriteFile(filepath.Join(r.host, "main.go"), []byte(program), 0o600); err != nil {
		return err
	}
	return r.shell(ctx, r.host, "go build -o program .")
}

// shell runs commands and prints the output of those that fail.
func (r *reader) shell(ctx context.Context, dir, script string) error {
	cmd := r.command(ctx, dir, script)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

func (r *reader) command(ctx context.Context, dir, script string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-e", "-c", script)
	cmd.Dir, cmd.Env = dir, r.env
	return cmd
}

func (r *reader) compare(ctx context.Context, script, want string) error {
	cmd := r.command(ctx, r.clone, script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s%s", err, out, stderr.Bytes())
	}
	if want != "" && string(out) != want {
		return fmt.Errorf("says\n%s\nwant\n%s", out, want)
	}
	return nil
}

// serve runs a server until it listens, and stops it, which must succeed.
func (r *reader) serve(ctx context.Context, script string) error {
	// go run does not forward signals, so build and run the program.
	line := strings.TrimSpace(strings.Replace(script, "go run ./cmd/motion", "./server", 1))
	if err := r.shell(ctx, r.clone, "go build -o server ./cmd/motion"); err != nil {
		return err
	}
	cmd := r.command(ctx, r.clone, "exec "+line)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(said, "listening on http://") {
		return errors.Join(fmt.Errorf("says %q (%w)\n%s", said, err, stderr.Bytes()), cmd.Process.Kill(), cmd.Wait())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("the server ends with %w\n%s", err, stderr.Bytes())
	}
	return nil
}
