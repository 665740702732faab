package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// recorded is what is kept of live pictures.
type recorded struct {
	seq      keypoint.Sequence
	measured analysis
}

// recordedFormats are the formats of --save in addition to JSON.
var recordedFormats = append(
	formatsOf(keypointFormats, func(r recorded) keypoint.Sequence { return r.seq }),
	formatsOf(analysisFormats, func(r recorded) analysis { return r.measured })...)

// formatsOf returns the formats of a part as those of the whole.
func formatsOf[T any](list []format[T], part func(recorded) T) (of []format[recorded]) {
	for _, f := range list {
		of = append(of, format[recorded]{f.name, f.file, f.movies, func(w io.Writer, r recorded) error { return f.write(w, part(r)) }})
	}
	return of
}

// liveOptions are the flags of motion live.
type liveOptions struct {
	feed    feed
	found   finding
	types   []analyze.Type
	rules   []analyze.Rule // instead of types
	save    string         // "": nothing
	formats []format[recorded]
}

func liveCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "live CAMERA|URL|FILE|-", Short: "Measure a camera's pictures while they come", Args: cobra.MatchAll(needs(1, "a camera, a URL, a file, or - for standard input"), cobra.MaximumNArgs(1)),
		Long: `Look at pictures while they come: find the keypoints, measure angles, and count repetitions. They come
from a camera of this machine, from a network stream (rtsp, rtmp, srt, udp, rtp, tcp or http, also
MJPEG), from a movie, which plays at its own pace, or from standard input (-).

The newest picture wins: those that come while the one before is looked at are dropped, and counted.
A lost stream is connected again. Ctrl-C ends it, as the end of the pictures does; then --save writes
NAME.keypoints.json and NAME.analysis.json, and other formats with --format. They are cleaned with
what came after, so that they are better than what was shown. An hour needs 60 MB of memory.

--json prints a message of docs/use/live.md for each picture: its number and time in seconds, keypoints in
pixels and their scores, the bridged parts (filled), whether somebody else is followed (changed), the
values and repetitions of the rules in their order, with --angle left before right, and how many
pictures were dropped before it. The last message has the type "end".

Cameras: /dev/video0 on Linux. On macOS a number or a name with --input-format avfoundation, on Windows
video=NAME with --input-format dshow. The makers of this program have tried none of them. JPEG pictures
that come through a pipe have no times: --input-format mjpeg gives them the time when they come.`,
		Example: `  motion live squats.mp4
  motion live --angle kneeFlexion,hipFlexion --save morning --format csv,trc /dev/video0
  motion live --json rtsp://192.168.1.20/stream
  motion live --input-format avfoundation --input-options '-video_size 1280x720' 0`,
	}
	l, program := &liveOptions{}, ""
	asked := ruleFlags(c, "angles to measure on both sides, with repetitions; kneeFlexion if there are no rules")
	chosen := formatFlag(c, "JSON", recordedFormats)
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&l.save, "save", "", "write the keypoints and the analysis at the end, under this name")
	asJSON := f.Bool("json", false, "print a line of JSON for each picture")
	f.DurationVar(&l.feed.reconnect, "reconnect", time.Minute, "how long to try to reach a lost stream; 0: it ends there")
	f.StringVar(&l.feed.format, "input-format", "", "FFmpeg's name of what comes in: v4l2, avfoundation, dshow, mjpeg, mpegts …")
	options := f.String("input-options", "", "FFmpeg's options for a camera or a stream, such as '-framerate 60 -video_size 1280x720'")
	l.found.flags(c, "fast")
	setup.ProgramFlag(c, &program)
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		l.feed.input, l.feed.options, l.feed.stdin = args[0], strings.Fields(*options), c.InOrStdin()
		var err2 error
		l.types, l.rules, err = asked()
		if l.formats, err2 = chosen(); err == nil {
			err = err2
		}
		switch {
		case err != nil:
			return err
		case l.feed.reconnect < 0:
			return wrong("reconnect", l.feed.reconnect, "0 or more")
		case l.save == "" && (l.formats != nil || l.found.extractor().Calibration != (keypoint.Calibration{})):
			return errors.New("--format, --height and --camera-height are for what --save writes")
		}
		if l.types == nil && l.rules == nil {
			l.types = []analyze.Type{analyze.KneeFlexion}
		}
		if err = l.found.check(); err == nil {
			err = l.feed.check(program == setup.WASM)
		}
		if err == nil && l.save != "" {
			err = writable(l.save)
		}
		if err != nil {
			return err
		}
		show := &printer{rules: l.measured(), stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(), json: *asJSON, terminal: onTerminal()}
		return l.run(c.Context(), program, show)
	}
	return c
}

