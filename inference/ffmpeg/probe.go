package ffmpeg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/ffexec"
)

// source is a movie that can be decoded.
type source struct {
	path    string
	remove  func() // removes the copy that was made of it
	demuxer string
	stream  int // index of the video stream
	info    inference.Info
	exact   bool // info.Frames is what the container says, not a count of packets
	scaled  bool // the pixels are not square: scale to info.Size
	full    bool // stored in full range
	bt709   bool
}

// open finds out what r is. The caller calls remove.
func (d Decoder) open(ctx context.Context, r io.ReadSeeker) (s source, err error) {
	if s.path, s.remove, err = ffexec.LocalPath(ctx, r, d.TempDir); err != nil {
		return s, err
	}
	defer func() {
		if err != nil {
			s.remove()
		}
	}()
	head := make([]byte, headSize)
	n, err := readHead(s.path, head)
	if err != nil {
		return s, err
	}
	if n == 0 {
		return s, fmt.Errorf("%w: the file is empty", inference.ErrFormat)
	}
	if s.demuxer = demuxer(head[:n]); s.demuxer == "" {
		return s, fmt.Errorf("%w: the content is not an MP4, MOV, WebM, Matroska, AVI, MPEG or GIF movie", inference.ErrFormat)
	}
	out, err := d.ffprobe(ctx, s, "-show_entries",
		"stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,nb_frames,duration,color_range,color_space,pix_fmt"+
			":stream_disposition=default,attached_pic:stream_side_data=rotation:stream_tags=rotate:format=duration")
	if err != nil {
		return s, err
	}
	if err := s.parse(out); err != nil {
		return s, err
	}
	if s.info.Frames == 0 {
		if out, err = d.ffprobe(ctx, s, "-count_packets", "-select_streams", strconv.Itoa(s.stream), "-show_entries", "stream=nb_read_packets"); err != nil {
			return s, err
		}
		s.info.Frames = parsePackets(out)
	}
	return s, nil
}

func readHead(path string, head []byte) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

// maxProbe is how much ffprobe may say, in bytes.
const maxProbe = 1 << 20

// ffprobe runs ffprobe on the source and returns its JSON.
func (d Decoder) ffprobe(ctx context.Context, s source, args ...string) ([]byte, error) {
	ctx, cancel := d.timeout(ctx)
	defer cancel()
	var out limited
	var stderr ffexec.Tail
	all := append([]string{"-v", "error", "-protocol_whitelist", "file", "-f", s.demuxer}, args...)
	err := d.runner().Run(ctx, ffexec.Command{
		Program: "ffprobe", Args: append(all, "-of", "json", "file:"+s.path),
		Stdout: &out, Stderr: &stderr, ReadFiles: []string{s.path},
	})
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil, errors.Is(err, ffexec.ErrProgram):
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s", inference.ErrFormat, reason(stderr.String(), s.path, err))
}

// limited is a buffer that refuses more than maxProbe bytes.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxProbe {
		return 0, errors.New("ffprobe says too much")
	}
	return l.Buffer.Write(p)
}

// reason returns the last line of what the program said, without the file's path.
func reason(stderr, path string, err error) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	last = strings.TrimPrefix(strings.ReplaceAll(last, path, ""), "file:: ")
	if last == "" {
		return err.Error()
	}
	return "FFmpeg says: " + last
}

type probeAnswer struct {
	Streams []probeStream
	Format  struct{ Duration string }
}

type probeStream struct {
	Index       int
	CodecType   string `json:"codec_type"`
	CodecName   string `json:"codec_name"`
	Width       int
	Height      int
	Aspect      string `json:"sample_aspect_ratio"`
	AverageRate string `json:"avg_frame_rate"`
	BaseRate    string `json:"r_frame_rate"`
	Frames      string `json:"nb_frames"`
	Duration    string
	Range       string `json:"color_range"`
	Matrix      string `json:"color_space"`
	PixelFormat string `json:"pix_fmt"`
	Disposition struct {
		Default     int
		AttachedPic int `json:"attached_pic"`
	}
	SideData []struct{ Rotation float64 } `json:"side_data_list"`
}

// parse fills in the source from what ffprobe says of its streams.
func (s *source) parse(out []byte) error {
	var a probeAnswer
	if err := json.Unmarshal(out, &a); err != nil {
		return fmt.Errorf("%w: ffprobe's answer cannot be read: %v", inference.ErrFormat, err)
	}
	var v *probeStream
	var others []string
	for i := range a.Streams {
		x := &a.Streams[i]
		if x.CodecType != "video" || x.Disposition.AttachedPic != 0 {
			others = append(others, x.CodecType)
			continue
		}
		if v == nil || x.Disposition.Default > v.Disposition.Default {
			v = x
		}
	}
	if v == nil {
		found := "nothing"
		if len(others) > 0 {
			found = strings.Join(others, ", ")
		}
		return fmt.Errorf("%w: there is no moving picture in the file, only %s", inference.ErrFormat, found)
	}
	const side = 1 << 16
	if v.Width <= 0 || v.Height <= 0 || v.Width > side || v.Height > side {
		return fmt.Errorf("%w: a picture size of %d×%d", inference.ErrFormat, v.Width, v.Height)
	}
	s.stream = v.Index
	size := image.Pt(v.Width, v.Height)
	if aspect := ratio(v.Aspect, ":"); aspect > 0.05 && aspect < 20 && aspect != 1 {
		size.X = max(int(math.Round(float64(size.X)*aspect)), 1)
		s.scaled = true
	}
	for _, d := range v.SideData {
		if turn := math.Mod(math.Abs(d.Rotation), 180); turn > 45 && turn < 135 {
			size.X, size.Y = size.Y, size.X
		}
	}
	s.info.Size = size
	s.info.Frames, _ = strconv.Atoi(v.Frames)
	s.exact = s.info.Frames > 0
	if s.info.FrameRate = ratio(v.AverageRate, "/"); s.info.FrameRate == 0 {
		s.info.FrameRate = ratio(v.BaseRate, "/")
	}
	if s.info.Duration = number(v.Duration); s.info.Duration == 0 {
		s.info.Duration = number(a.Format.Duration)
	}
	s.full = v.Range == "pc" || strings.HasPrefix(v.PixelFormat, "yuvj")
	rgb := strings.Contains(v.PixelFormat, "rgb") || strings.Contains(v.PixelFormat, "bgr") || v.PixelFormat == "pal8"
	switch {
	case rgb:
		s.full = false // converted by FFmpeg, to the limited range and BT.601
	case v.Matrix == "" || v.Matrix == "unknown":
		s.bt709 = min(size.X, size.Y) >= 720 // what players assume
	default:
		s.bt709 = v.Matrix != "smpte170m" && v.Matrix != "bt470bg" && v.Matrix != "fcc"
	}
	return nil
}

func parsePackets(out []byte) int {
	var a struct {
		Streams []struct {
			Packets string `json:"nb_read_packets"`
		}
	}
	if json.Unmarshal(out, &a) != nil || len(a.Streams) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(a.Streams[0].Packets)
	return max(n, 0)
}

// ratio reads "30000/1001" or "4:3"; 0 where it cannot.
func ratio(s, sep string) float64 {
	a, b, ok := strings.Cut(s, sep)
	if !ok {
		return 0
	}
	x, y := number(a), number(b)
	if y == 0 {
		return 0
	}
	return x / y
}

// number reads a number of 0 or more; 0 where it cannot.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0
	}
	return v
}
