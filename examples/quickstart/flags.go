package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion/cmd/motion/setup"
)

// flags reads the command line.
func flags(args []string) (opt setup.Options, out string, files []string, err error) {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.StringVar(&out, "out", "motion-out", "folder for the results")
	flags.StringVar(&opt.Setting, "setting", "balanced", "how people are found: fast, balanced, or accurate for movies")
	flags.StringVar(&opt.FFmpeg, "ffmpeg", setup.Auto, "ffmpeg to use: installed, wasm (inside this process), or auto")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: quickstart [-out DIR] [-setting fast|balanced|accurate] [-ffmpeg auto|installed|wasm] [FILE [FILE2]]\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return opt, out, nil, flag.ErrHelp // the flag package has printed the error
	}
	if flags.NArg() > 2 {
		return opt, out, nil, fmt.Errorf("%d files given, want one, or two to compare the second with the first", flags.NArg())
	}
	for _, path := range flags.Args() {
		if info, err := os.Stat(path); err != nil {
			return opt, out, nil, err
		} else if !info.Mode().IsRegular() {
			return opt, out, nil, fmt.Errorf("%s is not a file: give a picture or a movie", path)
		}
	}
	opt.Say = func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	return opt, out, flags.Args(), os.MkdirAll(out, 0o755)
}

// unique returns a name for the results of the i-th file: its own without the extension,
// different from those of the files before it.
func unique(files []string, i int) string {
	base := func(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }
	if i == 1 && base(files[0]) == base(files[1]) {
		return base(files[1]) + "-2"
	}
	return base(files[i])
}
