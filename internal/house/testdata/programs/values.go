package main

import (
	"compress/gzip"
	"encoding/json"
	"image"
	"io"
	"os"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
)

// must returns a value that is made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// filmed returns the keypoints of a rendered movie.
func filmed(name string) keypoint.Sequence {
	f := must(os.Open("internal/testkit/testdata/rendered/" + name + ".json.gz"))
	defer f.Close()
	return must(rendered.Read(must(io.ReadAll(must(gzip.NewReader(f)))))).Parts
}

// around returns what a camera at the side x and in front z of a moving doll sees of it, in metres.
func around(x, z float64) keypoint.Sequence {
	return sample.Film(sample.Camera(mgl64.Vec3{x, 1, z}, mgl64.Vec3{0, 0.95, 0}, 900), 150)
}

func repaired() (keypoint.Sequence, clean.Report) {
	seq, report, err := clean.Run(filmed("squat_90_slow"), clean.Default())
	return must(seq, err), report
}

func assessed() quality.Report {
	return must(quality.Assess(quality.Input{Sequence: filmed("squat_90_slow")}))
}

func sessions() []trend.Recording {
	seq, report := filmed("squat_90_slow"), assessed()
	one := trend.Recording{Summary: trend.Summarize(seq, must(study.Run(seq, report)), report.Views)}
	return []trend.Recording{one, one}
}

func rules() []analyze.Rule {
	return []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide}}
}

func data() []byte { return must(json.Marshal(filmed("squat_90_slow"))) }

// table returns a table of keypoints, which is read and written.
func table() *os.File {
	f := must(os.CreateTemp("", "keypoints-*.csv"))
	os.Remove(f.Name())
	must(0, formats.Write(f, "csv", filmed("squat_90_slow")))
	must(f.Seek(0, io.SeekStart))
	return f
}

func picture() *image.RGBA { return image.NewRGBA(image.Rect(0, 0, 720, 1280)) }

func frames() []image.Image {
	list := make([]image.Image, filmed("squat_90_slow").Len())
	for i := range list {
		list[i] = picture()
	}
	return list
}
