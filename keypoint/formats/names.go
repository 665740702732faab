package formats

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/words"
)

// cocoNames are the parts as COCO spells them.
var cocoNames = func() (names [keypoint.NumParts]string) {
	for p := range names {
		names[p] = strings.ReplaceAll(words.English.Of(keypoint.Part(p).String()), " ", "_")
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

// listed returns the parts that a file of a sequence lists in every row: those of the body, and those of
// the feet if a frame has one.
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

// wholeBodyFeet is the order of the points of the feet in COCO-WholeBody.
var wholeBodyFeet = [...]keypoint.Part{
	keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel, keypoint.RightBigToe, keypoint.RightSmallToe, keypoint.RightHeel,
}
