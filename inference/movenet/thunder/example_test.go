package thunder_test

import (
	"fmt"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

func ExampleModel() {
	opt := movenet.Options{Pose: thunder.Model()} // for movenet.New
	fmt.Println(opt.Pose.Name, opt.Pose.Size)
	// Output: thunder 256
}