// measured returns the rules for pictures that come. Statistics and symmetry are for the whole recording.
func (l *liveOptions) measured() []analyze.Rule {
	rules := append(slices.Clone(l.rules), bothSides(l.types)...)
	for i := range rules {
		r := &rules[i]
		if r.Movie, r.Statistics, r.Symmetry = nil, false, false; l.rules == nil {
			r.Repetitions = &analyze.RepetitionOptions{}
		}
	}
	return rules
}

// run looks at the pictures until they end, or ctx does.
func (l *liveOptions) run(ctx context.Context, program string, show *printer) (err error) {
	opt := setup.Options{
		Setting: l.found.Setting, FFmpeg: program, Say: func(string, ...any) {}, Loads: func(line string) { fmt.Fprintln(show.stderr, line) },
	}
	parts, err := setup.New(ctx, opt)
	if err != nil {
		return err
	}
	defer func() { err = join(err, parts.Close()) }()
	found := live.Options{Choose: l.found.extractor().Choose, Feet: l.found.Feet, Rules: show.rules}
	if l.save != "" {
		found.Keep = -1
	}
	if l.found.Raw {
		found.Clean = &clean.Options{}
	}
	session, err := live.New(parts.Estimator, found)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	open := l.feed.source(parts.Decoder)
	source := func(ctx context.Context) (inference.Frames, error) {
		frames, err := open(ctx)
		if err == nil {
			show.size = frames.Info().Size
		}
		return frames, err
	}
	for u, err2 := range session.Watch(ctx, source) {
		if err2 == nil {
			err2 = show.update(u)
		}
		if err2 != nil {
			err = err2
			break
		}
	}
	if ctx.Err() != nil {
		err = nil // who ends it is content
	}
	err = join(err, show.end(session.Counts()))
	if seq := session.Sequence(); seq.Len() > 0 && l.save != "" {
		err = errors.Join(err, l.write(seq))
	}
	return err
}

// writable makes the folder of a name, and reports whether results can be written there.
func writable(name string) error {
	if base := filepath.Base(name); base == "." || base == ".." || os.IsPathSeparator(name[len(name)-1]) {
		return wrong("save", name, "a name, which may begin with folders")
	}
	folder := filepath.Dir(name)
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		var work string
		if work, err = os.MkdirTemp(folder, ".motion-"); err == nil {
			err = os.Remove(work)
		}
	}
	if err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	return nil
}

// write writes what was kept, each file whole or not at all.
func (l *liveOptions) write(seq keypoint.Sequence) error {
	x := l.found.extractor()
	seq, _, err := clean.Run(seq, x.Clean)
	if err != nil {
		return err
	}
	var unscaled error // the keypoints are worth keeping
	if x.Calibration != (keypoint.Calibration{}) {
		if seq.World, unscaled = seq.Calibrate(x.Calibration); unscaled != nil {
			unscaled = fmt.Errorf("--height: %w", unscaled)
		}
	}
	r := recorded{seq, analysis{times: seq.Times}}
	if r.measured.Results, err = analyze.Run(seq, append(slices.Clone(l.rules), named(l.types, false)...)); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(l.save), ".motion-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	put := func(kind string, write func(path string) error) {
		if err == nil {
			_, err = whole(work, l.save+"."+kind, write)
		}
	}
	put("keypoints.json", func(path string) error { return writeJSON(path, seq) })
	put("analysis.json", func(path string) error { return writeJSON(path, r.measured) })
	for _, f := range l.formats {
		put(f.file, func(path string) error {
			return writeFile(path, func(w io.Writer) error { return f.write(w, r) })
		})
	}
	return errors.Join(unscaled, err)
}
