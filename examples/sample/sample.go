// Package sample has a movie to try: three squats of a rendered person, four seconds long.
package sample

import (
	"bytes"
	_ "embed"
)

//go:embed squats.mp4
var squats []byte

// Squats returns the movie, an MP4 of 640×640 pixels with 30 frames a second.
func Squats() []byte { return bytes.Clone(squats) }
