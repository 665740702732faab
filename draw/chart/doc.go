// Package chart draws the values of analyses over time as PNG, SVG or image.Image:
//
//	results, err := analyze.Run(seq, rules)
//	if err != nil {
//		return err
//	}
//	knee := chart.Series{Name: "left knee", Result: results[0], Times: seq.Times}
//	err = chart.WritePNG(w, []chart.Series{knee}, chart.Options{Title: "Three squats"})
//
// It looks like this:
//
//	deg |  ___      1        ___      2       ___
//	    | /   \             /   \            /   \   - - max 171°
//	    |      \           /     \          /
//	    |       \____  ___/       \________/         - - min 63°
//	    +----------------------------------------
//	                    time (s)
//
// The x axis shows seconds, or frame numbers from 0 if the series have no times. The y axis
// shows the unit of the analysis, with larger values higher up; this includes the y of a
// coordinate, which points down in the picture. A coordinate is drawn as two lines of one
// colour, x solid and y dashed.
//
// The line has a gap where frames have no value; a value between two gaps is a dot. The line
// of an angle that starts again after 360 degrees has a gap where it jumps by more than half
// a turn between two frames.
//
// A statistic is a dotted line across the chart with its value on the right; the label is
// left out if it does not fit. A range or a standard deviation is not a position on the axis
// and is written into the legend. A repetition is a numbered shaded span; circles mark its
// ends, a dot its turning point. If several series have repetitions, their spans are strips
// above the chart.
//
// A mean repetition or stride (Series.Band) is a line over 0 to 100 % of the cycle in a band of one
// standard deviation on either side.
//
// A result of analyze has a Name, such as "left knee flexion". If all series show the same, it is the
// title; if they show both sides of the body, the title is "Knee flexion", and the legend says left and
// right. The person's left is blue and the right is orange, unless several series are of one side.
//
// The colours have a contrast of at least 3 to 1 to the background and are distinguishable
// with the common kinds of colour blindness.
//
// All functions leave their arguments unchanged. The same arguments give the same bytes.
package chart
