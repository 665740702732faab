// Package analyze computes values from the keypoints of a recording by rules, such as the knee angle in each frame and its minimum:
//
//	rules, err := analyze.ParseRules([]byte(`{"analysisType": "vectorAngle",
//		"points": ["leftHip", "leftKnee", "leftAnkle"], "movieOption": {"statisticsType": "min"}}`))
//	if err != nil {
//		return err
//	}
//	results, err := analyze.Run(seq, rules)
//	if err != nil {
//		return err
//	}
//	fmt.Println(results[0].Values, results[0].Movie.Value.X)
//
// Coordinates are pixels, or metres with a scale, x to the right and y down. Angles are degrees:
//
//	vectorAngle at point 2             rotationAngle at point 2
//	0 ≤ v ≤ 180                        0 ≤ v < 360, counter-clockwise on screen
//
//	  1                                       3
//	   \                                      |
//	    \  v                              90° |
//	     2-----3                              2-----1
//
// A straight limb has a vectorAngle of 180. Swapping points 1 and 3 does not change a
// vectorAngle, and turns a rotationAngle v other than 0 into 360 − v.
//
// Named angles, such as KneeFlexion, take a side instead of points, and have the sign that clinicians
// expect whichever way the person faces. With a scale (keypoint.Sequence.World) lengths are in metres.
//
// A frame without a part that a rule needs has no value: Present is false, and JSON has
// null. All functions leave their arguments unchanged.
package analyze
