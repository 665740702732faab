package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/cmd/motion/internal/blandaltman"
	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/say"
)

// validation is what was measured beside what it should be.
type validation struct {
	mu    sync.Mutex
	pairs map[measured][]blandaltman.Pair
}

// measured is what is compared: an angle in each frame, or its peak in each cycle.
type measured struct {
	name, unit string // "left knee flexion", "°"
	peak       bool
}

// title names what is compared.
func (m measured) title() string {
	if m.peak {
		return m.name + ", peak of each cycle"
	}
	return m.name + ", each frame"
}

// truths end the names of files with the truth, in the order in which they are looked for.
var truths = []string{".truth.csv", ".truth.mot", ".truth.trc"}

func validateCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "validate", Short: "Compare what is measured with a laboratory's truth",
		Long: `Measure each recording as by "motion analyze", and compare it with the truth in a file beside it:
squats.truth.csv, .mot or .trc of squats.mp4, at the times of the recording. CSV and MOT files have
angles in degrees in columns as "motion analyze --format csv,mot" names them, such as
left knee flexion [deg], or as OpenSim does, such as knee_angle_l. TRC files have markers named as
the parts of the body, in space; the angles are the library's own.

validate.agreement.csv and .json have for each angle in each frame, and for its peak in each cycle
(repetition, stride, or else the recording): bias, limits of agreement, the root of the mean square,
ICC(A,1), the share within the uncertainty and within twice that, with 95 % intervals over people.
validate.agreement.svg draws them after Bland and Altman. Each folder with recordings is a person.
What is withheld does not count, and a cycle needs values in nine of ten frames.`,
		Example: `  motion validate --out check lab
  motion validate 'lab/*/*.json'`,
	}
	v := &validation{pairs: map[measured][]blandaltman.Pair{}}
	return onFilesThen(c, func() (func(*job) ([]output, error), error) {
		return func(j *job) ([]output, error) {
			if j.still {
				return nil, errors.New("a picture has no times to compare: give movies or their keypoints")
			}
			truth, err := readTruth(j.in.path)
			if err != nil {
				return nil, err
			}
			if err := v.add(j, truth); err != nil {
				return nil, err
			}
			return j.analyses(nil, nil, nil), nil
		}, nil
	}, v.write)
}

// truth is a table of values that should have been measured.
type truth struct {
	times  []float64
	values map[string][]float64 // by the name of the angle; NaN: absent
}

// at returns a value between its neighbours in time; there is none in gaps of more than a tenth of a second.
func (t truth) at(name string, time float64) (v float64, ok bool) {
	k, _ := slices.BinarySearch(t.times, time)
	list := t.values[name]
	if k < len(list) && t.times[k] == time {
		return list[k], !math.IsNaN(list[k])
	}
	if k == 0 || k >= len(list) || t.times[k]-t.times[k-1] > 0.1 {
		return 0, false
	}
	share := (time - t.times[k-1]) / (t.times[k] - t.times[k-1])
	v = list[k-1] + share*(list[k]-list[k-1])
	return v, !math.IsNaN(v)
}

// peak returns the greatest value of a span of time.
func (t truth) peak(name string, from, to float64) (v float64, ok bool) {
	v = math.Inf(-1)
	for i, time := range t.times {
		if x := t.values[name][i]; time >= from && time <= to && !math.IsNaN(x) {
			v, ok = max(v, x), true
		}
	}
	return v, ok
}

// readTruth reads the truth of a recording from the file beside it.
func readTruth(path string) (truth, error) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for _, ext := range truths {
		f, _, err := openFile(stem + ext)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return truth{}, err
		}
		defer f.Close()
		read := map[string]func(io.Reader) (truth, error){".truth.csv": readCSV, ".truth.mot": readMOT, ".truth.trc": readMarkers}[ext]
		t, err := read(f)
		if err == nil {
			err = t.check()
		}
		if err != nil {
			return truth{}, fmt.Errorf("%s: %w", stem+ext, err)
		}
		return t, nil
	}
	return truth{}, fmt.Errorf("there is no truth: want one of %s beside it", filepath.Base(stem)+strings.Join(truths, ", "+filepath.Base(stem)))
}

// check reports what cannot be compared.
func (t truth) check() error {
	if len(t.values) == 0 {
		return errors.New("no column is an angle: want such as left knee flexion [deg], or knee_angle_l")
	}
	for i, time := range t.times {
		if math.IsNaN(time) || math.IsInf(time, 0) || i > 0 && time <= t.times[i-1] {
			return fmt.Errorf("line %d of the table: the time is %v s, want times that increase", i+1, time)
		}
	}
	return nil
}

