// Command sidebyside times the pure packages against NumPy, SciPy, dtaidistance and encoding/json
// with the same work in one run, and prints how many times faster this module is. Each figure is
// the best of several rounds.
//
//	go run ./internal/lab/sidebyside -python venv/bin/python
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

//go:embed python.py
var script string

func main() {
	frames := flag.Int("frames", 1800, "length of the recordings")
	rounds := flag.Int("rounds", 30, "number of rounds; the best one is reported")
	python := flag.String("python", "python3", "Python interpreter with numpy, scipy and dtaidistance; \"\" for none")
	flag.Parse()
	if err := run(*frames, *rounds, *python); err != nil {
		fmt.Fprintln(os.Stderr, "sidebyside:", err)
		os.Exit(1)
	}
}

func run(n, rounds int, python string) error {
	source, target := recording(n, false), recording(n, true)
	gaps := source.Clone()
	for i := range gaps.Frames {
		if i%10 == 5 {
			gaps.Frames[i] = keypoint.Frame{}
		}
	}
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},
		{"analysisType":"vectorAngle","points":["rightHip","rightKnee","rightAnkle"]},
		{"analysisType":"rotationAngle","points":["leftShoulder","leftElbow","leftWrist"]},
		{"analysisType":"euclideanDistance","points":["leftWrist","rightWrist"]},
		{"analysisType":"verticalDifference","points":["nose","leftAnkle"]},
		{"analysisType":"coordinate","points":["nose"]}]`))
	if err != nil {
		return err
	}
	summarised := slices.Clone(rules)
	for i := range summarised {
		summarised[i].Movie = &analyze.MovieOption{Statistic: analyze.Median}
	}
	analysed := func(r []analyze.Rule) func() error {
		return func() error { _, err := analyze.Run(source, r); return err }
	}
	cleaned := func(s keypoint.Sequence, o clean.Options) func() error {
		return func() error { _, _, err := clean.Run(s, o); return err }
	}
	compared := func(o compare.Options) func() error {
		return func() error { _, err := compare.Diff(source, target, o); return err }
	}
	document, err := json.Marshal(source)
	if err != nil {
		return err
	}
	plain := plainForm(source)
	// The API's form, without times and scores.
	frames, err := json.Marshal(map[string][]keypoint.Frame{"keypoint": source.Frames})
	if err != nil {
		return err
	}
	table := []struct {
		name, against string
		here          func() error
		there         func() error // nil: in Python
	}{
		{"rules", "NumPy", analysed(rules), nil},
		{"rules-values", "NumPy, the values alone", analysed(rules), nil},
		{"rules+statistics", "NumPy", analysed(summarised), nil},
		{"rules-json", "NumPy and json", func() error {
			var s keypoint.Sequence
			if err := s.UnmarshalJSON(frames); err != nil {
				return err
			}
			results, err := analyze.Run(s, rules)
			for i := 0; err == nil && i < len(results); i++ {
				_, err = results[i].MarshalJSON()
			}
			return err
		}, nil},
		{"diff", "NumPy", compared(compare.Options{}), nil},
		{"dtw", "dtaidistance", compared(compare.Options{Alignment: compare.DTW}), nil},
		{"dtw-window", "dtaidistance", compared(compare.Options{Alignment: compare.DTW, Window: 1}), nil},
		{"butterworth", "SciPy", cleaned(source, clean.Options{Smooth: &clean.Smooth{}}), nil},
		{"savgol", "SciPy", cleaned(source, clean.Options{Smooth: &clean.Smooth{Method: clean.SavitzkyGolay}}), nil},
		{"median", "SciPy", cleaned(source, clean.Options{Smooth: &clean.Smooth{Method: clean.Median}}), nil},
		{"pchip", "SciPy", cleaned(gaps, clean.Options{Gaps: &clean.Gaps{}}), nil},
		{"write JSON", "encoding/json", func() error { _, err := source.MarshalJSON(); return err },
			func() error { _, err := json.Marshal(plain); return err }},
		{"read JSON", "encoding/json", func() error { var s keypoint.Sequence; return s.UnmarshalJSON(document) },
			func() error { var d plainDocument; return json.Unmarshal(document, &d) }},
	}
	theirs, err := inPython(python, n, rounds)
	if err != nil {
		return err
	}
	fmt.Printf("%d frames, best of %d\n%-18s %12s %12s  %s\n", n, rounds, "", "here", "there", "times faster")
	for _, row := range table {
		there, known := theirs[row.name]
		if row.there != nil {
			if there, err = best(rounds, row.there); err != nil {
				return err
			}
			known = true
		}
		here, err := best(rounds, row.here)
		if err != nil {
			return err
		}
		if known {
			fmt.Printf("%-18s %12v %12v  %.1f × %s\n", row.name, here.Round(1000), there.Round(1000), float64(there)/float64(here), row.against)
		} else {
			fmt.Printf("%-18s %12v %12s\n", row.name, here.Round(1000), "-")
		}
	}
	return nil
}

// best returns the shortest time of the rounds, and of at least a third of a second of them: short
// rounds are often interrupted.
func best(rounds int, work func() error) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	first := time.Now()
	for round := 0; round < rounds || time.Since(first) < time.Second/3; round++ {
		start := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		least = min(least, time.Since(start))
	}
	return least, nil
}

// inPython returns the measurements of the script.
func inPython(python string, frames, rounds int) (map[string]time.Duration, error) {
	measured := map[string]time.Duration{}
	if python == "" {
		return measured, nil
	}
	cmd := exec.Command(python, "-", fmt.Sprint(frames), fmt.Sprint(rounds))
	cmd.Stdin, cmd.Stderr = strings.NewReader(script), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; -python names another interpreter, -python \"\" none", python, err)
	}
	for line := range strings.Lines(string(out)) {
		var name string
		var ns int64
		if _, err := fmt.Sscan(line, &name, &ns); err != nil {
			return nil, fmt.Errorf("the script printed %q: %w", line, err)
		}
		measured[name] = time.Duration(ns)
	}
	return measured, nil
}

// recording is a movement of 17 parts, as in the script.
func recording(n int, reversed bool) keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, n), Times: make([]float64, n)}
	for i := range s.Frames {
		s.Times[i] = float64(i) / 30
		at, scale := s.Times[i], 1.0
		if reversed {
			at, scale = float64(n-1-i)/30, 1.1
		}
		for p := range keypoint.Part(keypoint.NumBody) {
			phase := at*2 + float64(p)
			s.Frames[i].Set(p, keypoint.Point{scale * (100*math.Sin(phase) + 300), scale * (80*math.Cos(1.3*phase) + 240)}, 0.9)
		}
	}
	return s
}

// plainDocument is a sequence as an ordinary type for encoding/json.
type plainDocument struct {
	Timestamps []float64               `json:"timestamps"`
	Keypoint   []map[string][2]float64 `json:"keypoint"`
	Scores     []map[string]float64    `json:"scores"`
}

func plainForm(s keypoint.Sequence) plainDocument {
	round := func(v, scale float64) float64 { return math.Round(v*scale) / scale }
	var d plainDocument
	for i := range s.Frames {
		points, scores := map[string][2]float64{}, map[string]float64{}
		for _, p := range s.Frames[i].Present().List() {
			pt, _ := s.Frames[i].At(p)
			points[p.String()] = [2]float64{round(pt[0], 100), round(pt[1], 100)}
			scores[p.String()] = s.Frames[i].Confidence(p)
		}
		d.Timestamps = append(d.Timestamps, round(s.Times[i], 1e6))
		d.Keypoint, d.Scores = append(d.Keypoint, points), append(d.Scores, scores)
	}
	return d
}
