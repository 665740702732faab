package ffmpeg_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// need skips the test if FFmpeg is not installed.
func need(t testing.TB) {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
}

// shot returns a JPEG of somebody.
func shot(t *testing.T, size image.Point) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, fakes.Picture(size, image.Rect(size.X/4, 10, size.X/2, size.Y-10)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// look checks a picture of shot, releases it and returns its time.
func look(t *testing.T, f inference.Frames, size image.Point) (seconds float64) {
	t.Helper()
	pic, err := f.Next()
	if err != nil {
		t.Fatal(err)
	}
	bright := func(x, y int) uint32 { r, _, _, _ := pic.Image.At(x, y).RGBA(); return r >> 8 }
	if pic.Image.Bounds().Size() != size || bright(3*size.X/8, size.Y/2) < 230 || bright(3*size.X/4, size.Y/2) > 25 {
		t.Errorf("a picture of %v, brightness %d and %d", pic.Image.Bounds(), bright(3*size.X/8, size.Y/2), bright(3*size.X/4, size.Y/2))
	}
	pic.Release()
	return pic.Time
}

// drained returns the next picture, released.
func drained(f inference.Frames) (pic inference.Picture, err error) {
	if pic, err = f.Next(); err == nil {
		pic.Release()
	}
	return pic, err
}

// TestLivePipe: pictures come out of a pipe while it is open, and end with it.
func TestLivePipe(t *testing.T) {
	need(t)
	size := image.Pt(160, 120)
	r, w := io.Pipe()
	go func() {
		for range 30 {
			w.Write(shot(t, size))
		}
		w.Close()
	}()
	f, err := ffmpeg.Live{Reader: r, Format: "mjpeg"}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Info().Size != size {
		t.Errorf("size %v", f.Info().Size)
	}
	last := -1.0
	for range 25 {
		at := look(t, f, size)
		if !(at > last) || last < 0 && at != 0 {
			t.Errorf("time %v after %v", at, last)
		}
		last = at
	}
	for err == nil {
		_, err = drained(f)
	}
	if _, again := f.Next(); err != io.EOF || again != io.EOF {
		t.Errorf("the end: %v, %v", err, again)
	}
}

// server is one that can be lost: all its connections are cut, and it does not listen.
type server struct {
	t       *testing.T
	address string
	serve   func(net.Conn)
	mu      sync.Mutex
	listen  net.Listener
	open    []net.Conn
}

func newServer(t *testing.T, serve func(net.Conn)) *server {
	s := &server{t: t, address: "127.0.0.1:0", serve: serve}
	s.start()
	t.Cleanup(s.lose)
	return s
}

func (s *server) start() {
	listen, err := net.Listen("tcp", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.address, s.listen = listen.Addr().String(), listen
	go func() {
		for {
			conn, err := listen.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, conn)
			s.mu.Unlock()
			go s.serve(conn)
		}
	}()
}

func (s *server) lose() {
	s.listen.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.open {
		conn.Close()
	}
}

// goesOn reads some pictures, loses the server for a while, and reads some more.
func goesOn(t *testing.T, f inference.Frames, s *server, away time.Duration, next func() float64) {
	t.Helper()
	last := -1.0
	for range 5 {
		at := next()
		if !(at > last) {
			t.Errorf("time %v after %v", at, last)
		}
		last = at
	}
	s.lose()
	timer := time.AfterFunc(away, s.start)
	defer timer.Stop()
	lost := time.Now()
	gap := 0.0
	for gap < away.Seconds()/2 { // some that came before are on their way
		at := next()
		gap, last = at-last, at
	}
	if took := time.Since(lost); took < away || gap > took.Seconds()+1 {
		t.Errorf("lost for %v, the first picture comes after %v and %v s later", away, took, gap)
	}
	for range 5 {
		at := next()
		if !(at > last) {
			t.Errorf("time %v after %v", at, last)
		}
		last = at
	}
}

// TestLiveMJPEG: a camera of MJPEG is lost for five seconds, is back with another size, and goes on. It
// waits that long, beside TestLiveRTSP.
func TestLiveMJPEG(t *testing.T) {
	need(t)
	t.Parallel()
	size := image.Pt(160, 120)
	images := [][]byte{shot(t, size), shot(t, image.Pt(320, 240))}
	connections := 0
	s := newServer(t, func(conn net.Conn) {
		defer conn.Close()
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			return
		}
		img := images[min(connections, 1)]
		connections++
		m := multipart.NewWriter(conn)
		fmt.Fprintf(conn, "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=%s\r\n\r\n", m.Boundary())
		for {
			part, err := m.CreatePart(textproto.MIMEHeader{"Content-Type": {"image/jpeg"}, "Content-Length": {fmt.Sprint(len(img))}})
			if err != nil {
				return
			}
			if _, err = part.Write(img); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond) // the pace of the camera
		}
	})
	f, err := ffmpeg.Live{Input: "http://" + s.address + "/", Format: "mpjpeg"}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	goesOn(t, f, s, 5*time.Second, func() float64 { return look(t, f, size) })
}

// TestLiveRTSP: an RTSP camera is lost for five seconds, and goes on.
func TestLiveRTSP(t *testing.T) {
	need(t)
	t.Parallel()
	s := newServer(t, (&rtsp{t: t}).serve)
	f, err := ffmpeg.Live{Input: "rtsp://" + s.address + "/camera"}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	goesOn(t, f, s, 5*time.Second, func() float64 {
		pic, err := drained(f)
		if err != nil {
			t.Fatal(err)
		}
		if pic.Image.Bounds().Size() != image.Pt(160, 120) {
			t.Errorf("a picture of %v", pic.Image.Bounds())
		}
		return pic.Time
	})
}

