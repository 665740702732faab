// Package evalpose compares detected keypoints with labelled ones: COCO's similarity and average
// precision, correct parts, errors, the choice of the person, false positives, and measures for
// movies. It also reads labels.
//
// Units are those of package keypoint: pixels of the upright picture and seconds. Distances are
// measured in torso lengths (Torso) to be independent of a person's size. The Value of an empty share
// or mean returns ok == false.
//
// The package is pure: its functions have no state, change no argument and do no other I/O than
// reading the given io.Reader.
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
	// Area is the scale of OKS in square pixels, 0 or more: the area of the person's outline.
	// BoxArea estimates it from the box.
	Area float64
	// Crowd means that the label is of several people together.
	Crowd bool
}

// BoxArea estimates the area of a person's outline from the area of the box, both in
// square pixels:
//
//	area = 0.53 · box
//
// It is the factor that xtcocotools and MMPose use for data sets without outlines.
func BoxArea(box float64) float64 { return 0.53 * box }

// Scored reports whether results are compared with the person: it is not a crowd, and at least one
// part is labelled.
func (p *Person) Scored() bool { return !p.Crowd && !p.Parts.Empty() }

// Labelled is a picture and the people in it.
type Labelled struct {
	Image  string      // path of the picture, with forward slashes, relative to the folder of pictures
	Size   image.Point // pixels; zero if the labels do not have it
	People []Person
	// Dominant is the index in People of the person that a program for one person should
	// choose; -1 if nobody stands out.
	Dominant int
}

// Nobody reports whether the picture has neither a person nor a crowd.
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

// Dominant returns the index of the person who stands out: the one with the largest box, if that is
// more than half of the total area of all boxes and at least twice the next. ok is false if nobody
// stands out or the person with the largest box is not Scored.
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
