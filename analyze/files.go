package analyze

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// WriteCSV writes the values of results as comma-separated values with a row for each frame: its number from 0,
// its time in seconds, and the results under their names, in deg for angles and px or m for lengths. A coordinate
// has two columns that end in x and y, a repeated name gets a number, and the other side of a result with a symmetry
// follows it. A column with ± is one standard deviation of the one before. An absent value is an empty cell.
//
//	frame,time [s],left knee flexion [deg],left knee flexion ± [deg]
//	0,0,8.75,3.1
//	1,0.04,,
//
// times is nil for a recording without times; their cells are empty. Results without one value a frame and times
// that do not increase are a keypoint.ErrInvalid.
func WriteCSV(w io.Writer, times []float64, results []Result) error {
	n := len(times)
	if times == nil && len(results) > 0 {
		n = len(results[0].Values)
	}
	columns, err := columns(results, n, true)
	if err != nil {
		return err
	}
	return tables.WriteCSV(w, times, n, columns)
}

// WriteMOT writes the values of results as a motion file of OpenSim and SIMM: a header that begins with a name, then
// a row for each frame with its time in seconds and the columns of WriteCSV but those with ±. An absent value is NaN.
//
//	Coordinates
//	version=1
//	nRows=2
//	nColumns=2
//	inDegrees=yes
//	endheader
//	time	left_knee_flexion
//	0	12.5
//	0.04	NaN
//
// Spaces in names become underscores, and units are lost. OpenSim finds the coordinates of its models by the names
// of the columns. Its TimeSeriesTable reads NaN, but its older Storage stops at the first one. The errors are
// those of WriteCSV; a recording without times is one too.
func WriteMOT(w io.Writer, name string, times []float64, results []Result) error {
	if times == nil || strings.TrimSpace(name) != name || name == "" || strings.Contains(name, "\n") {
		return fmt.Errorf("%w MOT: want times, and a name of one line without space around it, not %q", keypoint.ErrInvalid, name)
	}
	columns, err := columns(results, len(times), false)
	if err != nil {
		return err
	}
	return tables.WriteMOT(w, name, times, columns)
}

// columns returns the values of results as columns of n numbers, with their uncertainty if asked.
func columns(results []Result, n int, uncertain bool) ([]tables.Column, error) {
	var list []tables.Column
	names := map[string]int{}
	for _, r := range withOtherSides(results) {
		name := cmp.Or(r.Name, string(r.Type))
		if len(r.Values) != n {
			return nil, fmt.Errorf("%w %s: there are %d values, want %d, one a frame", keypoint.ErrInvalid, name, len(r.Values), n)
		}
		if names[name]++; names[name] > 1 {
			name += " " + strconv.Itoa(names[name])
		}
		unit := strings.ReplaceAll(cmp.Or(r.Unit, r.Type.Unit()), "°", "deg")
		x := func(i int) (float64, bool) { return r.Values[i].X, r.Values[i].Present }
		if r.Type.Pair() {
			y := func(i int) (float64, bool) { return r.Values[i].Y, r.Values[i].Present }
			list = append(list, tables.Column{Name: name + " x", Unit: unit, At: x}, tables.Column{Name: name + " y", Unit: unit, At: y})
		} else {
			list = append(list, tables.Column{Name: name, Unit: unit, At: x})
		}
		if uncertain && len(r.Uncertainty) == n {
			list = append(list, tables.Column{Name: name + " ±", Unit: unit, At: func(i int) (float64, bool) { return r.Uncertainty[i].X, r.Uncertainty[i].Present }})
		}
	}
	return list, nil
}

// withOtherSides returns the results with the one for the other side behind each that has a symmetry.
func withOtherSides(results []Result) (all []Result) {
	for _, r := range results {
		all = append(all, r)
		if r.Symmetry != nil {
			all = append(all, r.Symmetry.OtherSide)
		}
	}
	return all
}

// WriteJSONL writes results as JSON Lines: a header with everything that the JSON of a Result has but its series, and
// then a line for each frame with its time in seconds and the values in the order of the results. An absent value is
// null. The other side of a result with a symmetry is a result of its own behind it.
//
//	{"results":[{"analysisType":"kneeFlexion","side":"left","unit":"°",…}],"timed":true}
//	{"time":0,"values":[8.75],"uncertainty":[3.1]}
//	{"time":0.04,"values":[null],"uncertainty":[null]}
//
// The member uncertainty is missing if no result has it. times is nil for a recording without times. The errors are those of WriteCSV.
func WriteJSONL(w io.Writer, times []float64, results []Result) error {
	n := len(times)
	if times == nil && len(results) > 0 {
		n = len(results[0].Values)
	}
	results = withOtherSides(results)
	type line struct {
		Time        json.RawMessage   `json:"time,omitempty"`
		Values      []json.RawMessage `json:"values"`
		Uncertainty []json.RawMessage `json:"uncertainty,omitempty"`
	}
	heads, lines, uncertain := make([]tables.Members, len(results)), make([]line, n), false
	for k, r := range results {
		if len(r.Values) != n {
			return fmt.Errorf("%w %s: there are %d values, want %d, one a frame", keypoint.ErrInvalid, r.Name, len(r.Values), n)
		}
		if r.Uncertainty != nil && len(r.Uncertainty) != n {
			return fmt.Errorf("%w %s: there are %d uncertainties, want %d, one a frame", keypoint.ErrInvalid, r.Name, len(r.Uncertainty), n)
		}
		var series struct{ Values, Uncertainty []json.RawMessage }
		var err error
		if heads[k], err = tables.Split(r, &series, "values", "uncertainty"); err != nil {
			return err
		}
		if s := heads[k]["symmetry"]; s != nil { // the other side has a head of its own
			parts, err := tables.Split(s, &struct{}{}, "otherSide")
			if err == nil {
				heads[k]["symmetry"], err = json.Marshal(parts)
			}
			if err != nil {
				return err
			}
		}
		if uncertain = uncertain || series.Uncertainty != nil; series.Uncertainty == nil {
			series.Uncertainty = make([]json.RawMessage, n) // null
		}
		for i := range lines {
			lines[i].Values = append(lines[i].Values, series.Values[i])
			lines[i].Uncertainty = append(lines[i].Uncertainty, series.Uncertainty[i])
		}
	}
	list, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	return tables.WriteJSONL(w, times, n, tables.Members{"results": list}, func(i int, time json.RawMessage) any {
		if lines[i].Time = time; !uncertain {
			lines[i].Uncertainty = nil
		}
		return lines[i]
	})
}
