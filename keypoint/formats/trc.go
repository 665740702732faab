package formats

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// TRCOptions map the coordinates of a TRC file to the picture. The zero value is for files in pixels, x to the right and
// y down, with the origin at the top left of the picture, such as the _px files of Sports2D. With X and Y from the file,
// a pixel is at
//
//	x = Origin.X + X · PixelsPerMetre
//	y = Origin.Y + Y · PixelsPerMetre    or, if YUp, Origin.Y − Y · PixelsPerMetre
type TRCOptions struct {
	PixelsPerMetre float64        // the scale of a file in metres; 0: the file is in pixels
	YUp            bool           // the y axis of the file points up, as in OpenSim
	Origin         keypoint.Point // of the file in the picture, pixels
	ZeroIsAbsent   bool           // markers at (0, 0, 0) are absent, as Sports2D may write them; empty cells and NaN always are
	Limits         Limits
}

func (o TRCOptions) validate() error {
	s := o.PixelsPerMetre
	if s != 0 && !(s >= 1e-9 && s <= 1e9) {
		return wrong("TRC", "PixelsPerMetre", "is %v, want 1e-9 to 1e9, or 0 for a file in pixels", s)
	}
	if !finite(o.Origin[0]) || !finite(o.Origin[1]) {
		return wrong("TRC", "Origin", "is %v, want finite numbers", o.Origin)
	}
	return nil
}

// ReadTRC reads markers from a TRC file of OpenSim, Sports2D or Pose2Sim: times in seconds, and pixels by the options.
// RShoulder, rightShoulder and right_shoulder are the same marker; others than the parts are ignored. TRC has no
// confidence, which becomes 1, and no picture size.
//
// Where a Z is not 0 and the unit is a length, X, Y (up) and Z are the positions in space, too: in metres, or in torso
// lengths as WriteTRC writes them. Nothing says which cameras saw them (keypoint.Space.Cameras). Otherwise the
// unit in the header matters only if the options have a scale: Sports2D writes m for pixels too. Frame numbers that
// are not consecutive, times that do not increase, and numbers other than the header's are an Error.
func ReadTRC(r io.Reader, opt TRCOptions) (keypoint.Sequence, error) {
	if err := opt.validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	seq, _, err := readTRC(r, opt)
	return seq, err
}

func readTRC(r io.Reader, opt TRCOptions) (keypoint.Sequence, trcHeader, error) {
	in := opt.Limits.lines("TRC", r)
	h := readTRCHeader(in, opt)
	t := timeline{limits: opt.Limits, times: []float64{}}
	in.rows(func(text string) {
		cells, ok := h.cells(in, text)
		if !ok {
			return
		}
		number, detail := parseFrame(cells[0])
		if detail != "" {
			in.wrong("Frame#", "%s", detail)
		}
		time, detail := parseTime(cells[1])
		if detail != "" {
			in.wrong("Time", "%s", detail)
		}
		if member, detail := t.add(number, time, true); detail != "" {
			in.wrong(member, "%s", detail)
			return
		}
		h.set(in, cells, t.frame(), opt)
	})
	if h.frames >= 0 && h.frames != len(t.frames) {
		in.wrong("NumFrames", "there are %d frames, want %d as the header says", len(t.frames), h.frames)
	}
	if in.err != nil {
		return keypoint.Sequence{}, h, in.err
	}
	if h.deep {
		t.space = &keypoint.Space{Unit: h.unit}
	} else {
		for i := range t.frames {
			t.frames[i].SetPositions(nil)
		}
	}
	return t.sequence(), h, nil
}

// WriteTRC writes the parts as markers of a TRC file with the names of Sports2D and Pose2Sim, such as RShoulder. The
// feet, as in HALPE_26, are written only if a frame has one. Positions in space (keypoint.Sequence.Space) are written in
// their unit, m or torso, Y up. Otherwise Z is 0, and a World with a scale (keypoint.Sequence.World) gives metres: X along
// its floor, Y up, from its origin. Otherwise the file is in pixels, Y down. An absent part is NaN. Frames are numbered
// from 0; DataRate is keypoint.Sequence.FrameRate, 1 if there are too few frames.
//
// Confidences and the picture size are lost. A sequence that is invalid or has no times is a keypoint.ErrInvalid.
func WriteTRC(w io.Writer, seq keypoint.Sequence) error {
	p, err := markersOf("TRC", seq)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(p.trcHead())
	var row []string
	for i := range seq.Frames {
		row = append(row[:0], strconv.Itoa(i), tables.Number(seq.Times[i]))
		for _, part := range p.list {
			at, _, ok := p.at(i, part)
			if !ok {
				row = append(row, "NaN", "NaN", "NaN") // OpenSim loses an empty cell at the end of a row
				continue
			}
			row = append(row, tables.Number(at[0]), tables.Number(at[1]), tables.Number(at[2]))
		}
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	return out.Flush()
}

// trcHead returns the lines before the rows.
func (p placed) trcHead() string {
	n, r := strconv.Itoa(p.seq.Len()), tables.Number(p.rate())
	names, axes := "Frame#\tTime", "\t"
	for i, part := range p.list {
		names += "\t" + markers[part] + "\t\t"
		axes += fmt.Sprintf("\tX%[1]d\tY%[1]d\tZ%[1]d", i+1)
	}
	return "PathFileType\t4\t(X/Y/Z)\tkeypoints.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		strings.Join([]string{r, r, n, strconv.Itoa(len(p.list)), p.unit, r, "0", n}, "\t") +
		"\n" + names + "\n" + axes + "\n\n"
}
