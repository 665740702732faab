package keypoint

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"

	"github.com/bodymotion/motion/internal/decimal"
)

// Header is the first line of a stream: what holds for all of its frames.
type Header struct {
	Size  image.Point // width and height of the upright picture in pixels; zero where unknown
	Timed bool        // whether the frames have times
}

// Encoder writes frames one after the other, for recordings that are too long to be held,
// or that are still going on. The form is JSON Lines: a header, then a line a frame with
// its time (seconds, at most six decimals), its keypoints (pixels, at most two decimals)
// and their confidences (at most four).
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

// NewEncoder returns an encoder that writes to w, each line with one call.
func NewEncoder(w io.Writer, h Header) *Encoder { return &Encoder{w: w, header: h} }

// Encode writes a frame, and the header before the first one. seconds is its time, which is
// left out where the header says that there are none. A time that is not finite or not after
// the one before is an ErrInvalid, and nothing is written; errors of the writer come back as
// they are.
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
		b = append(b, `"time":`...)
		b = decimal.Append(b, seconds, 6)
		b = append(b, ',')
	}
	b = append(b, `"keypoint":`...)
	b = f.AppendJSON(b)
	b = append(b, `,"scores":`...)
	b = f.AppendScoresJSON(b)
	e.line = append(b, "}\n"...)
	if _, err := e.w.Write(e.line); err != nil {
		return err
	}
	e.frames++
	e.last = seconds
	return nil
}

// Start writes the header if it is not written yet: for recordings without a frame. A
// negative size is an ErrInvalid.
func (e *Encoder) Start() error {
	if e.started {
		return nil
	}
	size := e.header.Size
	if err := (Sequence{Size: size}).Validate(); err != nil {
		return err
	}
	b := append(e.line[:0], '{')
	if size.X > 0 && size.Y > 0 {
		b = append(b, `"width":`...)
		b = strconv.AppendInt(b, int64(size.X), 10)
		b = append(b, `,"height":`...)
		b = strconv.AppendInt(b, int64(size.Y), 10)
		b = append(b, ',')
	}
	b = append(b, `"timed":`...)
	b = strconv.AppendBool(b, e.header.Timed)
	e.line = append(b, "}\n"...)
	if _, err := e.w.Write(e.line); err != nil {
		return err
	}
	e.started = true
	return nil
}

// maxLine bounds a line of a stream, bytes; a frame with all parts needs less than 4 KiB.
const maxLine = 64 << 10

// Decoder reads what Encoder writes, frame by frame.
type Decoder struct {
	in     *bufio.Reader
	header Header
	lines  int // that were read
	last   float64
	err    error // that ended the stream
}

// NewDecoder returns a decoder that reads from r. It reads ahead of the frames.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{in: bufio.NewReaderSize(r, maxLine)} }

// Header returns the first line. Its errors are those of Decode.
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
	if err == io.EOF {
		return d.header, d.end(fmt.Errorf("%w stream: it is empty, want a header", ErrInvalid))
	}
	if err != nil {
		return d.header, d.end(err)
	}
	if err := strict(line, &h); err != nil {
		return d.header, d.end(d.wrong(err))
	}
	d.header = Header{Size: image.Pt(h.Width, h.Height), Timed: h.Timed}
	if err := (Sequence{Size: d.header.Size}).Validate(); err != nil {
		return d.header, d.end(d.wrong(err))
	}
	return d.header, nil
}

// Decode returns the next frame and its time in seconds, 0 where the header says that there
// are none; io.EOF after the last one. What is no frame, with its line number, and times
// that do not increase are an ErrInvalid. Errors of the reader come back as they are.
func (d *Decoder) Decode() (f Frame, seconds float64, err error) {
	if _, err := d.Header(); err != nil {
		return f, 0, err
	}
	line, err := d.line()
	if err != nil {
		return f, 0, d.end(err)
	}
	if f, seconds, err = d.frame(line); err != nil {
		return Frame{}, 0, d.end(d.wrong(err))
	}
	if d.header.Timed {
		if err := follows(d.lines-2, seconds, d.last); err != nil {
			return Frame{}, 0, d.end(d.wrong(err))
		}
		d.last = seconds
	}
	return f, seconds, nil
}

// All returns the rest of the stream as a sequence.
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

// end remembers what ended the stream.
func (d *Decoder) end(err error) error {
	d.err = err
	return err
}

func (d *Decoder) wrong(err error) error {
	return fmt.Errorf("%w stream: line %d: %w", ErrInvalid, d.lines, err)
}

// line returns the next line; io.EOF where there is none.
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
		Scores   map[Part]float64   `json:"scores"`
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
	if v.Time != nil {
		seconds = *v.Time
	}
	f, err = newFrame(v.Keypoint, v.Scores)
	return f, seconds, err
}
