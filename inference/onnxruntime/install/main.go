// Install downloads ONNX Runtime with the Go toolchain and puts it into the user cache, where packages movenet and onnx find it;
// without @latest, in a module that requires this one, the version with which that is tested:
//
//	go run github.com/bodymotion/motion/inference/onnxruntime/install@latest
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}

// run installs the library. It writes its path to out, and everything else to status; help goes to out.
func run(ctx context.Context, args []string, out, status io.Writer) error {
	flags := flag.NewFlagSet("install", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return help(out)
	case err != nil:
		return fmt.Errorf("%w: -h explains the program", err)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: -h explains the program", flags.Arg(0))
	}
	path, err := onnxruntime.Install(ctx, func(line string) { fmt.Fprintln(status, line) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "ONNX Runtime is ready:", path)
	return err
}

func help(out io.Writer) error {
	dir, err := ort.CacheDir()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `Usage: %s

Install puts ONNX Runtime, the shared library that runs the pose networks, at

	%s

where programs that use this module find it. To remove it, remove that folder.

If the library is not there, it is downloaded (once, about 90 MB) as part of a Go
module, with the go command, its proxy and its checksum database. Its SHA-256 is
checked too. If it is there, nothing is downloaded.

To use another ONNX Runtime, version %s or newer, set the environment variable
ONNXRUNTIME_LIB to the path of its shared library; then install is not needed.

Flags:
  -h	show this help
`, ort.InstallCommand, filepath.Join(dir, ort.FileName()), ort.MinVersion)
	return err
}
