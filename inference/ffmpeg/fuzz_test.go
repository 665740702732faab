package ffmpeg_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/yuv"
)

const phone = `{"streams":[{"index":1,"codec_name":"h264","codec_type":"video","width":1920,"height":1080,
"sample_aspect_ratio":"1:1","pix_fmt":"yuv420p","color_range":"tv","color_space":"bt709","r_frame_rate":"30/1",
"avg_frame_rate":"30000/1001","duration":"2.002","nb_frames":"60","disposition":{"default":1,"attached_pic":0},
"side_data_list":[{"rotation":-90}]}],"format":{"duration":"2.1"}}`

// FuzzAnswer reads what ffprobe says of a file: a size, a number of frames, a rate and a
// duration that can be worked with, or an error.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(phone))
	f.Add([]byte(`{"streams":[{"codec_type":"video","width":1,"height":65536,"sample_aspect_ratio":"20:1"}]}`))
	f.Add([]byte(`{"streams":[{"codec_type":"audio"},{}],"format":{}}`))
	f.Add([]byte(`{"streams":[{"codec_type":"video","width":2,"height":2,"avg_frame_rate":"1e308/1e-308","nb_frames":"-1","duration":"nan"}]}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		info, filters, err := ffmpeg.Parse(answer)
		if err != nil {
			if !errors.Is(err, inference.ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if info.Size.X <= 0 || info.Size.Y <= 0 || info.Size.X > 1<<16 || info.Size.Y > 1<<16 || info.Frames < 0 {
			t.Fatalf("%+v", info)
		}
		for _, v := range []float64{info.FrameRate, info.Duration} {
			if !(v >= 0) || math.IsInf(v, 0) {
				t.Fatalf("%+v", info)
			}
		}
		if strings.ContainsAny(filters, "\n'; ") {
			t.Fatalf("filters: %q", filters)
		}
	})
}

// FuzzPictures reads arbitrary bytes as what FFmpeg writes to its pipe.
func FuzzPictures(f *testing.F) {
	size := image.Pt(4, 2)
	whole := "YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2\nFRAME\n123456789012FRAME\n123456789012"
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)-1]))
	f.Add([]byte("YUV4MPEG2 W4 H2 C444\nFRAME\n"))
	f.Add([]byte("YUV4MPEG2 W-4 H2 C C420"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		n, err := ffmpeg.ReadPictures(bytes.NewReader(stream), size)
		if err == nil || n*yuv.Bytes(size) > len(stream) {
			t.Fatalf("%d pictures (%v)", n, err)
		}
		if n > 0 && err == io.EOF {
			again, err := ffmpeg.ReadPictures(byByte{bytes.NewReader(stream)}, size)
			if again != n || err != io.EOF {
				t.Fatalf("%d pictures, %d byte by byte (%v)", n, again, err)
			}
		}
	})
}

// byByte hands out a byte at a time.
type byByte struct{ r io.Reader }

func (r byByte) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 1)]) }

// FuzzLog reads arbitrary bytes as FFmpeg's messages, in one piece and in two: the same
// times, none of them infinite.
func FuzzLog(f *testing.F) {
	f.Add([]byte("frame:0    pts:0       pts_time:0\nm=1\nframe:1    pts:200000  pts_time:0.2\nm=1\n"), 20)
	f.Add([]byte("[h264 @ 0x1] frame:0    pts:NOPTS   pts_time:NOPTS\na.mp4: corrupt decoded frame in stream 0\n"), 3)
	f.Add([]byte("frame:9    pts:1 pts_time:1\nframe:3    pts:1 pts_time:1\n"), 0)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		times, damaged := ffmpeg.ReadLog(text)
		cut = min(max(cut, 0), len(text))
		again, damagedAgain := ffmpeg.ReadLog(text[:cut], text[cut:])
		if len(times) != len(again) || damaged != damagedAgain {
			t.Fatalf("%d times and %d damaged in one piece, %d and %d in two", len(times), damaged, len(again), damagedAgain)
		}
		for i, v := range times {
			if v != again[i] || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("time %d: %v and %v", i, v, again[i])
			}
		}
	})
}

// FuzzClock gives times to frames whatever the movie says: they start at 0 and increase.
func FuzzClock(f *testing.F) {
	f.Add(0.04, []byte("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\xe0\x3f"))
	f.Fuzz(func(t *testing.T, step float64, raw []byte) {
		var times []float64
		for ; len(raw) >= 8; raw = raw[8:] {
			times = append(times, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
		known := func(v float64) bool { return math.Abs(v) < 1e9 }
		if !(step >= 0 && step < 1e6) {
			step = 0
		}
		last := -1.0
		for i, v := range ffmpeg.Clock(step, known, times...) {
			if !(v > last) || i == 0 && v != 0 {
				t.Fatalf("frame %d is at %v s after %v s", i, v, last)
			}
			last = v
		}
	})
}

// FuzzPackets counts the lines of a list of packets, in one piece and in two.
func FuzzPackets(f *testing.F) {
	f.Add([]byte("0,N/A,0.1,K_\n0.1,0.1,0.1,__\n1,1,,_D\nN/A,N/A,N/A,K__\n\nx"), 4)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = min(max(cut, 0), len(text))
		n, again := ffmpeg.CountPackets(text), ffmpeg.CountPackets(text[:cut], text[cut:])
		if n != again || n > bytes.Count(text, []byte("\n")) {
			t.Fatalf("%d packets in one piece, %d in two", n, again)
		}
	})
}
