package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
)

// halves are the two groups of people: the constants are chosen on one and checked on the other.
var halves = map[string][]string{
	"choose": {"AS1", "BS1", "BS6", "BS8", "EF1", "EF2", "EM1", "EM4"},
	"check":  {"AS2", "BS5", "BS7", "BS9", "BS11", "EF5", "EF6", "EM5", "EM6"},
}

// footages returns the recordings of a half in a folder or in its folders; clips of others are for choosing. What is left out is told.
func footages(folder, half string, out io.Writer) (list []*recorded.Footage, err error) {
	if _, ok := halves[half]; !ok {
		return nil, fmt.Errorf("-half is %q, want choose or check", half)
	}
	list, err = recorded.Footages(folder)
	if err == nil {
		var more []*recorded.Footage
		more, err = laboratory(folder, out)
		list = append(list, more...)
	}
	list = slices.DeleteFunc(list, func(f *recorded.Footage) bool {
		other := half != "choose" || f.Clip == nil || slices.Contains(halves["check"], f.Person)
		return !slices.Contains(halves[half], f.Person) && other
	})
	if len(list) == 0 && err == nil {
		err = fmt.Errorf("there is nobody of the half %s in %q", half, folder)
	}
	return list, err
}

// elsewhere is how many body heights from the person something else is found.
const elsewhere = 0.25

// recordingOf cleans what is found in a recording. Where that is something else, nobody is there.
func recordingOf(raw *recorded.Footage, block int, exact bool) (recording, error) {
	f, err := raw.Load()
	if err != nil {
		return recording{}, err
	}
	seq, t := f.Found(block, exact), f.Truth()
	scaled(t, f.Camera())
	for i := range t.Parts.Frames {
		want, found := &t.Parts.Frames[i], &seq.Frames[i]
		height, _ := want.BodyHeight()
		a, okA := want.Centroid(found.Present() & (keypoint.UpperBody | keypoint.LowerBody))
		b, okB := found.Centroid(want.Present())
		if okA && okB && a.Sub(b).Len() > elsewhere*height {
			t.Inside[i] = 0
		}
	}
	return newRecording(truth.Recording{Path: f.Name + ".mp4", Truth: t}, func(string) (keypoint.Sequence, error) { return seq, nil }, -1)
}
