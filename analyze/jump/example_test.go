package jump_test

import (
	"fmt"

	"github.com/bodymotion/motion/analyze/jump"
)

// The best of three jumps.
func ExampleHighest() {
	best := jump.Highest([]jump.Jump{{Height: 0.28}, {Height: 0.33, HeightUncertainty: 0.03}, {Height: 0.31}})
	fmt.Printf("%.2f m ± %.2f\n", best.Height, best.HeightUncertainty)

	// Output: 0.33 m ± 0.03
}
