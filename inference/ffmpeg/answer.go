package ffmpeg

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/inference"
)

// answer is what ffprobe says of a file.
type answer struct {
	Streams []stream
	Format  struct {
		Duration string
		Tags     tags
	}
}

// tags say when a recording began. Apple's time has the zone of the camera; the others are UTC.
type tags struct {
	Created string `json:"creation_time"`
	Apple   string `json:"com.apple.quicktime.creationdate"`
}

type stream struct {
	Index       int
	CodecType   string `json:"codec_type"`
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
		Default         int
		AttachedPic     int `json:"attached_pic"`
		TimedThumbnails int `json:"timed_thumbnails"`
		StillImage      int `json:"still_image"`
	}
	SideData []struct{ Rotation float64 } `json:"side_data_list"`
	Tags     tags
}

// kind describes a stream that is not video; "" for video.
func (v stream) kind() string {
	switch {
	case v.CodecType == "":
		return "data"
	case v.CodecType != "video":
		return v.CodecType
	case v.Disposition.AttachedPic != 0:
		return "a cover picture"
	case v.Disposition.StillImage != 0:
		return "a still picture"
	case v.Disposition.TimedThumbnails != 0:
		return "thumbnails"
	}
	return ""
}

// movie returns the video stream to show: the first one marked as default, else the first.
func (a answer) movie() (found *stream, err error) {
	var others []string
	for i := range a.Streams {
		v := &a.Streams[i]
		if kind := v.kind(); kind != "" {
			if !slices.Contains(others, kind) {
				others = append(others, kind)
			}
			continue
		}
		if found == nil || found.Disposition.Default == 0 && v.Disposition.Default != 0 {
			found = v
		}
	}
	switch {
	case found != nil:
		return found, nil
	case len(others) == 0:
		return nil, fmt.Errorf("%w: there is no video stream in the file: it is incomplete or empty", inference.ErrFormat)
	}
	return nil, fmt.Errorf("%w: there is no video stream in the file, only %s", inference.ErrFormat, strings.Join(others, ", "))
}

// parse fills the source from ffprobe's answer.
func (s *source) parse(out []byte) error {
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return fmt.Errorf("%w: ffprobe's answer cannot be read: %v", inference.ErrFormat, err)
	}
	v, err := a.movie()
	if err != nil {
		return err
	}
	size, scaled, err := v.upright()
	if err != nil {
		return err
	}
	s.stream = v.Index
	s.info = inference.Info{
		Size: size, FrameRate: cmp.Or(ratio(v.AverageRate, "/"), ratio(v.BaseRate, "/")), Duration: cmp.Or(number(v.Duration), number(a.Format.Duration)),
	}
	if n, err := strconv.Atoi(v.Frames); err == nil && n > 0 {
		s.info.Frames = n
	}
	s.info.Recorded = recorded(a.Format.Tags.Apple, a.Format.Tags.Created, v.Tags.Created)
	s.promised = s.info
	s.colour = v.colour(size, scaled)
	return nil
}

func recorded(times ...string) time.Time {
	for _, text := range times {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700"} {
			if t, err := time.Parse(layout, text); err == nil {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}

// maxSide is the largest width and height, pixels.
const maxSide = 1 << 16

// upright returns the size of the picture as shown, with square pixels and rotated by the
// display matrix. scaled: the pixels in the file are not square.
func (v stream) upright() (size image.Point, scaled bool, err error) {
	aspect := ratio(v.Aspect, ":")
	scaled = aspect > 0.05 && aspect < 20 && aspect != 1
	width := float64(v.Width)
	if scaled {
		width = max(math.Round(width*aspect), 1)
	}
	if v.Width <= 0 || v.Height <= 0 || width > maxSide || v.Height > maxSide {
		return size, false, fmt.Errorf("%w: a picture size of %d×%d", inference.ErrFormat, v.Width, v.Height)
	}
	size = image.Pt(int(width), v.Height)
	for _, d := range v.SideData {
		// Quarter turns within one degree, as in FFmpeg.
		if math.Abs(math.Mod(math.Abs(d.Rotation), 180)-90) < 1 {
			size.X, size.Y = size.Y, size.X
		}
	}
	return size, scaled, nil
}

// ratio parses "30000/1001" or "4:3"; 0 if invalid.
func ratio(s, sep string) float64 {
	a, b, _ := strings.Cut(s, sep)
	if v := number(a) / number(b); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// number parses a number of 0 or more; 0 if invalid.
func number(s string) float64 {
	v, _ := seconds([]byte(s))
	return max(v, 0)
}

// colour describes the pixels that are delivered.
type colour struct {
	format string // FFmpeg's name of the pixel format
	full   bool   // full range
	bt709  bool   // matrix of BT.709; else BT.601
	scale  string // options of FFmpeg's scale filter that convert to it; "": nothing to convert
}

// colour chooses what is delivered. Eight-bit 4:2:0 with the matrix of BT.601 or BT.709 stays
// as it is; all else is converted to limited range.
func (v stream) colour(size image.Point, scaled bool) colour {
	c := colour{format: "yuv420p"}
	rgb := strings.Contains(v.PixelFormat, "rgb") || strings.Contains(v.PixelFormat, "bgr") ||
		strings.HasPrefix(v.PixelFormat, "gbr") || strings.HasPrefix(v.PixelFormat, "pal8")
	from := ""
	switch v.Matrix {
	case "", "unknown", "reserved":
		c.bt709 = min(size.X, size.Y) >= 720 // what players assume
	case "smpte170m", "bt470bg", "fcc":
	case "bt2020nc", "bt2020c":
		c.bt709, from = true, "bt2020"
	case "smpte240m":
		c.bt709, from = true, "smpte240m"
	default:
		c.bt709 = true
	}
	if (v.PixelFormat == "yuv420p" || v.PixelFormat == "yuvj420p") && from == "" && !scaled {
		c.format = v.PixelFormat
		c.full = v.Range == "pc" || v.PixelFormat == "yuvj420p"
		return c
	}
	to := "bt601"
	if c.bt709 && !rgb {
		to = "bt709"
	}
	c.bt709 = to == "bt709"
	c.scale = ":out_range=limited:out_color_matrix=" + to
	if !rgb {
		from = cmp.Or(from, to)
		c.scale += ":in_color_matrix=" + from
		if v.Range == "pc" {
			c.scale += ":in_range=full"
		}
	}
	return c
}

// filters returns the filter graph, which FFmpeg applies to the upright picture. It always sets
// the size, because streams may change theirs.
func (s source) filters() string {
	return times(fmt.Sprintf("scale=%d:%d%s,format=%s", s.info.Size.X, s.info.Size.Y, s.colour.scale, s.colour.format))
}

// times adds filters that write one line per frame with its time to standard error, for the log. Only frames with metadata get
// a line, so one entry is added. The pictures are then numbered, because the muxer needs increasing times.
func times(filters string) string {
	return fmt.Sprintf("%s,settb=1/%d,metadata=mode=add:key=m:value=1,metadata=mode=print:file=pipe\\\\:2:direct=1,setpts=N", filters, timeBase)
}
