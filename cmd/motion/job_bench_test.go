//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// BenchmarkJob takes a movie from the file to its keypoints, analysis, report and drawing, as motion FILE does, and each of its
// steps alone. of-extract is the time beside that of finding the keypoints alone, and of-extract's-processor the processor time of all
// processes, which other work on the machine disturbs less; the same of drawing beside FFmpeg encoding the movie again.
func BenchmarkJob(b *testing.B) {
	ortkit.Library(b)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(b, "ffmpeg")
	}
	movies := []string{"../../httpapi/viewer/squats.mp4"}
	if !testing.Short() {
		more, err := filepath.Glob("../../../shared/data/rendered/*_*.mp4")
		if err != nil {
			b.Fatal(err)
		}
		movies = append(movies, more...)
	}
	for _, movie := range movies {
		b.Run(strings.TrimSuffix(filepath.Base(movie), ".mp4"), func(b *testing.B) { benchmarkJob(b, movie) })
	}
}

func benchmarkJob(b *testing.B, movie string) {
	type cost struct{ wall, processor time.Duration }
	tool, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	spent := map[string]cost{}
	step := func(name, program string, args ...string) {
		cmd := exec.CommandContext(b.Context(), program, args...)
		cmd.Env = append(os.Environ(), "MOTION_TEST_TOOL=1")
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", name, err, out)
		}
		var u syscall.Rusage
		if own, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			u = *own
		}
		of := spent[name]
		of.wall += time.Since(start)
		of.processor += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		spent[name] = of
	}
	for b.Loop() {
		dir := b.TempDir()
		out := filepath.Join(dir, "out")
		for _, name := range []string{"extract", "analyze", "report", "draw"} {
			step(name, tool, name, "--out", out, movie)
		}
		step("whole", tool, "--out", filepath.Join(dir, "whole"), movie)
		step("ffmpeg", "ffmpeg", "-loglevel", "error", "-i", movie, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
			"-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-c:a", "copy", "-movflags", "+faststart", filepath.Join(dir, "again.mp4"))
	}
	b.ReportMetric(0, "ns/op")
	for name, of := range spent {
		b.ReportMetric(of.wall.Seconds()/float64(b.N), name+"-s")
		b.ReportMetric(of.processor.Seconds()/float64(b.N), name+"-processor-s")
	}
	beside := func(name string, of, than cost) {
		b.ReportMetric(of.wall.Seconds()/than.wall.Seconds(), name)
		b.ReportMetric(of.processor.Seconds()/than.processor.Seconds(), name+"'s-processor")
	}
	beside("of-extract", spent["whole"], spent["extract"])
	beside("of-ffmpeg", spent["draw"], spent["ffmpeg"])
}