// rtsp serves RTSP over TCP (RFC 2326, interleaved): each connection gets the RTP packets of an FFmpeg of
// its own.
type rtsp struct{ t *testing.T }

func (s *rtsp) serve(conn net.Conn) {
	defer conn.Close()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		s.t.Error(err)
		return
	}
	defer packets.Close()
	ctx, end := context.WithCancel(s.t.Context())
	defer end()
	cmd := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=20", "-c:v", "mpeg4", "-g", "5",
		"-f", "rtp", "rtp://"+packets.LocalAddr().String())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return // the test has ended
	}
	defer cmd.Wait()
	defer end()
	var sdp strings.Builder
	for lines := bufio.NewScanner(out); !strings.Contains(sdp.String(), "a=fmtp") && lines.Scan(); {
		if line := lines.Text(); line != "SDP:" {
			sdp.WriteString(line + "\r\n")
		}
	}
	sdp.WriteString("a=control:track0\r\n")
	in := textproto.NewReader(bufio.NewReader(conn))
	for {
		request, err := in.ReadLine()
		if err != nil {
			return
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		method, _, _ := strings.Cut(request, " ")
		answer, body := "", ""
		switch method {
		case "DESCRIBE":
			body = sdp.String()
			answer = fmt.Sprintf("Content-Type: application/sdp\r\nContent-Length: %d\r\n", len(body))
		case "SETUP":
			answer = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n"
		case "PLAY":
			answer = "Session: 1\r\n"
		}
		fmt.Fprintf(conn, "RTSP/1.0 200 OK\r\nCSeq: %s\r\n%s\r\n%s", header.Get("CSeq"), answer, body)
		if method == "PLAY" {
			break
		}
	}
	b := make([]byte, 4+1<<16)
	for {
		n, _, err := packets.ReadFrom(b[4:])
		if err != nil {
			return
		}
		b[0], b[1], b[2], b[3] = '$', 0, byte(n>>8), byte(n)
		if _, err = conn.Write(b[:4+n]); err != nil {
			return
		}
	}
}

func TestLiveErrors(t *testing.T) {
	need(t)
	silent := newServer(t, func(net.Conn) {}) // accepts, and says nothing
	gone := newServer(t, func(net.Conn) {})
	gone.lose()
	short := 300 * time.Millisecond
	for name, c := range map[string]struct {
		live ffmpeg.Live
		want error
	}{
		"nothing":            {ffmpeg.Live{}, keypoint.ErrInvalid},
		"both":               {ffmpeg.Live{Input: "rtsp://x", Reader: strings.NewReader("")}, keypoint.ErrInvalid},
		"a file":             {ffmpeg.Live{Input: "file:///etc/passwd"}, keypoint.ErrInvalid},
		"a path":             {ffmpeg.Live{Input: "/etc/passwd"}, keypoint.ErrInvalid},
		"a path of a format": {ffmpeg.Live{Input: "/etc/passwd", Format: "tty"}, keypoint.ErrInvalid},
		"no camera":          {ffmpeg.Live{Input: "/dev/no-camera", Format: "v4l2"}, ffmpeg.ErrLost},
		"nobody there":       {ffmpeg.Live{Input: "http://" + gone.address, Format: "mpjpeg"}, ffmpeg.ErrLost},
		"silence":            {ffmpeg.Live{Input: "rtsp://" + silent.address, Timeout: short}, ffmpeg.ErrLost},
		"no movie":           {ffmpeg.Live{Reader: strings.NewReader("no movie"), Format: "mjpeg"}, ffmpeg.ErrLost},
		"too large":          {ffmpeg.Live{Reader: bytes.NewReader(bytes.Repeat(shot(t, image.Pt(160, 120)), 5)), Format: "mjpeg", MaxPixels: 15000}, inference.ErrTooManyPixels},
	} {
		f, err := c.live.Open(t.Context())
		if err == nil {
			f.Close()
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	_, err := ffmpeg.Live{Input: "http://user:secret@" + gone.address, Format: "mpjpeg"}.Open(t.Context())
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "FFmpeg says: ") || strings.Contains(err.Error(), "says: :") {
		t.Errorf("the password is told, or not why: %v", err)
	}
}

// TestLiveEnds: what stalls, and is not back in time, is lost; the end of the context ends at once.
func TestLiveEnds(t *testing.T) {
	need(t)
	pictures := bytes.Repeat(shot(t, image.Pt(160, 120)), 10)
	stalling := func() (r io.Reader) {
		r, w := io.Pipe()
		go w.Write(pictures)
		return r
	}
	f, err := ffmpeg.Live{Reader: stalling(), Format: "mjpeg", Timeout: time.Second}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = drained(f)
	}
	if !errors.Is(err, ffmpeg.ErrLost) {
		t.Errorf("a pipe that stalls: %v", err)
	}
	f.Close()
	if _, err = f.Next(); err == nil {
		t.Error("a picture after the end")
	}
	s := newServer(t, func(conn net.Conn) {
		conn.Write([]byte("HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n"))
		conn.Write(pictures)
		conn.Close()
	})
	ctx, end := context.WithCancel(t.Context())
	for _, c := range []struct {
		reconnect time.Duration
		want      error
	}{{-1, io.EOF}, {time.Hour, context.Canceled}} {
		f, err := ffmpeg.Live{Input: "http://" + s.address, Format: "mjpeg", Reconnect: c.reconnect}.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; err == nil; n++ {
			_, err = drained(f)
			if n == 12 { // of the second connection
				end()
			}
		}
		if !errors.Is(err, c.want) {
			t.Errorf("reconnect for %v: %v, want %v", c.reconnect, err, c.want)
		}
		f.Close()
	}
	end()
}
