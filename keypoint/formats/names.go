package formats

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/bodymotion/motion/keypoint"
)

// cocoNames are the parts as COCO spells them: left_big_toe.
var cocoNames = func() (names [keypoint.NumParts]string) {
	for p := range names {
		for _, c := range keypoint.Part(p).String() {
			if unicode.IsUpper(c) {
				names[p] += "_"
			}
			names[p] += string(unicode.ToLower(c))
		}
	}
	return names
}()

// markers are the parts as OpenPose, Sports2D and Pose2Sim spell them.
var markers = func() (names [keypoint.NumParts]string) {
	for p := range names {
		name := keypoint.Part(p).String()
		name = strings.Replace(name, "left", "L", 1)
		name = strings.Replace(name, "right", "R", 1)
		names[p] = strings.ToUpper(name[:1]) + name[1:]
	}
	return names
}()

// listed returns the parts that a file of a sequence lists in every row: those of the body, and those of the feet if a frame has one.
func listed(seq keypoint.Sequence) []keypoint.Part {
	set := keypoint.Body
	for i := range seq.Frames {
		if seq.Frames[i].Present()&keypoint.Feet != 0 {
			set = keypoint.All
		}
	}
	return set.List()
}

// parts are the parts by each of their names: leftEye, left_eye and LEye.
var parts = func() map[string]keypoint.Part {
	m := map[string]keypoint.Part{}
	for p := range keypoint.Part(keypoint.NumParts) {
		m[p.String()], m[cocoNames[p]], m[markers[p]] = p, p, p
	}
	return m
}()

// partsOf returns the parts among the names of markers, which may have that of a person before them, and where they are.
func partsOf(names []string) (found keypoint.Parts, at [keypoint.NumParts]int, err error) {
	for i, name := range names {
		p, ok := parts[name[strings.LastIndex(name, ":")+1:]]
		if ok && found.Has(p) {
			return found, at, fmt.Errorf("%s is there twice, want the markers of one person", quote(name))
		}
		if ok {
			found, at[p] = found|keypoint.PartsOf(p), i
		}
	}
	if found == 0 {
		err = errors.New("no marker is one of the parts, want the centres of joints under names such as RShoulder, LKnee or Nose")
	}
	return found, at, err
}

// wholeBodyFeet is the order of the points of the feet in COCO-WholeBody.
var wholeBodyFeet = [...]keypoint.Part{
	keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel, keypoint.RightBigToe, keypoint.RightSmallToe, keypoint.RightHeel,
}
