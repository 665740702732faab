// Heavy looks for a person in a black picture with BlazePose's large network.
package main

import (
	"context"
	"fmt"
	"image"
	"log"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
)

func main() {
	est, err := blazepose.New(blazepose.Options{Model: heavy.Model()})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	frame, err := est.Estimate(context.Background(), image.NewGray(image.Rect(0, 0, 256, 256)), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.Len(), "parts")
}
