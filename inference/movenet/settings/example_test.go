package settings_test

import (
	"fmt"

	"github.com/bodymotion/motion/inference/movenet/settings"
)

func Example() {
	opt := settings.Balanced()
	opt.PartThreshold = 0.3 // and movenet.New(opt)
	fmt.Println(opt.Pose.Name, opt.People.Name, opt.Thorough)
	// Output: thunder multipose false
}
