package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/ort"
)

// The states of what the doctor looks for.
const (
	there   = "ok"
	missing = "missing"
)

// diagnosis says whether something is there, and how to get it.
type diagnosis struct {
	Name    string `json:"name"`
	For     string `json:"for"`
	State   string `json:"state"`
	Detail  string `json:"detail,omitempty"`  // which, or why not
	Install string `json:"install,omitempty"` // the command that installs it
	Comes   string `json:"comes,omitempty"`   // how much is downloaded by itself when it is first needed; "": nothing
	needed  bool   // nothing is found in pictures and movies without it
}

// managers install packages.
var managers = []struct{ program, install string }{
	{"apt-get", "sudo apt-get install"}, {"dnf", "sudo dnf install"}, {"pacman", "sudo pacman -S"}, {"zypper", "sudo zypper install"},
	{"apk", "sudo apk add"}, {"brew", "brew install"}, {"winget", "winget install"},
}

// packages are the names of programs in managers where they have others.
var packages = map[string]string{
	"apt-get go": "golang", "dnf go": "golang", "winget go": "GoLang.Go", "dnf ffmpeg": "ffmpeg-free", "winget ffmpeg": "Gyan.FFmpeg",
	"brew chromium": "--cask chromium", "winget chromium": "Google.Chrome",
}

// installs returns the command that installs a program on this machine.
func installs(program string) string {
	for _, m := range managers {
		if _, err := exec.LookPath(m.program); err == nil {
			return m.install + " " + cmp.Or(packages[m.program+" "+program], program)
		}
	}
	return "install " + program
}

// diagnose looks for all that the commands use.
func diagnose(ctx context.Context) []diagnosis {
	list := []diagnosis{
		{Name: "ONNX Runtime", For: "finds people", needed: true, Install: ort.InstallCommand, Comes: "90 MB"},
		{Name: "FFmpeg", For: "reads and writes movies", needed: true, Install: installs("ffmpeg"), Comes: "13 MB, as WebAssembly, which is slower"},
		{Name: "Go", For: "downloads the two above where they are missing", Install: installs("go")},
		{Name: "Chromium", For: "prints reports as PDF", Install: installs("chromium")},
	}
	toolchain, noGo := exec.LookPath("go")
	for i, find := range []func() component{
		usedRuntime, func() component { return usedFFmpeg(ctx) },
		func() component { return foundAt(toolchain, noGo) }, func() component { return foundAt(browser()) },
	} {
		d, found := &list[i], find()
		if found.Problem == "" {
			d.State, d.Install, d.Comes = there, "", ""
			d.Detail = strings.TrimSpace(found.Version + " " + found.Path)
			continue
		}
		d.State = missing
		d.Detail = found.Problem
		if library, ok := errors.AsType[*ort.LibraryError](found.err); ok {
			d.Detail = library.Problem // what to do is Install
		}
		if errors.Is(found.err, ort.ErrNoCgo) {
			d.Install, d.Comes = "install a C compiler, then CGO_ENABLED=1 go install github.com/bodymotion/motion/cmd/motion@latest", ""
		}
		if noGo != nil {
			d.Comes = "" // the go command downloads it
		}
	}
	return list
}

// foundAt is a program at a path, or the problem with it.
func foundAt(path string, err error) component {
	if err != nil {
		return component{Problem: err.Error()}
	}
	return component{Path: path}
}

func doctorCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "doctor", Short: "Say what is missing on this machine, and the command that installs it", Args: cobra.NoArgs,
		Long: `Look for all that the commands use, and print what is missing and the command that installs it.
What comes by itself is downloaded when it is first needed, by the go command; doctor downloads nothing. The
exit status is 1 if pictures and movies cannot be worked on; files of keypoints need nothing of it, unless they are drawn.`,
		Example: "  motion doctor\n  motion doctor --json",
	}
	asJSON := c.Flags().Bool("json", false, "print one JSON array")
	c.RunE = func(c *cobra.Command, _ []string) error {
		list := diagnose(c.Context())
		write := writeDiagnoses
		if *asJSON {
			write = func(w io.Writer, list []diagnosis) error { return json.NewEncoder(w).Encode(list) }
		}
		if err := write(c.OutOrStdout(), list); err != nil {
			return err
		}
		if slices.ContainsFunc(list, func(d diagnosis) bool { return d.needed && d.State == missing && d.Comes == "" }) {
			return setup.Exit{Status: 1, Reason: "pictures and movies cannot be worked on: something is missing"}
		}
		return nil
	}
	return c
}

// writeDiagnoses writes diagnoses for people.
func writeDiagnoses(w io.Writer, list []diagnosis) error {
	for _, d := range list {
		text := fmt.Sprintf("%-8s %s, which %s", d.State, d.Name, d.For)
		if d.Detail != "" {
			text += ": " + d.Detail
		}
		if d.Install != "" {
			text += "\n         to install it: " + d.Install
		}
		if d.Comes != "" {
			text += "\n         or leave it: motion downloads it when it is first needed (" + d.Comes + ")"
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}
