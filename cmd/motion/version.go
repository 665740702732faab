package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/cmd/motion/ffmpreg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ort"
)

// component is a program or library that this program uses.
type component struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // "": it is missing
	Path    string `json:"path,omitempty"`    // "": it is part of this program, or in PATH
	Problem string `json:"problem,omitempty"` // why it cannot be used
	err     error  // whose text Problem is
}

// components returns what is used here: this program, ONNX Runtime and FFmpeg.
func components(ctx context.Context) []component {
	return []component{{Name: "motion", Version: ownVersion()}, {Name: "Go", Version: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH}, usedRuntime(), usedFFmpeg(ctx)}
}

// ownVersion returns the version of this program.
func ownVersion() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(info.Main.Version, version)
	}
	return version
}

func usedRuntime() component {
	path, version, err := ort.Check("")
	if err != nil {
		return component{Name: "ONNX Runtime", Problem: err.Error(), err: err}
	}
	return component{Name: "ONNX Runtime", Version: version, Path: path}
}

// usedFFmpeg returns the FFmpeg of --ffmpeg auto.
func usedFFmpeg(ctx context.Context) component {
	found := component{Name: "FFmpeg"}
	installed := program.Installed{}
	err := installed.Check(ctx)
	if err == nil {
		var out bytes.Buffer
		if err = installed.Run(ctx, program.Command{Program: "ffmpeg", Args: []string{"-version"}, Stdout: &out}); err == nil {
			words := strings.Fields(out.String() + " ? ? ?") // ffmpeg version 7.1.1 …
			found.Version = words[2]
			return found
		}
	}
	if found.Path = ffmpreg.Find(); found.Path != "" {
		found.Version = "as WebAssembly"
		return found
	}
	found.Problem = err.Error()
	return found
}

func versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "version", Short: "Print the versions of this program and of what it uses", Args: cobra.NoArgs,
		Long: `Print the versions of this program, of ONNX Runtime, which finds people, and of FFmpeg, which reads
and writes movies. What is missing is installed when it is first needed.`,
		Example: "  motion version\n  motion version --json",
	}
	asJSON := c.Flags().Bool("json", false, "print one JSON array")
	c.RunE = func(c *cobra.Command, _ []string) error {
		write := writeComponents
		if *asJSON {
			write = func(w io.Writer, list []component) error { return json.NewEncoder(w).Encode(list) }
		}
		return write(c.OutOrStdout(), components(c.Context()))
	}
	return c
}

// writeComponents writes components for people.
func writeComponents(w io.Writer, list []component) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range list {
		line := one.Name + "\t" + cmp.Or(one.Version, "none")
		if more := cmp.Or(one.Path, one.Problem); more != "" {
			line += "\t" + more
		}
		fmt.Fprintln(t, line)
	}
	return t.Flush()
}
