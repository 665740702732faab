package formats

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"github.com/bodymotion/motion/keypoint"
)

// WriteLongCSV writes keypoints as comma-separated values with one row per part: the number of
// the frame from 0, its time in seconds, the part, x and y in pixels and the confidence.
// Absent parts have no row; a frame without a person has one row without a part.
//
//	frame,time,part,x,y,confidence
//	0,0,nose,317.4,88.12,0.91
//	1,0.04,,,,
//
// Without times, the time cells are empty. The size of the picture is lost. An invalid
// sequence is a keypoint.ErrInvalid.
func WriteLongCSV(w io.Writer, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString("frame,time,part,x,y,confidence\n")
	var row, head []byte
	for i := range seq.Frames {
		f := &seq.Frames[i]
		head = appendFrame(head[:0], i, seq.Times)
		for p := range keypoint.Part(keypoint.NumParts) {
			if at, ok := f.At(p); ok {
				row = append(append(append(row[:0], head...), ','), p.String()...)
				row = appendNumber(append(row, ','), at[0])
				row = appendNumber(append(row, ','), at[1])
				row = appendNumber(append(row, ','), f.Confidence(p))
				out.Write(append(row, '\n'))
			}
		}
		if f.Empty() {
			out.Write(append(head, ",,,,\n"...))
		}
	}
	return out.Flush()
}

// appendFrame appends the cells of the number and the time of frame i.
func appendFrame(b []byte, i int, times []float64) []byte {
	b = append(strconv.AppendInt(b, int64(i), 10), ',')
	if times == nil {
		return b
	}
	return appendNumber(b, times[i])
}

// long reads the long form, one row per part.
func (t *table) long() error {
	column := map[string]int{"time": -1, "confidence": -1}
	for _, name := range []string{"frame", "part", "x", "y"} {
		if column[name] = slices.Index(t.header, name); column[name] < 0 {
			return t.wrong(name, "the column is missing, want frame, part, x and y, and perhaps time and confidence")
		}
	}
	for i, name := range t.header {
		if _, known := column[name]; !known {
			return t.wrong(member(name), "is not a known column: known are frame, time, part, x, y and confidence")
		}
		column[name] = i
	}
	for {
		cells, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := t.longFrame(column["frame"], column["time"]); err != nil {
			return err
		}
		name := cells[column["part"]]
		x, y, confidence := column["x"], column["y"], column["confidence"]
		if name == "" {
			if cells[x] != "" || cells[y] != "" {
				return t.wrong("part", "is missing, want the part that x and y are of")
			}
			continue
		}
		p, ok := partOf(name)
		if !ok {
			return t.wrong("part", "is %s, want a part such as nose or leftEye", quote(name))
		}
		if t.frame().Has(p) {
			return t.wrong("part", "%v of frame %d is there twice", p, t.last())
		}
		if err := t.set(p, x, y, confidence); err != nil {
			return err
		}
	}
}

// longFrame begins a frame if the row is not of the last one.
func (t *table) longFrame(frame, time int) error {
	number, seconds, timed, err := t.frameOf(frame, time)
	if err != nil {
		return err
	}
	if len(t.frames) == 0 || number != t.last() {
		return t.begin(number, seconds, timed)
	}
	if timed != (t.times != nil) || timed && seconds != t.times[len(t.times)-1] {
		return t.wrong("time", "is %s, want the time of the frame's other rows", quote(t.cells[time]))
	}
	return nil
}
