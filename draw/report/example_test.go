package report_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/draw/report"
)

func Example() {
	r := report.Report{Title: "Squats, week 6", Sequence: squats()}
	if err := r.Analyze(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("pictures of the frames", r.Frames())

	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f, err := os.Create(filepath.Join(dir, "report.html"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	if err := r.Write(f); err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Series[0].Result.Name)
	// Output:
	// pictures of the frames [23 83 143]
	// left knee flexion
}
