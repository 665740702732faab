// Package compare measures the difference between two recordings of a person, part by part and frame by frame.
//
//	result, err := compare.Diff(source, target, compare.Options{Alignment: compare.DTW})
//	if err != nil {
//		return err
//	}
//	fmt.Println("score", result.Score.Overall)
//	if d, ok := result.Frames[0].At(keypoint.LeftWrist); ok {
//		fmt.Println(d.Distance, d.Direction)
//	}
//
// Time is aligned as [Alignment] says, and the two bodies are laid on each other as [Difference] says; [Score] says how similar the
// movements are. With Options.Angles, the result also has the differences of the named angles of package analyze in degrees; with
// Options.Repetitions, it also has the scores of the repetitions of the target against those of the source, each against its twin.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its arguments.
package compare
