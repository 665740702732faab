// Package report writes the report of a recording as one HTML file that prints on A4: pictures with the
// skeleton, charts, tables, how far to trust them, and what the numbers mean, in English or Japanese.
//
//	r := report.Report{Title: "Squats, week 6", Sequence: seq, Quality: judged, Pictures: map[int]image.Image{}}
//	if err := r.Analyze(); err != nil {
//		return err
//	}
//	for _, i := range r.Frames() {
//		r.Pictures[i] = pictures[i]
//	}
//	return r.Write(w)
//
// The file has its pictures and its style inside, no script, and asks for no address. Chromium prints it as PDF with
//
//	chromium --headless --no-pdf-header-footer --print-to-pdf=report.pdf report.html
//
// Blue is the person's left and orange the right. A value that cannot be trusted is a word that says why. What the report says
// of results are the sentences of packages study, compare, exercise and trend; its own words are headings and how to read
// them. It says what was measured and in which settings, not who is seen or whether the movement is healthy.
//
// The package is pure: no I/O but on the caller's writer, no clock, no goroutine. The same report gives the same bytes.
package report
