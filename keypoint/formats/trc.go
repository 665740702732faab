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

// readTRC reads markers.
func readTRC(r io.Reader, opt Options) (keypoint.Sequence, error) {
	in := opt.Limits.lines("TRC", r)
	h := readTRCHeader(in)
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
		time, ok, detail := parseNumber(cells[1])
		if !ok && detail == "" {
			detail = "is not a number, want one"
		}
		if detail != "" {
			in.wrong("Time", "%s", detail)
		}
		if member, detail := t.add(number, time, true); detail != "" {
			in.wrong(member, "%s", detail)
			return
		}
		h.set(in, cells, t.frame())
	})
	if h.frames >= 0 && h.frames != len(t.frames) {
		in.wrong("NumFrames", "there are %d frames, want %d as the header says", len(t.frames), h.frames)
	}
	if in.err != nil {
		return keypoint.Sequence{}, in.err
	}
	return h.inPlane("TRC", t.sequence())
}

// writeTRC writes markers.
func writeTRC(w io.Writer, seq keypoint.Sequence) error {
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
