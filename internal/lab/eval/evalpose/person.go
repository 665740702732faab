// Package evalpose measures how well found keypoints agree with labelled ones: the
// similarity and average precision of COCO, correct parts, errors, the choice of the
// person, false positives, and what only a movie shows. It also reads labels.
//
// Units are those of package keypoint: pixels of the upright picture and seconds.
// Distances between people of different size are told in torso lengths (Torso). A share
// or mean of nothing has no value: its Value returns ok == false.
//
// The package is pure: its functions keep no state, change no argument, and the readers
// touch only the io.Reader that they are given.
package evalpose

import (
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// Box is a rectangle in pixels.
type Box struct {
	X, Y          float64 // the top left corner
	Width, Height float64 // 0 or more
}

// Area returns width × height in square pixels.
func (b Box) Area() float64 { return b.Width * b.Height }

// Person is one labelled person of a picture.
type Person struct {
	// Parts holds the labelled parts in pixels. Hidden ones that are labelled count,
	// as in COCO.
	Parts keypoint.Frame
	// Box surrounds the person, in pixels.
	Box Box
	// Area is the scale of OKS in square pixels, 0 or more: the area of the person's
	// outline. Where only the box is known, BoxArea estimates it.
	Area float64
	// Crowd says that the label stands for several people who were not told apart.
	Crowd bool
}

// BoxArea estimates the area of a person's outline from the area of the box, both in
// square pixels:
//
//	area = 0.53 · box
//
// It is the factor that xtcocotools and MMPose use for data sets without outlines.
func BoxArea(box float64) float64 { return 0.53 * box }

// Scored reports whether results are held against the person: it is no crowd, and at
// least one part is labelled.
func (p *Person) Scored() bool { return !p.Crowd && !p.Parts.Empty() }

// Labelled is a picture and the people in it.
type Labelled struct {
	Image  string      // path of the picture, with forward slashes, relative to the folder of pictures
	Size   image.Point // pixels; zero where the labels do not tell
	People []Person
	// Dominant is the index in People of the person that a program for one person is
	// expected to choose, or -1 where there is none or nobody stands out.
	Dominant int
}

// Nobody reports whether the picture shows nobody at all: no person and no crowd.
func (l *Labelled) Nobody() bool { return len(l.People) == 0 }

// Several reports whether at least two people are scored.
func (l *Labelled) Several() bool {
	n := 0
	for i := range l.People {
		if l.People[i].Scored() {
			n++
		}
	}
	return n > 1
}

// Dominant returns the index of the person who stands out: the one with the largest
// box, if that is more than half of the summed area of all boxes and at least twice the
// next. ok is false where nobody stands out, and where the largest box is not Scored.
func Dominant(people []Person) (index int, ok bool) {
	var sum, next float64
	index = -1
	for i := range people {
		a := people[i].Box.Area()
		sum += a
		switch {
		case index < 0:
			index = i
		case a > people[index].Box.Area():
			index, next = i, people[index].Box.Area()
		default:
			next = max(next, a)
		}
	}
	if index < 0 || !people[index].Scored() {
		return -1, false
	}
	if a := people[index].Box.Area(); a <= sum/2 || a < 2*next {
		return -1, false
	}
	return index, true
}
