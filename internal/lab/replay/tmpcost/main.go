package main

import (
	"context"
	"fmt"
	"image"
	"syscall"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/keypoint"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
func main() {
	img := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	var f keypoint.Frame
	for p := keypoint.Part(0); p < 17; p++ {
		f.Set(p, keypoint.Point{600 + 10*float64(p%2), 200 + 20*float64(p)}, .9)
	}
	r := inference.Expected(f)
	nets := map[string]inference.Network{}
	for n, m := range map[string]movenet.Model{"thunder": thunder.Model(), "lightning": lightning.Model()} {
		e, err := movenet.New(movenet.Options{Pose: m, People: multipose.Model(), PartThreshold: -1})
		if err != nil {
			panic(err)
		}
		nets[n] = e.Network
	}
	b, _ := blazepose.New(blazepose.Options{Model: full.Model(), PartThreshold: -1})
	nets["full"] = b.Network
	for round := 0; round < 3; round++ {
		for _, n := range []string{"full", "lightning", "thunder"} {
			nets[n].Look(context.Background(), img, r)
			c, t := cpu(), time.Now()
			for i := 0; i < 30; i++ {
				nets[n].Look(context.Background(), img, r)
			}
			fmt.Println(n, "cpu", (cpu()-c)/30, "wall", time.Since(t)/30)
		}
	}
}
