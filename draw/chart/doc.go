// Package chart draws the values of analyses over time as a picture for people: PNG,
// SVG or image.
//
//	deg |  ___      1        ___      2       ___
//	    | /   \             /   \            /   \   - - max 171°
//	    |      \           /     \          /
//	    |       \____  ___/       \________/         - - min 63°
//	    +----------------------------------------
//	                    time (s)
//
// The x axis is seconds where the series have times, else the number of the frame,
// from 0. The y axis is the unit of the analysis, larger values higher up; that holds
// for the y of a coordinate too, which in the picture points down. A coordinate makes
// two lines of one colour, x solid and y dashed.
//
// Where a frame has no value the line has a gap, and a value between two gaps is a dot.
// The line of an angle that goes all the way round has a gap where it jumps by more
// than half a turn from one frame to the next.
//
// A statistic is a dotted line across the chart with its value to the right of it; a
// label that finds no room is left out, its line is not. A range and a standard
// deviation are no places on the axis and are written into the legend. A repetition is
// a shaded span with its number above it; circles mark its ends, a dot its turning
// point. Where several series have repetitions, their spans are strips above the chart.
//
// The colours keep a contrast of 3 to 1 or more to the background and can be told apart
// with the common kinds of colour blindness.
//
// The package is pure: no I/O but the writer that it is given, no clock, no goroutine,
// and no function changes its arguments. The same arguments give the same bytes.
package chart
