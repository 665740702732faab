package space_test

import (
	"fmt"
	"log"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// A recording in space can be seen from the person's side, however the phones stood: there, what needs a side view is measured.
func ExampleView() {
	seq, err := space.Join([]keypoint.Sequence{phone(20), phone(100)}, space.Options{BodyHeight: 1.75})
	if err != nil {
		log.Fatal(err)
	}
	side := space.View(seq)
	fmt.Println("in metres:", side.World.Metric())
	fmt.Printf("the person faces %.1f at first\n", space.Headings(seq)[0])

	flat, err := space.Seen(phone(20)) // a recording of one camera stays as it is
	fmt.Println("in metres:", flat.World.Metric(), err)
	// Output:
	// in metres: true
	// the person faces [-0.2 0.0 1.0] at first
	// in metres: false <nil>
}

// One camera, and a network without depth: there is nothing to lift.
func ExampleLift() {
	_, err := space.Lift(phone(20))
	fmt.Println(err)
	// Output: invalid sequence: it has no depth: extract with an estimator that guesses it, as those of package pose do
}