// opensim are angles by the names that OpenSim's models have for them, without the side.
var opensim = map[string]analyze.Type{
	"knee_angle": analyze.KneeFlexion, "hip_flexion": analyze.HipFlexion, "ankle_angle": analyze.AnkleDorsiflexion,
	"elbow_flex": analyze.ElbowFlexion, "arm_flex": analyze.ShoulderFlexion,
}

// everyAngle returns rules of all named angles, of both sides.
func everyAngle() []analyze.Rule {
	var types []analyze.Type
	for _, t := range angles() {
		types = append(types, analyze.Type(t))
	}
	return bothSides(types)
}

// known are the named angles: what a study calls them, by all names that files have for them.
var known = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, r := range everyAngle() {
		name := say.Of(string(r.Side), string(r.Type)).String()
		names[name], names[strings.ReplaceAll(name, " ", "_")] = name, name
	}
	for name, t := range opensim {
		for short, side := range map[string]analyze.Side{"_l": analyze.LeftSide, "_r": analyze.RightSide} {
			names[name+short] = say.Of(string(side), string(t)).String()
		}
	}
	return names
})

// readCSV reads a table with a column "time [s]" or "time".
func readCSV(r io.Reader) (truth, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		return truth{}, err
	}
	return tableOf(rows)
}

// readMOT reads a motion file of OpenSim.
func readMOT(r io.Reader) (truth, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return truth{}, err
	}
	head, body, ok := strings.Cut(string(text), "endheader")
	if !ok {
		return truth{}, errors.New("this is no MOT file: it has no endheader")
	}
	if strings.Contains(head, "inDegrees=no") {
		return truth{}, errors.New("its angles are radians: write it in degrees")
	}
	var rows [][]string
	for line := range strings.Lines(body) {
		if cells := strings.Fields(line); len(cells) > 0 {
			rows = append(rows, cells)
		}
	}
	return tableOf(rows)
}

