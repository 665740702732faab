// Pack writes a Go package that contains ONNX Runtime for some platforms; see package offline:
//
//	go run github.com/bodymotion/motion/inference/onnxruntime/offline/pack -o internal/onnxruntime linux/amd64 darwin/arm64
//
// Without platforms it packs for this one. The libraries are those that inference/onnxruntime/install gets, from the same Go
// modules and with the same checksums. No Go module has one for darwin/amd64 and windows/arm64.
package main

import (
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/carrier"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// run writes the package, and says on status what it does.
func run(ctx context.Context, args []string, status io.Writer) error {
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	flags.SetOutput(status)
	out := flags.String("o", "onnxruntime", "`folder` of the package")
	flags.Usage = func() {
		fmt.Fprintf(status, "Usage: pack [-o folder] [os/arch ...]\n\nPlatforms: %s; default %s/%s.\n\nFlags:\n",
			strings.Join(platforms(), ", "), runtime.GOOS, runtime.GOARCH)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen := flags.Args()
	if len(chosen) == 0 {
		chosen = []string{runtime.GOOS + "/" + runtime.GOARCH}
	}
	for _, platform := range chosen {
		if _, ok := carrier.Runtimes[platform]; !ok {
			return fmt.Errorf("%w: %s, want one of %s", onnxruntime.ErrPlatform, platform, strings.Join(platforms(), ", "))
		}
	}
	folder, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	name := filepath.Base(folder)
	doc := fmt.Sprintf("// Package %s contains ONNX Runtime: import it for its effect.\npackage %s\n", name, name)
	if err := os.WriteFile(filepath.Join(folder, "doc.go"), []byte(doc), 0o644); err != nil {
		return err
	}
	for _, platform := range chosen {
		if err := pack(ctx, folder, platform, status); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

func platforms() []string { return slices.Sorted(maps.Keys(carrier.Runtimes)) }

// pack writes the packed library of a platform, and the source that embeds it there.
func pack(ctx context.Context, folder, platform string, status io.Writer) error {
	work, err := os.MkdirTemp("", "motion-pack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	from, library := carrier.Runtimes[platform], filepath.Join(work, "library")
	err = from.Install(ctx, library, "pack on a machine with a network", func() { fmt.Fprintln(status, platform+": from", from.Module) })
	if err != nil {
		return err
	}
	base := "onnxruntime_" + strings.ReplaceAll(platform, "/", "_")
	if err := compress(filepath.Join(folder, base+".gz"), library); err != nil {
		return err
	}
	source := fmt.Sprintf(`// Made by github.com/bodymotion/motion/inference/onnxruntime/offline/pack from %s. DO NOT EDIT.

package %s

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/onnxruntime/offline"
)

//go:embed %s.gz
var packed []byte

func init() { offline.Use(packed, "%s") }
`, from.Module, filepath.Base(folder), base, from.SHA256)
	return os.WriteFile(filepath.Join(folder, base+".go"), []byte(source), 0o644)
}

// compress writes a file packed by gzip, with the same bytes each time.
func compress(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err == nil {
		_, err = io.Copy(w, in)
		err = errors.Join(err, w.Close())
	}
	return errors.Join(err, out.Close())
}
