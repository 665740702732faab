package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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

// The tables of a report for a spreadsheet that has decimal commas.
func ExampleReport_WriteTables() {
	r := report.Report{Title: "Squats, week 6", Sequence: squats()}
	if err := r.Analyze(); err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := r.WriteTables(&file, ';'); err != nil {
		fmt.Println(err)
		return
	}
	rows := strings.Split(strings.TrimPrefix(file.String(), "\ufeff"), "\r\n")
	for _, row := range rows[2:8] {
		fmt.Println(row)
	}
	// Output:
	// Repetitions;"depth from rest; the values at the turning point"
	// No.;Start, s;Knee down, s ± 0.13;±;Knee hold, s ± 0.13;±;Knee up, s ± 0.13;±;Depth ± 7;Left knee flexion;±;Right knee flexion;±;Left hip flexion;±;Right hip flexion;±;Trunk lean;±
	// 1;0,00;0,75;;0,00;;0,81;;95;95;9;95;10;95;9;95;10;38;6;
	// 2;1,94;0,81;;0,00;;0,81;;40;40;8;40;8;40;8;40;8;16;5;shallow
	// 3;3,94;0,81;;0,00;;0,81;;95;95;9;95;10;95;9;95;10;38;6;
	// Mean of 1, 3;;0,78;0,10;0,00;0,10;0,81;0,10;95;95;;95;;95;;95;;38;;
}
