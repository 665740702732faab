// Package chart draws the values of analyses over time as SVG or image.Image:
//
//	results, err := analyze.Run(seq, rules)
//	if err != nil {
//		return err
//	}
//	knee := chart.Series{Result: results[0], Times: seq.Times}
//	err = chart.WriteSVG(w, []chart.Series{knee}, chart.Options{Title: "Three squats"})
//
// The x axis shows seconds, or frame numbers from 0 without times, the y axis the unit of the analysis, larger values
// higher up. A coordinate is two lines of one colour, x solid and y dashed. The line has a gap where frames have no
// value, and where an angle of 0 to 360° starts again; a value between two gaps is a dot. A statistic is a dotted line
// with its value in the legend; a range or a standard deviation is in the legend only. A repetition is a numbered
// shaded span, yellow if it is incomplete or shallow; of several series, the spans are strips above the chart.
//
// The person's left is blue and the right is orange, unless several series are of one side. All colours have a
// contrast of at least 3 to 1 to the background and are distinguishable with the common kinds of colour blindness.
//
// All functions leave their arguments unchanged. The same arguments give the same bytes.
package chart
