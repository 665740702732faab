package program_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

func TestMain(m *testing.M) {
	flag.Parse()
	testkit.ExamplesNeed("ffmpeg", "ffprobe")
	os.Exit(m.Run())
}

// FFmpeg as it is installed, with a bound on what it may allocate.
func ExampleInstalled() {
	ctx := context.Background()
	var runner program.Installed
	if err := runner.Check(ctx); err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	if err := runner.Run(ctx, program.Command{Program: "ffprobe", Args: []string{"-version"}, Stdout: &out, Memory: 512 << 20}); err != nil {
		log.Fatal(err)
	}
	name, _, _ := bytes.Cut(out.Bytes(), []byte(" "))
	fmt.Println(string(name))
	// Output: ffprobe
}
