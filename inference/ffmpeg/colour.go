package ffmpeg

import (
	"fmt"
	"image"
	"strings"
)

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
		if from == "" {
			from = to
		}
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

// times adds filters that write one line per frame with its time to standard error, for the
// log. Only frames with metadata get a line, so one entry is added. The pictures are then
// numbered, because the muxer needs increasing times.
func times(filters string) string {
	return fmt.Sprintf("%s,settb=1/%d,metadata=mode=add:key=m:value=1,metadata=mode=print:file=pipe\\\\:2:direct=1,setpts=N", filters, timeBase)
}