// tableOf makes the truth of rows of cells, of which the first are names.
func tableOf(rows [][]string) (truth, error) {
	t := truth{values: map[string][]float64{}}
	if len(rows) < 2 {
		return t, errors.New("it has no rows")
	}
	columns, timed := map[int]string{}, -1
	for i, cell := range rows[0] {
		name, _, _ := strings.Cut(strings.TrimPrefix(cell, "\ufeff"), "[")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "time" {
			timed = i
		} else if of, ok := known()[name]; ok {
			columns[i] = of
		}
	}
	if timed < 0 {
		return t, errors.New("it has no column time, in seconds")
	}
	number := func(cells []string, i, line int) (float64, error) {
		if i >= len(cells) || cells[i] == "" {
			return math.NaN(), nil
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
		if err != nil {
			return v, fmt.Errorf("line %d of the table, %s: %q is no number", line, rows[0][i], cells[i])
		}
		return v, nil
	}
	for line, cells := range rows[1:] {
		at, err := number(cells, timed, line+1)
		if err != nil {
			return t, err
		}
		t.times = append(t.times, at)
		for i, name := range columns {
			v, err := number(cells, i, line+1)
			if err != nil {
				return t, err
			}
			t.values[name] = append(t.values[name], v)
		}
	}
	return t, nil
}

// readMarkers measures the angles of markers in space.
func readMarkers(r io.Reader) (truth, error) {
	seq, err := formats.Read(r, "truth.trc", formats.Options{})
	if err != nil {
		return truth{}, err
	}
	t := truth{times: seq.Times, values: map[string][]float64{}}
	results, err := analyze.Run(seq, everyAngle())
	if err != nil {
		return truth{}, err
	}
	for _, r := range results {
		list, some := make([]float64, len(r.Values)), false
		for i, v := range r.Values {
			if list[i] = v.X; !v.Present {
				list[i] = math.NaN()
			}
			some = some || v.Present
		}
		if some {
			t.values[r.Name] = list
		}
	}
	return t, nil
}

// add compares a recording with its truth.
func (v *validation) add(j *job, t truth) error {
	seq, err := j.sequence()
	if err != nil {
		return err
	}
	s, err := study.Run(seq, j.record.Quality)
	if err != nil {
		return err
	}
	person := filepath.Dir(j.in.name)
	cycles := cyclesOf(s, seq.Times)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range s.Measures {
		if _, ok := t.values[m.Name]; !ok {
			continue
		}
		each, peaks := measured{m.Name, m.Unit, false}, measured{m.Name, m.Unit, true}
		for i, x := range m.Values {
			if want, ok := t.at(m.Name, seq.Times[i]); ok && x.Present {
				v.pairs[each] = append(v.pairs[each], blandaltman.Pair{Person: person, Value: x.X, Truth: want, Uncertainty: m.Uncertainty[i].X})
			}
		}
		for _, c := range cycles {
			best, told, frames := blandaltman.Pair{Person: person, Value: math.Inf(-1)}, 0, 0
			for i, x := range m.Values {
				if at := seq.Times[i]; at < c[0] || at > c[1] {
					continue
				}
				if frames++; x.Present {
					told++
				}
				if x.Present && x.X > best.Value {
					best.Value, best.Uncertainty = x.X, m.Uncertainty[i].X
				}
			}
			if want, ok := t.peak(m.Name, c[0], c[1]); ok && told > 0 && float64(told) >= leastTold*float64(frames) {
				best.Truth = want
				v.pairs[peaks] = append(v.pairs[peaks], best)
			}
		}
	}
	return nil
}

// leastTold is the share of the frames of a cycle that must have values: the peak may be in the others.
const leastTold = 0.9

// cyclesOf returns from when to when each repetition or stride lasts, or else the recording.
func cyclesOf(s study.Study, times []float64) (list [][2]float64) {
	switch {
	case s.Gait != nil:
		for _, c := range s.Gait.Cycles {
			list = append(list, [2]float64{c.Start, c.End})
		}
	case s.Repetitions != nil:
		for _, r := range s.Repetitions.List {
			list = append(list, [2]float64{r.Start.Time, r.End.Time})
		}
	}
	if list == nil && len(times) > 0 {
		list = [][2]float64{{times[0], times[len(times)-1]}}
	}
	return list
}

// write writes the tables and the picture.
func (v *validation) write(_ context.Context, b *batch, _ []input) error {
	if len(v.pairs) == 0 {
		return errors.New("nothing that the truth has was measured: no angle is told at its times")
	}
	type line struct {
		Name string `json:"name"`
		Unit string `json:"unit"`
		Of   string `json:"of"` // "frame" or "cycle"
		agree.Agreement
	}
	var lines []line
	var panels []blandaltman.Panel
	for _, m := range v.list() {
		a := agree.Of(blandaltman.People(v.pairs[m]))
		lines = append(lines, line{m.name, m.unit, map[bool]string{true: "cycle", false: "frame"}[m.peak], a})
		panels = append(panels, blandaltman.Panel{Title: m.title(), Unit: m.unit, Pairs: v.pairs[m], Agreement: a})
	}
	for name, write := range map[string]func(path string) error{
		"validate.agreement.json": func(path string) error { return writeJSON(path, lines) },
		"validate.agreement.svg": func(path string) error {
			return writeFile(path, func(w io.Writer) error { return blandaltman.WriteSVG(w, panels) })
		},
		"validate.agreement.csv": func(path string) error {
			return writeFile(path, func(w io.Writer) error {
				out := csv.NewWriter(w)
				out.Write([]string{"what", "of", "unit", "pairs", "people", "bias", "bias low", "bias high", "limit low", "limit high", "rmse", "icc", "icc low", "icc high", "within", "within twice"})
				for _, l := range lines {
					low, high := ends(l.BiasInterval)
					iccLow, iccHigh := ends(l.ICCInterval)
					out.Write([]string{
						l.Name, l.Of, l.Unit, strconv.Itoa(l.Pairs), strconv.Itoa(l.People), digits(&l.Bias), low, high, digits(&l.Limits.Low), digits(&l.Limits.High),
						digits(&l.RMSE), digits(l.ICC), iccLow, iccHigh, digits(l.Within), digits(l.Within2),
					})
				}
				out.Flush()
				return out.Error()
			})
		},
	} {
		path := filepath.Join(b.store.dir, name)
		if err := b.keepsInputs(path); err != nil {
			return err
		}
		if _, err := b.store.put(path, write); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if b.json {
		return nil
	}
	for _, l := range lines {
		if l.Of == "frame" {
			continue
		}
		if _, err := fmt.Fprintf(b.stdout, "%s: %+.1f%s, 95 %% between %.1f and %.1f, of %d cycles of %d people\n", l.Name, l.Bias, l.Unit, l.Limits.Low, l.Limits.High, l.Pairs, l.People); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(b.stdout, "validate.agreement.csv, .json and .svg are in %s\n", b.out)
	return err
}

// list returns what is compared, by name, the peaks first.
func (v *validation) list() (all []measured) {
	for m := range v.pairs {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b measured) int { return strings.Compare(a.name+a.title(), b.name+b.title()) })
	return all
}

// digits writes a number with three decimals; nil is empty.
func digits(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}

func ends(i *agree.Interval) (low, high string) {
	if i == nil {
		return "", ""
	}
	return digits(&i.Low), digits(&i.High)
}
