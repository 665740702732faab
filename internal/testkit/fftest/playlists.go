package fftest

import (
	"image"
	"image/color"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// Playlists tests that neither the decoder, nor the encoder when it copies sound, reads the files and
// addresses that a playlist names, whatever the playlist is called.
func Playlists(t *testing.T, runner program.Runner) {
	movie := testkit.Data(t, "hostile/video_ok/with_audio.mp4")
	transport := testkit.Data(t, "hostile/video_ok/h264.ts")
	address, calls := listen(t)
	for name, text := range map[string]string{
		"HLS of a file":          "#EXTM3U\n#EXT-X-TARGETDURATION:13\n#EXTINF:13,\n" + transport + "\n#EXT-X-ENDLIST\n",
		"HLS of a file address":  "#EXTM3U\n#EXT-X-TARGETDURATION:13\n#EXTINF:13,\nfile://" + transport + "\n#EXT-X-ENDLIST\n",
		"HLS of an address":      "#EXTM3U\n#EXT-X-TARGETDURATION:13\n#EXTINF:13,\nhttp://" + address + "/a.ts\n#EXT-X-ENDLIST\n",
		"HLS master of a file":   "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:" + transport + "\n",
		"HLS with a key":         "#EXTM3U\n#EXT-X-TARGETDURATION:13\n#EXT-X-KEY:METHOD=AES-128,URI=\"" + transport + "\"\n#EXTINF:13,\nhttp://" + address + "/a.ts\n",
		"concat":                 "ffconcat version 1.0\nfile '" + movie + "'\n",
		"concat of an address":   "ffconcat version 1.0\nfile 'http://" + address + "/a.mp4'\n",
		"concat without a magic": "file '" + movie + "'\n",
		"DASH": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT13S"><Period><AdaptationSet mimeType="video/mp4">` +
			`<Representation id="1" bandwidth="1"><BaseURL>http://` + address + `/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
		"SDP":                       "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 1 RTP/AVP 96\n",
		"MP4 with a playlist in it": "\x00\x00\x00\x14ftypisom\x00\x00\x02\x00isom#EXTM3U\n#EXTINF:13,\nfile:" + transport + "\n",
		"playlist after GIF's name": "GIF89a\n#EXTM3U\n#EXTINF:13,\nfile:" + transport + "\n",
	} {
		for _, ext := range []string{".mp4", ".m3u8", ".ffconcat", ""} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "list"+ext)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				info, frames, err := Decode(t, ffmpeg.Decoder{Runner: runner}, path)
				if err == nil {
					t.Errorf("%d frames of %v", len(frames), info.Size)
				} else {
					refusal(t, err)
				}
				if sound := soundOf(t, runner, path); sound != "" {
					t.Errorf("the sound %q was copied", sound)
				}
			})
		}
	}
	if n := calls.Load(); n > 0 {
		t.Errorf("the address was called %d times", n)
	}
}

// listen counts the connections to an address.
func listen(t *testing.T) (address string, calls *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	calls = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			io.WriteString(c, "HTTP/1.0 404 Not Found\r\n\r\n")
			c.Close()
		}
	}()
	return l.Addr().String(), calls
}

// soundOf writes a movie with the sound of a file and returns the sound's codec, "" if it is silent.
func soundOf(t *testing.T, runner program.Runner, source string) string {
	t.Helper()
	f, err := os.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path := filepath.Join(t.TempDir(), "drawn.mp4")
	frames := []Frame{{0, color.RGBA{1, 2, 3, 255}}, {0.2, color.RGBA{4, 5, 6, 255}}}
	Write(t, mp4.Encoder{Runner: runner, Preset: "ultrafast"}, path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 5, Audio: f}, frames)
	for _, s := range streams(t, runner, path) {
		if s.Type == "audio" {
			return s.Codec
		}
	}
	return ""
}
