package multipose_test

import (
	"fmt"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

func ExampleModel() {
	opt := movenet.Options{Pose: thunder.Model(), People: multipose.Model()} // for movenet.New
	fmt.Println(opt.People.Name, opt.People.Size)
	// Output: multipose 0
}
