package lightning_test

import (
	"fmt"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
)

func ExampleModel() {
	opt := movenet.Options{Pose: lightning.Model()} // for movenet.New
	fmt.Println(opt.Pose.Name, opt.Pose.Size)
	// Output: lightning 192
}
