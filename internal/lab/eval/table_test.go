package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTable holds the printed form.
func TestTable(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	r := report{
		Estimator: "square", PCKWithin: .2, AgreementWithin: .25,
		Sets: []setReport{{Name: "a", Pictures: 4, AP: v(.5), AP50: v(.75), AP75: v(.25), AR: v(.5), PCK: v(1), Error: v(.0625),
			Missed: &shareReport{1, 4}, Chosen: &shareReport{1, 2}, Milliseconds: &times{12.34, 10}}, {Name: "b", Pictures: 1, FalsePositives: &shareReport{1, 1}, FalseParts: 5}},
		PartErrors: []partReport{{"nose", v(.125), v(.0625), 3}, {"leftEye", nil, nil, 0}},
		Movies: []movieReport{{Name: "clip.mp4", Frames: 6, Milliseconds: &times{3, 4}, Seconds: seconds{1.24, 2}, Raw: stageReport{Jitter: v(.001), Lost: &shareReport{0, 6}},
			Cleaned: stageReport{Agreement: v(.5), CloseAgreement: v(.25), ExchangedPairs: &shareReport{1, 9}, PeakAngles: v(4), PeakSpeeds: v(.5),
				Angles: []angleReport{{"knee", v(5.04), v(-1.25), 7}, {"hip", nil, nil, 0}, {"elbow", nil, nil, 0}, {"shoulder", nil, nil, 0}}}}},
	}
	var out bytes.Buffer
	if err := r.writeTable(&out); err != nil {
		t.Fatal(err)
	}
	want := `estimator  square

set  pictures  AP     AP50   AP75   AR     PCK@0.2  error  missed  chosen  false positives  false parts  ms    median ms
a    4         0.500  0.750  0.250  0.500  1.000    0.062  1/4     1/2     -                0            12.3  10.0
b    1         -      -      -      -      -        -      -       -       1/1              5            -     -

part     mean error  median error  found
nose     0.125       0.062         3
leftEye  -           -             0

movie     frames  matched  jitter of reference  ms   median ms  s    core s
clip.mp4  6       -        -                    3.0  4.0        1.2  2.0

movie              agreement@0.25  @0.125  jitter  exchanged pairs  frames  lost  invented
clip.mp4  raw      -               -       0.001   -                -       0/6   -
          cleaned  0.500           0.250   -       1/9              -       -     -

degrees: RMSE, bias           knee       hip   elbow  shoulder  peak angles  peak speeds
                     cleaned  5.0, -1.2  -, -  -, -   -, -      4.0          0.500
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
