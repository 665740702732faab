package ffmpeg_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// made returns a movie that the installed ffmpeg makes in a folder, perhaps of another one there.
func made(t *testing.T, dir, name, args string) []byte {
	t.Helper()
	path := filepath.Join(dir, name)
	cmd := exec.Command("ffmpeg", append(strings.Fields("-loglevel error -y "+args), path)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("Unknown encoder")) {
			testkit.Skip(t, "an ffmpeg that encodes "+name)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// probe returns what Probe says of a movie, and how many frames it really has.
func probe(t *testing.T, d ffmpeg.Decoder, movie []byte) (inference.Info, int) {
	t.Helper()
	d.TempDir = t.TempDir()
	info, err := d.Probe(t.Context(), bytes.NewReader(movie))
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Open(t.Context(), bytes.NewReader(movie))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Info() != info {
		t.Errorf("Open says %+v, Probe %+v", m.Info(), info)
	}
	for n := 0; ; n++ {
		p, err := m.Next()
		if err == io.EOF {
			return info, n
		}
		if err != nil {
			t.Fatalf("after %d frames: %v", n, err)
		}
		p.Release()
	}
}

// TestLyingHeaders: the number of frames and the duration are those of the movie, whatever its
// headers say.
func TestLyingHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	need(t)
	const source = "-f lavfi -i testsrc2=size=64x48:rate=10:duration=4 "
	avi := made(t, t.TempDir(), "a.avi", source+"-c:v mpeg4")
	mp4 := made(t, t.TempDir(), "a.mp4", source+"-c:v mpeg4")
	patched := func(frames uint32) []byte {
		b := testkit.PatchNumber(avi, "avih", 4+16, binary.LittleEndian, frames)
		return testkit.PatchNumber(b, "strh", 4+32, binary.LittleEndian, frames)
	}
	index := testkit.PatchNumber(mp4, "stts", 8, binary.BigEndian, 2500)
	for name, movie := range map[string][]byte{
		"as it is": avi, "48": patched(48), "2,500": patched(2500), "10": patched(10), "0": patched(0),
		"MP4": mp4, "MP4, 2,500": index,
	} {
		t.Run(name, func(t *testing.T) {
			info, n := probe(t, ffmpeg.Decoder{MaxFrames: 1800, ProbeTimeout: -1}, movie)
			if info.Frames != 40 || n != 40 {
				t.Errorf("%d frames, %d decoded; want 40", info.Frames, n)
			}
			if math.Abs(info.Duration-4) > 0.25 || math.Abs(info.FrameRate-10) > 0.01 {
				t.Errorf("%v s, %v frames a second", info.Duration, info.FrameRate)
			}
		})
	}
}

// TestCounts: in every container, Probe counts the frames that are decoded, also behind an edit list
// that hides some, an empty edit and sound that is longer.
func TestCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	need(t)
	dir := t.TempDir()
	made(t, dir, "whole.mp4", "-f lavfi -i testsrc2=size=64x48:rate=10:duration=4 -c:v libx264 -g 20 -bf 2 -pix_fmt yuv420p")
	for name, c := range map[string]struct {
		args    string
		frames  int
		seconds float64
	}{
		"whole.mov":    {"-i whole.mp4 -c copy", 40, 4},
		"cut.mp4":      {"-ss 1.55 -i whole.mp4 -c copy", 24, 2.4},
		"late.mp4":     {"-itsoffset 2.5 -i whole.mp4 -f lavfi -i sine=duration=6 -map 0:v -map 1:a -c:v copy", 40, 4},
		"sound.mkv":    {"-i whole.mp4 -f lavfi -i sine=duration=9 -map 0:v -map 1:a -c:v copy -c:a flac", 40, 4},
		"parts.mp4":    {"-i whole.mp4 -c copy -movflags frag_keyframe+empty_moov", 40, 4},
		"matroska.mkv": {"-i whole.mp4 -c copy", 40, 4},
		"vp8.webm":     {"-i whole.mp4 -c:v libvpx -auto-alt-ref 1 -lag-in-frames 16 -b:v 200k", 40, 4},
		"stream.ts":    {"-i whole.mp4 -c copy", 40, 4},
		"stream.mpg":   {"-i whole.mp4 -c:v mpeg2video -r 25", 100, 4},
		"pictures.gif": {"-i whole.mp4", 40, 4},
	} {
		t.Run(name, func(t *testing.T) {
			info, n := probe(t, ffmpeg.Decoder{ProbeTimeout: -1}, made(t, dir, name, c.args))
			if info.Frames != n || n != c.frames {
				t.Errorf("%d frames, %d decoded; want %d", info.Frames, n, c.frames)
			}
			if math.Abs(info.Duration-c.seconds) > 0.25 {
				t.Errorf("%v s, want %v", info.Duration, c.seconds)
			}
		})
	}
}

