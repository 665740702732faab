// Estimator finds the red, green and blue dot on a leg: CGO_ENABLED=0 go run ./examples/short/estimator
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"log"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

type dots map[color.Color]keypoint.Part // an inference.Estimator
func (d dots) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (f keypoint.Frame, err error) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if part, ok := d[img.At(x, y)]; ok {
				f.Set(part, keypoint.Point{float64(x) + 0.5, float64(y) + 0.5}, 1)
			}
		}
	}
	return f, ctx.Err()
}

func main() {
	red, green, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 0, 255}, color.RGBA{0, 0, 255, 255}
	picture := image.NewRGBA(image.Rect(0, 0, 100, 100))
	picture.Set(50, 10, red)
	picture.Set(80, 40, green)
	picture.Set(50, 70, blue)
	leg := dots{red: keypoint.RightHip, green: keypoint.RightKnee, blue: keypoint.RightAnkle}
	seq, err := inference.ExtractImage(context.Background(), picture, leg, inference.ExtractOptions{})
	if err != nil {
		log.Fatal(err)
	}
	angle, _ := seq.Frames[0].Angle(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	text, err := json.Marshal(seq.Frames[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\nthe knee bends to %.0f degrees\n", text, angle)
}
