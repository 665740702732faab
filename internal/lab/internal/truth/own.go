package truth

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// mark is between the name of a recording and the extension of its reference.
const mark = ".reference."

// referred returns the recordings among files that have a reference NAME.reference.EXT; nil if there is none.
func referred(files []string) (paths []string, err error) {
	for _, file := range files {
		name, _, ok := strings.Cut(file, mark)
		if !ok {
			continue
		}
		found := slices.DeleteFunc(slices.Clone(files), func(path string) bool {
			return strings.TrimSuffix(path, filepath.Ext(path)) != name
		})
		if len(found) != 1 {
			return nil, fmt.Errorf("%s: %d recordings are called %s, want one movie or file of keypoints", file, len(found), filepath.Base(name)+".*")
		}
		paths = append(paths, found[0])
	}
	return paths, err
}

// reference returns the reference of a recording as its truth, ok if there is one: keypoints in the picture or in space, on the same
// clock as the recording, and the events NAME.events.csv, rows of seconds, side and event with the header time,side,event.
func reference(name string) (t *Truth, ok bool, err error) {
	paths, err := filepath.Glob(name + mark + "*")
	if err != nil || len(paths) == 0 {
		return nil, false, err
	}
	t = &Truth{Name: filepath.Base(name)}
	if t.Parts, err = Keypoints(paths[0]); err != nil {
		return nil, true, err
	}
	known(t)
	t.Events, err = events(name + ".events.csv")
	return t, true, err
}

// known says that the person is whole in the picture in each frame of a truth, seen from an unknown side, and that places in space
// are to be read as such.
func known(t *Truth) {
	t.Inside, t.View = make([]float64, t.Parts.Len()), make([]float64, t.Parts.Len())
	for i := range t.Inside {
		t.Inside[i], t.View[i] = 1, math.NaN()
	}
	if t.Parts.Space != nil {
		t.Parts.Space.Cameras = []keypoint.Camera{}
	}
}

// events reads a file of events; there are none without it.
func events(path string) (list []Event, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	what := []string{HeelStrike, ToeOff, TakeOff, Landing}
	for k, row := range rows {
		if k == 0 && slices.Equal(row, []string{"time", "side", "event"}) {
			continue
		}
		at, err := strconv.ParseFloat(row[0], 64)
		if k == 0 || len(row) != 3 || err != nil || !slices.Contains([]string{"left", "right", ""}, row[1]) || !slices.Contains(what, row[2]) {
			return nil, fmt.Errorf("%s: line %d is %q, want the header time,side,event, then seconds, left, right or nothing, and one of %q", path, k+1, row, what)
		}
		list = append(list, Event{Time: at, Side: row[1], What: row[2]})
	}
	return list, nil
}

// Markers reads the walks of people with markers in a folder, in the form of the package gaitkit: as seen from their right side, in
// millimetres, and the truth in space with the annotated events. Shoulders that are missing are seen above the hips.
func Markers(folder string) (seqs []keypoint.Sequence, truths []*Truth, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("-markers: there is no .json in %q", folder)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		seq, truth, err := markers(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		seqs, truths = append(seqs, seq), append(truths, truth)
	}
	return seqs, truths, err
}

func markers(data []byte) (seq keypoint.Sequence, t *Truth, err error) {
	var d struct {
		Name      string
		FPS       float64
		Parts     []string
		Positions [][][3]float64   // forward, up, to the right
		Strikes   map[string][]int `json:"heel_strikes"`
		Lifts     map[string][]int `json:"toe_offs"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return seq, nil, err
	}
	t = &Truth{Name: d.Name}
	t.Parts.Space = &keypoint.Space{Unit: keypoint.Metres}
	for i, row := range d.Positions {
		var f, truth keypoint.Frame
		var places keypoint.Positions
		for k, at := range row {
			side, joint, _ := strings.Cut(strings.Replace(d.Parts[k], "toe", "bigToe", 1), "_")
			p, err := keypoint.ParsePart(side + strings.ToUpper(joint[:1]) + joint[1:])
			if err != nil {
				return seq, nil, err
			}
			if at == [3]float64{} {
				at = row[slices.Index(d.Parts, side+"_hip")]
				at[1] += 500
			} else {
				places.Set(p, keypoint.Position(at).Mul(1e-3), 0)
			}
			f.Set(p, keypoint.Point{at[0], -at[1]}, 1)
		}
		truth.SetPositions(&places)
		seq.Frames, t.Parts.Frames = append(seq.Frames, f), append(t.Parts.Frames, truth)
		seq.Times = append(seq.Times, float64(i)/d.FPS)
	}
	t.Parts.Times = seq.Times
	known(t)
	for side, strikes := range d.Strikes {
		add := func(frame int, what string) {
			t.Events = append(t.Events, Event{Time: float64(frame) / d.FPS, Side: side, What: what})
		}
		for k, i := range strikes {
			if k > 0 && i-strikes[k-1] <= 20 { // annotated twice
				continue
			}
			add(i, HeelStrike)
			for _, lift := range d.Lifts[side] {
				if k+1 < len(strikes) && lift > i && lift < strikes[k+1] {
					if stance := float64(lift-i) / float64(strikes[k+1]-i); stance > 0.5 && stance < 0.75 { // others are doubtful
						add(lift, ToeOff)
					}
				}
			}
		}
	}
	return seq, t, nil
}