// TestCountingEnds: counting stops at the limit of frames.
func TestCountingEnds(t *testing.T) {
	runner := fake{announced: 1 << 20}
	_, err := ffmpeg.Decoder{Runner: runner, MaxFrames: 100, TempDir: t.TempDir()}.Probe(t.Context(), strings.NewReader("RIFF\x00\x00\x00\x00AVI "))
	if err == nil || !strings.Contains(err.Error(), "100 is not fewer than 100") {
		t.Errorf("%v", err)
	}
}

// slowly is a fake whose ffprobe waits before it reads headers, or before it counts: what it then returns, unless it is nil, it
// returns instead.
type slowly struct {
	fake
	counting bool
	wait     func(ctx context.Context, cpu time.Duration) error
}

func (s slowly) Run(ctx context.Context, c program.Command) error {
	if c.Program == "ffprobe" && s.counting == slices.Contains(c.Args, "-select_streams") {
		if err := s.wait(ctx, c.CPU); err != nil {
			return err
		}
	}
	return s.fake.Run(ctx, c)
}

// TestProbeTimeout: what is limited is the processor time of examining a movie, for which the movie is blamed, and then the
// time by the clock, for which it is not. The index of an MP4 is believed instead of counting.
func TestProbeTimeout(t *testing.T) {
	const mp4, avi = "\x00\x00\x00\x18ftypisom", "RIFF\x00\x00\x00\x00AVI "
	busy := func(_ context.Context, cpu time.Duration) error { time.Sleep(3 * cpu); return nil }
	working := func(context.Context, time.Duration) error { return fmt.Errorf("ffprobe: %w", os.ErrDeadlineExceeded) }
	stuck := func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }
	for name, c := range map[string]struct {
		content  string
		counting bool
		wait     func(context.Context, time.Duration) error
		want     error
	}{
		"headers on a busy machine":       {avi, false, busy, nil},
		"counting on a busy machine":      {avi, true, busy, nil},
		"headers of an MP4 take long":     {mp4, false, working, inference.ErrFormat},
		"headers take long":               {avi, false, working, inference.ErrFormat},
		"counting takes long":             {avi, true, working, inference.ErrFormat},
		"counting an MP4 takes long":      {mp4, true, working, nil},
		"headers are never read":          {mp4, false, stuck, inference.ErrTooSlow},
		"packets are never counted":       {avi, true, stuck, inference.ErrTooSlow},
		"those of an MP4 are not, either": {mp4, true, stuck, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := ffmpeg.Decoder{Runner: slowly{fake{announced: 12}, c.counting, c.wait}, TempDir: t.TempDir()}
			start := time.Now()
			info, err := d.Probe(t.Context(), strings.NewReader(c.content))
			if !errors.Is(err, c.want) || errors.Is(err, inference.ErrFormat) != (c.want == inference.ErrFormat) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
			if took := time.Since(start); err == nil && info.Frames != 12 || took > 2*time.Minute {
				t.Errorf("%s: %d frames after %v, want 12", name, info.Frames, took)
			}
		})
	}
}

// starved is an ffprobe that complains and leaves out packets when it has less memory than it needs.
type starved struct{ needs, damaged int64 }

