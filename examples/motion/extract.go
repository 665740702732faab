package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// keypointFormats are the formats of keypoints in addition to JSON.
var keypointFormats = []format[keypoint.Sequence]{
	{"csv", "keypoints.csv", false, formats.WriteCSV},
	{"jsonl", "keypoints.jsonl", false, formats.WriteJSONL},
	{"trc", "keypoints.trc", true, formats.WriteTRC},
	{"c3d", "keypoints.c3d", true, formats.WriteC3D},
	{"coco", "keypoints.coco.json", false, formats.WriteCOCO},
	{"mediapipe", "keypoints.mediapipe.json", false, formats.WriteMediaPipe},
	{"openpose", "keypoints.openpose.zip", false, func(w io.Writer, s keypoint.Sequence) error {
		return formats.WriteOpenPoseZip(w, "keypoints", s)
	}},
}

func extractCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "extract", Short: "Find keypoints",
		Long: `Find the keypoints of a person in each file and write them as FILE.keypoints.json, in other
formats with --format. Pictures have no TRC and C3D files, which need times.`,
		Example: `  motion extract clips
  motion extract --setting fast --format csv,trc 'clips/*.mp4'
  motion extract --height 1.75 --feet --jobs 2 --out results clips squats.mp4`,
	}
	chosen := formatFlag(c, keypointFormats)
	return onFiles(c, func() (func(*job) ([]output, error), error) {
		list, err := chosen()
		return func(j *job) ([]output, error) { return outputs(j, list, j.sequence), nil }, err
	})
}
