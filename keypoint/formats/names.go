package formats

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// cocoNames are the parts as COCO spells them.
var cocoNames = func() (names [keypoint.NumBody]string) {
	for p := range names {
		for _, r := range keypoint.Part(p).String() {
			if r >= 'A' && r <= 'Z' {
				names[p] += "_"
			}
			names[p] += strings.ToLower(string(r))
		}
	}
	return names
}()

// markers are the parts as OpenPose, Sports2D and Pose2Sim spell them.
var markers = func() (names [keypoint.NumBody]string) {
	for p := range names {
		name := keypoint.Part(p).String()
		name = strings.Replace(name, "left", "L", 1)
		name = strings.Replace(name, "right", "R", 1)
		names[p] = strings.ToUpper(name[:1]) + name[1:]
	}
	return names
}()

// parts are the parts by each of their names: leftEye, left_eye and LEye.
var parts = func() map[string]keypoint.Part {
	m := map[string]keypoint.Part{}
	for p := range keypoint.Part(keypoint.NumBody) {
		m[p.String()], m[cocoNames[p]], m[markers[p]] = p, p, p
	}
	return m
}()
