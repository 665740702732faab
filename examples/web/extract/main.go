//go:build js

// Command extract finds keypoints in a browser tab: JavaScript (package/extract) decodes a movie and runs the networks, and this
// program does all the rest, as the service does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/bodymotion/motion/examples/web/extract/runtime"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// main gives JavaScript two functions, which return Promises: open(setting), and extract(movie, rate, found) → the keypoints as
// JSON. found is called with each frame. In place of the networks this program contains their names, by which JavaScript has them.
func main() {
	debug.SetGCPercent(400) // collecting stops everything
	ort.Bind(runtime.Browser{})
	var est *pose.Estimator
	open := js.FuncOf(func(_ js.Value, args []js.Value) any {
		return promise(func() (any, error) {
			opened, err := open(args[0].String())
			if err == nil && est != nil {
				err = est.Close()
			}
			est = opened
			return nil, err
		})
	})
	extract := js.FuncOf(func(_ js.Value, args []js.Value) any {
		return promise(func() (any, error) {
			if est == nil {
				return nil, errors.New("no networks are open")
			}
			return extract(est, args[0], args[1].Float(), args[2])
		})
	})
	js.Global().Call("motionExtractReady", open, extract)
	select {}
}

// promise returns a Promise of what work returns.
func promise(work func() (any, error)) js.Value {
	var start js.Func
	start = js.FuncOf(func(_ js.Value, args []js.Value) any {
		start.Release()
		resolve, reject := args[0], args[1]
		go func() {
			value, err := work()
			if err != nil {
				reject.Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			resolve.Invoke(value)
		}()
		return nil
	})
	return js.Global().Get("Promise").New(start)
}

// open loads the networks of a setting, fast or balanced.
func open(name string) (*pose.Estimator, error) {
	switch name {
	case "fast":
		return pose.Fast(pose.Options{})
	case "balanced":
		return pose.Balanced(pose.Options{})
	}
	return nil, fmt.Errorf("the setting %q is unknown: want fast or balanced", name)
}

// extract finds the keypoints of one person in a movie.
func extract(est inference.Estimator, movie js.Value, rate float64, found js.Value) (any, error) {
	opt := inference.ExtractOptions{Feet: true, Rate: rate, OnFrame: func(frame int, f keypoint.Frame, _ float64) {
		if text, err := json.Marshal(f); err == nil {
			found.Invoke(frame, string(text))
		}
	}}
	seq, err := inference.Extract(context.Background(), newFrames(movie), est, opt)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(seq)
	return string(text), err
}
