package onnxruntime_test

import (
	"context"
	"errors"
	"log"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
)

// A program that installs the library if it is missing.
func ExampleInstall() {
	var opt pose.Options
	est, err := pose.Balanced(opt)
	if errors.Is(err, onnxruntime.ErrLibrary) {
		if opt.Library, err = onnxruntime.Install(context.Background(), func(line string) { log.Print(line) }); err != nil {
			log.Fatal(err)
		}
		est, err = pose.Balanced(opt)
	}
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
}
