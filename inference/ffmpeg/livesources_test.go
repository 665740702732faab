package ffmpeg_test

import (
	"context"
	"errors"
	"image"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// refuses is a Runner that keeps the arguments of the last command, and runs nothing.
type refuses struct{ args []string }

func (r *refuses) Run(_ context.Context, c program.Command) error {
	r.args = c.Args
	return errors.New("nothing runs")
}

// TestLiveArguments: FFmpeg opens each source by its documented arguments, and for a URL no other protocol
// than those that its scheme needs. Cameras are not tried anywhere else.
func TestLiveArguments(t *testing.T) {
	for _, c := range []struct {
		live ffmpeg.Live
		want string
	}{
		{ffmpeg.Live{Input: "/dev/video0", Format: "v4l2"}, "-f v4l2 -i /dev/video0"},
		{ffmpeg.Live{Input: "/dev/video0", Format: "v4l2", Options: []string{"-video_size", "1280x720"}}, "-f v4l2 -video_size 1280x720 -i /dev/video0"},
		{ffmpeg.Live{Input: "0", Format: "avfoundation"}, "-framerate 30 -f avfoundation -i 0"},
		{ffmpeg.Live{Input: "0", Format: "avfoundation", Options: []string{"-framerate", "60"}}, "-framerate 30 -f avfoundation -framerate 60 -i 0"},
		{ffmpeg.Live{Input: "video=Camera", Format: "dshow"}, "-f dshow -i video=Camera"},
		{ffmpeg.Live{Input: "rtsp://host/x"}, "-protocol_whitelist rtsp,rtp,srtp,udp,tcp,tls -rtsp_transport tcp -i rtsp://host/x"},
		{ffmpeg.Live{Input: "HTTP://host", Format: "mpjpeg"}, "-use_wallclock_as_timestamps 1 -protocol_whitelist http,https,tcp,tls,crypto -f mpjpeg -i HTTP://host"},
		{ffmpeg.Live{Input: "rtmp://host/x"}, "-protocol_whitelist rtmp,tcp -i rtmp://host/x"},
		{ffmpeg.Live{Input: "srt://host:1"}, "-protocol_whitelist srt -i srt://host:1"},
		{ffmpeg.Live{Input: "udp://host:1"}, "-protocol_whitelist udp -i udp://host:1"},
		{ffmpeg.Live{Reader: strings.NewReader(""), Format: "mjpeg"}, "-use_wallclock_as_timestamps 1 -protocol_whitelist pipe -f mjpeg -i pipe:0"},
	} {
		runs := &refuses{}
		c.live.Runner = runs
		if _, err := c.live.Open(t.Context()); !errors.Is(err, ffmpeg.ErrLost) {
			t.Errorf("%s: %v", c.want, err)
		}
		_, input, _ := strings.Cut(strings.Join(runs.args, " "), "-flags low_delay -analyzeduration 1000000 ")
		input, _, _ = strings.Cut(input, " -map ")
		if d := cmp.Diff(c.want, input); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

// freePort returns a port that nobody uses.
func freePort(t *testing.T) string {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, port, _ := net.SplitHostPort(conn.LocalAddr().String())
	return port
}

// TestLiveStreams: streams of FFmpeg itself are decoded. A sender ends after a second and another one begins
// in its place, which times follow.
func TestLiveStreams(t *testing.T) {
	need(t)
	if testing.Short() {
		t.Skip("the senders send at their pace, not with -short")
	}
	t.Parallel()
	protocols, err := exec.Command("ffmpeg", "-hide_banner", "-protocols").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ sends, query string }{
		"udp":  {"-c:v mpeg2video -f mpegts", ""},
		"tcp":  {"-c:v mpeg2video -f mpegts", "?listen=1"},
		"srt":  {"-c:v mpeg2video -f mpegts", "?mode=listener"},
		"rtmp": {"-c:v flv -f flv -listen 1", "/live/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(protocols), " "+name+"\n") {
				testkit.Skip(t, "FFmpeg with "+name)
			}
			url := name + "://127.0.0.1:" + freePort(t)
			ctx, end := context.WithCancel(t.Context())
			sent := make(chan struct{})
			t.Cleanup(func() { end(); <-sent })
			go func() {
				defer close(sent)
				args := strings.Fields("-v error -re -f lavfi -i testsrc=size=160x120:rate=20 -t 1 -g 5 " + c.sends + " " + url + c.query)
				for ctx.Err() == nil {
					exec.CommandContext(ctx, "ffmpeg", args...).Run() // it ends when the receiver does
				}
			}()
			source := ffmpeg.Live{Input: url}
			if name == "rtmp" {
				source.Input += c.query
			}
			f, err := source.Open(ctx)
			for errors.Is(err, ffmpeg.ErrLost) && ctx.Err() == nil { // the sender does not listen yet
				time.Sleep(50 * time.Millisecond)
				f, err = source.Open(ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			last := -1.0
			for range 30 { // one sender sends 20
				pic, err := drained(f)
				if err != nil {
					t.Fatal(err)
				}
				if pic.Image.Bounds().Size() != image.Pt(160, 120) || !(pic.Time > last) {
					t.Errorf("a picture of %v at %v s, after one at %v s", pic.Image.Bounds(), pic.Time, last)
				}
				last = pic.Time
			}
		})
	}
}
