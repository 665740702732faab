// Package sheet draws contact sheets: several annotated frames of a movie in one picture,
// each with its time below, for reports.
//
//	picture := func(frame int) (image.Image, error) { return frames[frame], nil }
//	m, err := sheet.Draw(keypoints, picture, sheet.Options{Count: 6})
//	if err != nil {
//		return err
//	}
//	return png.Encode(file, m)
//
// The result looks like this:
//
//	+-------+ +-------+ +-------+
//	|   o   | |   o   | |  \o/  |
//	|  /|\  | |  -|-  | |   |   |
//	|  / \  | |  / \  | |  / \  |
//	+-------+ +-------+ +-------+
//	 0.00 s    0.50 s    1.00 s
//
// All cells have the same size. Each picture is scaled to fit its cell, keeping its aspect
// ratio, before the keypoints are drawn, so lines and dots are as wide as package draw
// makes them on a picture of that size. Without pictures, the skeletons are drawn on a
// plain background.
//
// The package is pure: it does no I/O, reads no clock, starts no goroutine and never
// changes its arguments. The same arguments give the same bytes.
package sheet
