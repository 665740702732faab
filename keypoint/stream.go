package keypoint

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/internal/jsonappend"
)

// Header is the first line of a stream. It applies to all frames.
type Header struct {
	Size  image.Point // width and height of the upright picture in pixels; zero if unknown
	Timed bool        // whether the frames have times
}

// Encoder writes frames one by one, for recordings that do not fit into memory or have not
// ended. The form is JSON Lines: a header, then a line per frame with its time (seconds, at
// most six decimals), keypoints (pixels, at most two decimals) and confidences (at most four).
//
//	{"width":640,"height":480,"timed":true}
//	{"time":0,"keypoint":{"nose":[317.4,88.12]},"scores":{"nose":0.91}}
//	{"time":0.033367,"keypoint":{},"scores":{}}
type Encoder struct {
	w       io.Writer
	header  Header
	line    []byte
	started bool
	frames  int
	last    float64
}

// NewEncoder returns an encoder that writes each line to w with one call.
func NewEncoder(w io.Writer, h Header) *Encoder { return &Encoder{w: w, header: h} }

// Encode writes a frame, and the header before the first one. seconds is the time of the
// frame; it is ignored if the header is not Timed. A time that is not finite or not after the
// previous one is an ErrInvalid, and nothing is written. Errors of the writer are returned
// unchanged.
func (e *Encoder) Encode(f *Frame, seconds float64) error {
	if e.header.Timed {
		if err := follows(e.frames, seconds, e.last); err != nil {
			return err
		}
	}
	if err := e.Start(); err != nil {
		return err
	}
	b := append(e.line[:0], '{')
	if e.header.Timed {
		b = append(jsonappend.Number(append(b, `"time":`...), seconds, 6), ',')
	}
	b = f.AppendJSON(append(b, `"keypoint":`...))
	b = f.appendScoresJSON(append(b, `,"scores":`...))
	e.line = append(b, "}\n"...)
	if _, err := e.w.Write(e.line); err != nil {
		return err
	}
	e.frames++
	e.last = seconds
	return nil
}

// Start writes the header unless it has been written. Recordings without frames need it. A
// negative size is an ErrInvalid.
func (e *Encoder) Start() error {
	if e.started {
		return nil
	}
	if err := (Sequence{Size: e.header.Size}).Validate(); err != nil {
		return err
	}
	e.line = fmt.Appendf(appendSize(append(e.line[:0], '{'), e.header.Size), "\"timed\":%t}\n", e.header.Timed)
	if _, err := e.w.Write(e.line); err != nil {
		return err
	}
	e.started = true
	return nil
}

// maxLine is the longest line of a stream in bytes; a frame with all parts needs less than 4 KiB.
const maxLine = 64 << 10

// Decoder reads the frames that Encoder writes.
type Decoder struct {
	in     *bufio.Reader
	header Header
	lines  int // read so far
	last   float64
	err    error // the error that ended the stream
}

// NewDecoder returns a decoder that reads from r. It may read ahead.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{in: bufio.NewReaderSize(r, maxLine)} }

// Header returns the header. Its errors are those of Decode.
func (d *Decoder) Header() (Header, error) {
	if d.lines > 0 || d.err != nil {
		return d.header, d.err
	}
	var h struct {
		Width  int  `json:"width"`
		Height int  `json:"height"`
		Timed  bool `json:"timed"`
	}
	line, err := d.line()
	switch {
	case err == io.EOF:
		err = fmt.Errorf("%w stream: it is empty, want a header", ErrInvalid)
	case err == nil:
		if err = strict(line, &h); err == nil {
			d.header = Header{Size: image.Pt(h.Width, h.Height), Timed: h.Timed}
			err = Sequence{Size: d.header.Size}.Validate()
		}
		err = d.wrong(err)
	}
	d.err = err
	return d.header, err
}

// Decode returns the next frame and its time in seconds, which is 0 if the header is not
// Timed. It returns io.EOF after the last frame. Malformed lines and times that do not
// increase are an ErrInvalid that names the line. Errors of the reader are returned unchanged.
func (d *Decoder) Decode() (f Frame, seconds float64, err error) {
	if _, err := d.Header(); err != nil {
		return f, 0, err
	}
	line, err := d.line()
	if err == nil {
		f, seconds, err = d.frame(line)
		err = d.wrong(err)
	}
	if err != nil {
		d.err = err
		return Frame{}, 0, err
	}
	d.last = seconds
	return f, seconds, nil
}

// All returns the remaining frames as a sequence.
func (d *Decoder) All() (Sequence, error) {
	h, err := d.Header()
	s := Sequence{Size: h.Size}
	for err == nil {
		var f Frame
		var t float64
		if f, t, err = d.Decode(); err != nil {
			break
		}
		s.Frames = append(s.Frames, f)
		if h.Timed {
			s.Times = append(s.Times, t)
		}
	}
	if err != io.EOF {
		return Sequence{}, err
	}
	return s, nil
}

// wrong adds the line to an error about its content; nil stays nil.
func (d *Decoder) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w stream: line %d: %w", ErrInvalid, d.lines, err)
}

// line returns the next line; io.EOF after the last one.
func (d *Decoder) line() ([]byte, error) {
	line, err := d.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		d.lines++
		return nil, d.wrong(fmt.Errorf("it is longer than %d bytes", maxLine))
	case err == io.EOF && len(line) > 0: // the last one may lack its end
		err = nil
	}
	d.lines++
	return line, err
}

// frame parses a line after the header.
func (d *Decoder) frame(line []byte) (f Frame, seconds float64, err error) {
	var v struct {
		Time     *float64           `json:"time"`
		Keypoint map[Part][]float64 `json:"keypoint"`
		Scores   map[Part]*float64  `json:"scores"`
	}
	if err := strict(line, &v); err != nil {
		return f, 0, err
	}
	switch {
	case v.Keypoint == nil:
		return f, 0, errors.New("there is no keypoint")
	case d.header.Timed && v.Time == nil:
		return f, 0, errors.New("there is no time, and the header says that there is one")
	case !d.header.Timed && v.Time != nil:
		return f, 0, errors.New("there is a time, and the header says that there is none")
	}
	f, err = newFrame(v.Keypoint, v.Scores)
	if v.Time == nil || err != nil {
		return f, 0, err
	}
	return f, *v.Time, follows(d.lines-2, *v.Time, d.last)
}
