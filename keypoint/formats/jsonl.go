package formats

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"maps"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// The lines of a JSON Lines file: the header, and one a frame. Their members are those of the JSON of a keypoint.Sequence.
type (
	jsonlHeader struct {
		Width  jsonappend.Whole `json:"width,omitempty"`
		Height jsonappend.Whole `json:"height,omitempty"`
		Timed  bool             `json:"timed"`
	}
	jsonlFrame struct {
		Time       json.RawMessage `json:"time,omitempty"`
		Points     json.RawMessage `json:"keypoint"`
		Scores     json.RawMessage `json:"scores,omitempty"`
		Visibility json.RawMessage `json:"visibility,omitempty"`
	}
)

// writeJSONL writes a header and a line a frame.
func writeJSONL(w io.Writer, seq keypoint.Sequence) error {
	var d struct{ Keypoint, Scores, Visibility []json.RawMessage }
	rest, err := tables.Split(seq, &d)
	if err != nil {
		return err
	}
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return name != "width" && name != "height" })
	return tables.WriteJSONL(w, seq.Times, seq.Len(), rest, func(i int, time json.RawMessage) any {
		line := jsonlFrame{Time: time, Points: d.Keypoint[i], Scores: d.Scores[i]}
		if d.Visibility != nil {
			line.Visibility = d.Visibility[i]
		}
		return line
	})
}

// readJSONL reads a header and a line a frame.
func readJSONL(r io.Reader, o Options) (keypoint.Sequence, error) {
	in := o.Limits.lines("JSON Lines", r)
	var head jsonlHeader
	in.strict(in.want("a header"), &head)
	seq := keypoint.Sequence{Size: image.Pt(int(head.Width), int(head.Height))}
	if err := seq.Validate(); err != nil {
		in.wrong("", "%v", err)
	}
	t := timeline{limits: o.Limits}
	if head.Timed {
		t.times = []float64{}
	}
	in.rows(func(text string) {
		var line jsonlFrame
		var seconds float64
		in.strict(text, &line)
		switch {
		case in.err != nil:
			return
		case line.Points == nil:
			in.wrong("keypoint", "is missing, want an object")
		case head.Timed != (line.Time != nil):
			in.wrong("time", "is there or missing, against the header")
		case head.Timed:
			in.strict(string(line.Time), &seconds)
		}
		if member, detail := t.add(int64(len(t.frames)), seconds, head.Timed); detail != "" {
			in.wrong(member, "%s", detail)
		}
		var one keypoint.Sequence
		text = fmt.Sprintf(`{"keypoint":[%s]`, line.Points)
		if line.Scores != nil {
			text += fmt.Sprintf(`,"scores":[%s]`, line.Scores)
		}
		if line.Visibility != nil {
			text += fmt.Sprintf(`,"visibility":[%s]`, line.Visibility)
		}
		if err := json.Unmarshal([]byte(text+"}"), &one); err != nil {
			in.wrong("", "%v", err)
		} else if in.err == nil {
			*t.frame() = one.Frames[0]
		}
	})
	if in.err != nil {
		return keypoint.Sequence{}, in.err
	}
	seq.Frames, seq.Times = t.frames, t.times
	return seq, nil
}

// strict decodes a line of JSON; unknown members are an Error.
func (l *lines) strict(text string, into any) {
	if err := jsonappend.Strict([]byte(text), into); err != nil {
		l.wrong("", "%v", err)
	}
}