func (f starved) Run(ctx context.Context, c program.Command) error {
	frames := 65
	if c.Memory < f.needs {
		frames = int(c.Memory >> 20)
	}
	if c.Memory < max(f.needs, f.damaged) {
		io.WriteString(c.Stderr, "[h264] Error splitting the input into NAL units.\n")
	}
	return fake{announced: frames}.Run(ctx, c)
}

// TestComplaints: what ffprobe says with a complaint counts only if it says the same with more memory.
func TestComplaints(t *testing.T) {
	for name, c := range map[string]struct {
		starved
		want string
	}{
		"quiet":                     {starved{}, ""},
		"needs more than a quarter": {starved{needs: 30 << 20}, ""},
		"needs more than half":      {starved{needs: 1 << 30}, "FFmpeg needs more than 32 MB of memory for it"},
		"damaged":                   {starved{damaged: 1 << 30}, ""},
	} {
		info, err := ffmpeg.Decoder{Runner: c.starved, Memory: 64 << 20, TempDir: t.TempDir()}.Probe(t.Context(), strings.NewReader("RIFF\x00\x00\x00\x00AVI "))
		if c.want == "" && (err != nil || info.Frames != 65) {
			t.Errorf("%s: %d frames (%v), want 65", name, info.Frames, err)
		} else if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d frames (%v), want an error with %q", name, info.Frames, err, c.want)
		}
	}
}

// TestManyStreams: a movie of so many streams that ffprobe runs out of memory and leaves out most of it without an
// error is read with more memory, or refused.
func TestManyStreams(t *testing.T) {
	need(t)
	dir := t.TempDir()
	made(t, dir, "one.mkv", "-f lavfi -i testsrc=size=1280x720:rate=30:duration=2.15 -c:v libx264 -preset ultrafast")
	for streams, want := range map[int]string{20: "", 70: "FFmpeg needs more than 256 MB of memory for it"} {
		movie := made(t, dir, "many.mkv", "-i one.mkv "+strings.Repeat("-map 0:v ", streams)+"-c copy")
		info, err := ffmpeg.Decoder{TempDir: dir, ProbeTimeout: -1}.Probe(t.Context(), bytes.NewReader(movie)) // memory is measured, not time
		if want == "" && (err != nil || info.Frames != 65 || math.Abs(info.Duration-65./30) > 0.05) {
			t.Errorf("%d streams: %d frames, %v s (%v), want 65", streams, info.Frames, info.Duration, err)
		} else if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d streams: %d frames (%v), want an error with %q", streams, info.Frames, err, want)
		}
	}
}

// TestCutAVI: an AVI that is cut off anywhere says so, whatever its codec, and a whole one does not, also in the parts of
// which a large one consists, or with a size that was never filled in.
func TestCutAVI(t *testing.T) {
	need(t)
	damage := func(movie []byte) string {
		t.Helper()
		m, err := ffmpeg.Decoder{TempDir: t.TempDir(), ProbeTimeout: -1}.Open(t.Context(), bytes.NewReader(movie))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for {
			p, err := m.Next()
			if err == io.EOF {
				return m.Info().Damage
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Release()
		}
	}
	for _, codec := range []string{"mjpeg", "mpeg4"} {
		whole := made(t, t.TempDir(), "a.avi", "-f lavfi -i testsrc2=size=64x48:rate=10:duration=4 -c:v "+codec)
		unsized := bytes.Clone(whole)
		copy(unsized[4:8], "\xff\xff\xff\xff")
		parts := append(bytes.Clone(whole), "RIFF\x04\x00\x00\x00AVIX"...)
		for name, movie := range map[string][]byte{"whole": whole, "without a size": unsized, "in parts": parts, "without the end of its index": whole[:len(whole)-100]} {
			if got := damage(movie); got != "" {
				t.Errorf("%s, %s: %q", codec, name, got)
			}
		}
		for _, percent := range []int{35, 60, 90} {
			if got := damage(whole[:len(whole)*percent/100]); got == "" {
				t.Errorf("%s, cut to %d %%: %q", codec, percent, got)
			}
		}
		if end := ffmpeg.ChunksEnd(parts[:len(parts)-2]); end != int64(len(parts)) {
			t.Errorf("a second part ends at %d, want %d", end, len(parts))
		}
	}
}
