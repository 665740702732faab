// Package chart draws the values of analyses over time as SVG or image.Image:
//
//	results, err := analyze.Run(seq, rules)
//	if err != nil {
//		return err
//	}
//	knee := chart.Series{Result: results[0], Times: seq.Times}
//	err = chart.WriteSVG(w, []chart.Series{knee}, chart.Options{Title: "Three squats"})
//
// The x axis shows seconds, or frame numbers from 0 if the series have no times. The y axis shows the unit
// of the analysis, with larger values higher up; this includes the y of a coordinate, which points down in
// the picture. A coordinate is drawn as two lines of one colour, x solid and y dashed.
//
// The line has a gap where frames have no value; a value between two gaps is a dot. The line of an angle
// that starts again after 360 degrees has a gap where it jumps by more than half a turn between two frames.
//
// A statistic is a dotted line across the chart with its value in the legend; a range or a standard
// deviation is not a place on the axis and is in the legend only. A repetition is a numbered shaded span,
// yellow if it is incomplete. If several series have repetitions, their spans are strips above the chart.
//
// A mean repetition or stride (Series.Band) is a line over 0 to 100 % of the cycle in a band of one
// standard deviation on either side.
//
// A result of analyze has a Name, such as "left knee flexion". If all series show the same, it is the
// title; if they show both sides of the body, the title is "Knee flexion", and the legend says left and
// right. The person's left is blue and the right is orange, unless several series are of one side. The
// other recording of a comparison (Series.Dashed) has the colour of the first.
//
// The colours have a contrast of at least 3 to 1 to the background and are distinguishable with the common
// kinds of colour blindness.
//
// All functions leave their arguments unchanged. The same arguments give the same bytes.
package chart
