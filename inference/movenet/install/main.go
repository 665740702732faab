// Install puts ONNX Runtime into the user cache, where inference/movenet finds it:
//
//	go run github.com/bodymotion/motion/inference/movenet/install@latest
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/bodymotion/motion/inference/movenet/onnxruntime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	path, err := onnxruntime.Install(ctx, func(line string) { fmt.Fprintln(os.Stderr, line) })
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
	fmt.Println("ONNX Runtime is ready:", path)
}
