//go:build !js

package report

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"

	xdraw "golang.org/x/image/draw"
)

// dataOf returns the part of a picture that is shown, as a JPEG file in a data: address.
func dataOf(shown image.Image, size image.Point, one picture) string {
	b := shown.Bounds()
	sx, sy := float64(b.Dx())/float64(size.X), float64(b.Dy())/float64(size.Y)
	part := image.Rect(int(one.X*sx), int(one.Y*sy), int((one.X+one.Width)*sx), int((one.Y+one.Height)*sy))
	part = part.Add(b.Min).Intersect(b)
	if part.Empty() {
		return ""
	}
	scale := min(1, pictureSide/float64(max(part.Dx(), part.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(part.Dx())*scale)), max(1, int(float64(part.Dy())*scale))))
	xdraw.CatmullRom.Scale(small, small.Bounds(), shown, part, xdraw.Src, nil)
	var file bytes.Buffer
	if err := jpeg.Encode(&file, small, &jpeg.Options{Quality: 84}); err != nil {
		return "" // only a picture of more than 65,535 pixels a side is refused
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(file.Bytes())
}
