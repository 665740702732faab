package main_test

import (
	"github.com/bodymotion/motion/examples/web/extract/runtime"
	"github.com/bodymotion/motion/internal/ort"
)

const native = false

func init() { ort.Bind(runtime.Browser{}) }
