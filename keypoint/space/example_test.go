package space_test

import (
	"fmt"
	"log"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// phone returns five seconds of a moving person as a phone records them that looks from a direction, in degrees.
func phone(degrees float64) keypoint.Sequence {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return sample.Film(sample.Camera(mgl64.Vec3{5 * sin, 1, 5 * cos}, mgl64.Vec3{0, 0.95, 0}, 900), 150)
}

// Two phones that film the same movement, seen from the person who walks about, and what is wrong with two that stand in one place.
func ExampleJoin() {
	seq, err := space.Join([]keypoint.Sequence{phone(20), phone(100)}, space.Options{BodyHeight: 1.75})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the cameras are %.0f degrees apart\n", seq.Space.Angle)

	_, err = space.Join([]keypoint.Sequence{phone(20), phone(21)}, space.Options{})
	fmt.Println(err)

	// Output:
	// the cameras are 72 degrees apart
	// Both recordings show the person from the same side. Put the phones 60 to 120° apart.
}

// Cameras whose places a laboratory has measured need no movement to find them.
func ExampleTriangulate() {
	cameras := []keypoint.Camera{
		sample.Camera(mgl64.Vec3{5, 1, 0}, mgl64.Vec3{0, 0.95, 0}, 900),
		sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 0.95, 0}, 900),
	}
	seq, err := space.Triangulate([]keypoint.Sequence{sample.Film(cameras[0], 30), sample.Film(cameras[1], 30)}, cameras, 1.75)
	if err != nil {
		log.Fatal(err)
	}
	at := seq.Frames[0].Positions()
	hip, _ := at.At(keypoint.LeftHip)
	knee, _ := at.At(keypoint.LeftKnee)
	fmt.Printf("the thigh is %.2f %s long\n", knee.Sub(hip).Len(), seq.Space.Unit)
	// Output: the thigh is 0.43 m long
}
