package ffmpeg

import (
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/inference"
)

// answer is what ffprobe says of a file.
type answer struct {
	Streams []stream
	Format  struct{ Duration string }
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
func (a answer) movie() (*stream, error) {
	var found *stream
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

// first returns the index of the first video stream, −1 if there is none.
func (a answer) first() int {
	for _, v := range a.Streams {
		if v.kind() == "" {
			return v.Index
		}
	}
	return -1
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
	s.info = inference.Info{Size: size, FrameRate: ratio(v.AverageRate, "/"), Duration: number(v.Duration)}
	if s.info.FrameRate == 0 {
		s.info.FrameRate = ratio(v.BaseRate, "/")
	}
	if s.info.Duration == 0 {
		s.info.Duration = number(a.Format.Duration)
	}
	if n, err := strconv.Atoi(v.Frames); err == nil && n > 0 {
		s.info.Frames = n
	}
	s.promised = s.info
	s.colour = v.colour(size, scaled)
	s.plain = s.colour.scale == "" && v.Index == a.first()
	return nil
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
	a, b, ok := strings.Cut(s, sep)
	if !ok {
		return 0
	}
	x, y := number(a), number(b)
	if y == 0 {
		return 0
	}
	if v := x / y; !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// number parses a number of 0 or more; 0 if invalid.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0
	}
	return v
}
