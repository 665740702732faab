// Package chart draws the values of analyses over time as an image, PNG or SVG:
//
//	knee := chart.Series{Name: "left knee", Result: result, Times: keypoints.Times}
//	err := chart.WriteSVG(file, []chart.Series{knee}, chart.Options{Title: "Squat"})
//
// The result looks like this:
//
//	deg |  ___      1        ___      2       ___
//	    | /   \             /   \            /   \   - - max 171°
//	    |      \           /     \          /
//	    |       \____  ___/       \________/         - - min 63°
//	    +----------------------------------------
//	                    time (s)
//
// The x axis shows seconds if the series have times, else frame numbers from 0. The y axis
// shows the unit of the analysis, with larger values higher up, including the y of a
// coordinate, which points down in pictures. A coordinate is drawn as two lines of one
// colour: x solid, y dashed.
//
// The line has a gap at frames without a value; a value between two gaps is a dot. The
// line of an angle with a range of a full turn has a gap where it jumps by more than half
// a turn between frames.
//
// A statistic is a dotted line across the chart, with its value to the right if there is
// room. A range and a standard deviation have no position on the axis and are written into
// the legend. A repetition is a shaded span with its number above; circles mark its ends
// and a dot its turning point. If several series have repetitions, their spans are strips
// above the chart.
//
// The colours have a contrast of at least 3:1 to the background and remain distinguishable
// with the common kinds of colour blindness.
//
// The package is pure: it does no I/O except to the given writer, reads no clock, starts no
// goroutine and never changes its arguments. The same arguments give the same bytes.
package chart
