package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/space"
)

// keypointFormats are the formats of keypoints in addition to JSON.
var keypointFormats = []format[keypoint.Sequence]{
	keypointFormat("csv", ".csv", false),
	keypointFormat("jsonl", ".jsonl", false),
	keypointFormat("trc", ".trc", true),
	keypointFormat("c3d", ".c3d", true),
	keypointFormat("coco", ".coco.json", false),
	keypointFormat("mediapipe", ".mediapipe.json", false),
	keypointFormat("openpose", ".openpose.zip", false),
}

// spatialFormats are keypointFormats, and the formats that only keypoints in space have.
var spatialFormats = append(keypointFormats[:len(keypointFormats):len(keypointFormats)], keypointFormat("bvh", ".bvh", true))

func keypointFormat(name, ending string, timed bool) format[keypoint.Sequence] {
	return format[keypoint.Sequence]{name, "keypoints" + ending, timed, func(w io.Writer, s keypoint.Sequence) error {
		return formats.Write(w, name, s)
	}}
}

func extractCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "extract", Short: "Find keypoints",
		Long: `Find the keypoints of a person in each file and write them as FILE.keypoints.json, in other
formats with --format. Pictures have no TRC and C3D files, which need times. BVH, a skeleton for
animation, is of keypoints in space: with --together, or of TRC and C3D files with three coordinates.

With --together, two to four movies are of the same movement of one person, from cameras that stand
still, 60 to 120° apart. What they show in space is written, too: FIRST-SECOND.keypoints.json, and in
the other formats that alone. With --height it is in metres.`,
		Example: `  motion extract clips
  motion extract --setting fast --format csv,trc 'clips/*.mp4'
  motion extract --height 1.75 --feet --jobs 2 --out results clips squats.mp4`,
	}
	chosen := formatFlag(c, "JSON", spatialFormats)
	together := c.Flags().Bool("together", false, "join two to four movies of the same movement in space")
	c.PreRunE = func(_ *cobra.Command, args []string) error {
		inputs, err := expand(args)
		if n := len(inputs); *together && err == nil && (n < 2 || n > 4) {
			err = fmt.Errorf("--together is for two to four movies of the same movement, not %d", n)
		}
		return err
	}
	var list []format[keypoint.Sequence]
	return onFilesThen(c, func() (func(*job) ([]output, error), error) {
		var err error
		list, err = chosen()
		return func(j *job) ([]output, error) {
			if *together {
				return nil, nil
			}
			return outputs(j, list, j.sequence), nil
		}, err
	}, func(ctx context.Context, b *batch, inputs []input) error {
		if !*together {
			return nil
		}
		return b.together(ctx, inputs, list)
	})
}

// together makes the keypoints in space of movies whose keypoints are found.
func (b *batch) together(ctx context.Context, inputs []input, list []format[keypoint.Sequence]) error {
	var jobs []*job
	var views []keypoint.Sequence
	var names []string
	var made []any
	for _, in := range inputs {
		j := &job{batch: b, in: in, progress: func(int, int) {}}
		if err := j.do(ctx, func(*job) ([]output, error) { return nil, nil }); err != nil {
			return err
		}
		seq, err := j.sequence()
		if err != nil {
			return err
		}
		seq.World = keypoint.World{} // is that of one picture
		jobs, views, names = append(jobs, j), append(views, seq), append(names, filepath.Base(in.name))
		made = append(made, in.name, j.record.Size, j.record.Modified, j.record.Results[j.name("keypoints.json")].Key)
	}
	joined := sync.OnceValues(func() (keypoint.Sequence, error) {
		return space.Join(views, space.Options{BodyHeight: b.found.Height})
	})
	first := jobs[0]
	name := filepath.Join(filepath.Dir(first.in.name), strings.Join(names, "-"))
	r := row{File: name, Status: "done"}
	for _, f := range append([]format[keypoint.Sequence]{keypointFormat("json", ".json", true)}, list...) {
		file := name + "." + f.file
		of, err := first.make(file, key(made...), func(path string) (summary, error) {
			seq, err := joined()
			if err != nil {
				return summary{}, err
			}
			note := fmt.Sprintf("in space, cameras %.0f° apart, %.1f pixels off", seq.Space.Angle, seq.Space.Residual)
			return summary{Note: note}, writeFile(path, func(w io.Writer) error { return f.write(w, seq) })
		})
		if err != nil {
			return err
		}
		r.Result, r.Files = of.Note, append(r.Files, file)
	}
	if b.json {
		seq, err := b.store.keypoints(name + ".keypoints.json")
		if err != nil {
			return err
		}
		r.Frames, r.Seconds, r.Found = amounts(seq)
		r.Kept = first.made == 0
		return printRows(b.stdout, []row{r})
	}
	_, err := fmt.Fprintf(b.stdout, "%s: %s\n", setup.Visible(name), r.Result)
	return err
}
