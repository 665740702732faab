// Package sheet draws contact sheets: several annotated frames of a movie in one picture, in cells of one size, each with its time below.
//
//	picture := func(frame int) (image.Image, error) { return frames[frame], nil }
//	m, err := sheet.Draw(keypoints, picture, sheet.Options{Count: 6})
//	if err != nil {
//		return err
//	}
//	return png.Encode(file, m)
//
// Each picture is scaled to fit its cell before the keypoints are drawn. The package is pure, as package draw is.
package sheet
