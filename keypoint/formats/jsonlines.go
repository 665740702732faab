package formats

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// WriteJSONL writes keypoints as JSON Lines, the form of keypoint.Encoder: a header with the size of the
// picture in pixels, then a line per frame with its time in seconds, keypoints in pixels and confidences.
// keypoint.Decoder reads it back. An invalid sequence is a keypoint.ErrInvalid.
func WriteJSONL(w io.Writer, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	if err := checkWriter("JSON Lines", w); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := keypoint.NewEncoder(out, keypoint.Header{Size: seq.Size, Timed: seq.Times != nil})
	if err := enc.Start(); err != nil {
		return err
	}
	at := 0.0
	for i := range seq.Frames {
		if seq.Times != nil {
			at = seq.Times[i]
		}
		if err := enc.Encode(&seq.Frames[i], at); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteResultsJSONL writes results of analyses as JSON Lines: a header with everything that the JSON of
// a Result has but its series, and then a line per frame with its time in seconds and the values in the order
// of the results. An absent value is null. The other side of a result with a symmetry is a result of its own
// behind it.
//
//	{"results":[{"analysisType":"kneeFlexion","side":"left","unit":"°",…}],"timed":true}
//	{"time":0,"values":[8.75],"uncertainty":[3.1]}
//	{"time":0.04,"values":[null],"uncertainty":[null]}
//
// The member uncertainty is missing if no result has it. times is nil for a recording without times.
// Results without one value per frame and times that do not increase are an Error.
func WriteResultsJSONL(w io.Writer, times []float64, results []analyze.Result) error {
	n := len(times)
	if times == nil && len(results) > 0 {
		n = len(results[0].Values)
	}
	results = withOtherSides(results)
	heads, lines, uncertain := make([]members, len(results)), make([]resultsLine, n), false
	for k, r := range results {
		var series struct{ Values, Uncertainty []json.RawMessage }
		var err error
		if heads[k], err = split(r, &series, "values", "uncertainty"); err != nil {
			return err
		}
		if s := heads[k]["symmetry"]; s != nil { // the other side has a head of its own
			var parts members
			if err := json.Unmarshal(s, &parts); err != nil {
				return err
			}
			delete(parts, "otherSide")
			if heads[k]["symmetry"], err = json.Marshal(parts); err != nil {
				return err
			}
		}
		given := series.Uncertainty != nil
		if len(series.Values) != n || given && len(series.Uncertainty) != n {
			return wrong("JSON Lines", r.Name, "there are %d values, want %d, one a frame", len(series.Values), n)
		}
		if !given {
			series.Uncertainty = make([]json.RawMessage, n) // null
		}
		uncertain = uncertain || given
		for i := range lines {
			lines[i].Values = append(lines[i].Values, series.Values[i])
			lines[i].Uncertainty = append(lines[i].Uncertainty, series.Uncertainty[i])
		}
	}
	list, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	return jsonLines(w, times, n, members{"results": list}, func(i int, time json.RawMessage) any {
		l := lines[i]
		l.Time = time
		if !uncertain {
			l.Uncertainty = nil
		}
		return l
	})
}

type resultsLine struct {
	Time        json.RawMessage   `json:"time,omitempty"`
	Values      []json.RawMessage `json:"values"`
	Uncertainty []json.RawMessage `json:"uncertainty,omitempty"`
}

// WriteComparisonJSONL writes a comparison as JSON Lines: a header with what applies to the whole, such
// as the score, and then a line per frame of the source with its time in seconds and what the JSON of a
// compare.Result has for each frame.
//
//	{"score":{"overall":0.93,"parts":{…}},"timed":true}
//	{"time":0,"difference":{"leftKnee":{"distance":0.02,"direction":270}},"angles":{"leftKneeFlexion":4.5},"shift":0}
//
// times are those of the source, nil for an image. Times that are not one per frame or do not increase are an Error.
func WriteComparisonJSONL(w io.Writer, times []float64, r compare.Result) error {
	var series struct{ Difference, Angles, Shift []json.RawMessage }
	head, err := split(r, &series, "difference", "angles", "shift")
	if err != nil {
		return err
	}
	if r.Score == nil {
		delete(head, "score")
	}
	return jsonLines(w, times, len(r.Frames), head, func(i int, time json.RawMessage) any {
		l := comparisonLine{Time: time, Difference: series.Difference[i]}
		if series.Angles != nil {
			l.Angles = series.Angles[i]
		}
		if series.Shift != nil {
			l.Shift = series.Shift[i]
		}
		return l
	})
}

type comparisonLine struct {
	Time       json.RawMessage `json:"time,omitempty"`
	Difference json.RawMessage `json:"difference"`
	Angles     json.RawMessage `json:"angles,omitempty"`
	Shift      json.RawMessage `json:"shift,omitempty"`
}

// members are the members of a JSON object.
type members map[string]json.RawMessage

// split writes v as JSON, reads some of its members into series and returns the others.
func split(v, series any, names ...string) (rest members, err error) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, series)
	}
	if err == nil {
		err = json.Unmarshal(b, &rest)
	}
	for _, name := range names {
		delete(rest, name)
	}
	return rest, err
}

// jsonLines writes a header and n frames.
func jsonLines(w io.Writer, times []float64, n int, head members, line func(i int, time json.RawMessage) any) error {
	if times != nil && len(times) != n {
		return wrong("JSON Lines", "time", "there are %d times, want %d, one a frame", len(times), n)
	}
	if err := checkColumns("JSON Lines", times, n, nil); err != nil {
		return err
	}
	if err := checkWriter("JSON Lines", w); err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	out := json.NewEncoder(buffered)
	out.SetEscapeHTML(false)
	head["timed"] = strconv.AppendBool(nil, times != nil)
	if err := out.Encode(head); err != nil {
		return err
	}
	for i := range n {
		var time json.RawMessage
		if times != nil {
			time = jsonappend.Number(nil, times[i], 6)
		}
		if err := out.Encode(line(i, time)); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
