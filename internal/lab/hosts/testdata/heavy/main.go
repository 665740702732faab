// Heavy runs BlazePose's large network on a black picture.
package main

import (
	"fmt"
	"log"

	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
)

func main() {
	s, err := blazepose.NewSession(heavy.Model(), blazepose.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	err = s.Run(func(rgb []byte) { clear(rgb) }, func(out blazepose.Output) { fmt.Println(len(out.Points), "numbers") })
	if err != nil {
		log.Fatal(err)
	}
}
