package testkit

import (
	"compress/gzip"
	"encoding/json"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// truths is the folder of the truth files of rendered movies.
const truths = "internal/testkit/testdata/rendered"

// Movie is what is known exactly of a rendered movie.
type Movie struct {
	places []keypoint.Positions
	Height float64           // of the body in metres, without shoes
	Seq    keypoint.Sequence // the parts inside the picture
	Reps   []Rep
	Events []Event
	Motion Motion
	// AtHips and AtFeet are the scales in metres per pixel at the depth of the hips and of the ankles, by
	// the median over the frames. They differ by up to 1 % where the camera looks down.
	AtHips, AtFeet float64
	// Angles are those in space by their names in the file, such as left_knee, in degrees for each frame.
	Angles map[string][]float64
}

// InSpace returns the sequence with the exact places of all parts in metres, as cameras that see everything find them.
func (m Movie) InSpace() keypoint.Sequence {
	seq := m.Seq.Clone()
	seq.Space = &keypoint.Space{Unit: keypoint.Metres, Angle: 90, Cameras: make([]keypoint.Camera, 2)}
	for i := range seq.Frames {
		seq.Frames[i].SetPositions(&m.places[i])
	}
	return seq
}

// Guessed returns the sequence with positions as a network guesses them: in metres from the middle of the hips, with too little
// depth.
func (m Movie) Guessed() keypoint.Sequence {
	seq := m.Seq.Clone()
	for i := range seq.Frames {
		l, _ := m.places[i].At(keypoint.LeftHip)
		r, _ := m.places[i].At(keypoint.RightHip)
		guess := new(keypoint.Positions)
		for _, p := range m.places[i].Present().List() {
			at, _ := m.places[i].At(p)
			at = at.Sub(l.Add(r).Mul(0.5))
			guess.Set(p, keypoint.Position{at[0], at[1], at[2] / 1.4}, 0)
		}
		seq.Frames[i].SetPositions(guess)
	}
	return seq
}

// Rep is a repetition, in seconds.
type Rep struct {
	Start, Turn, End, Depth float64
	TurnFrom, TurnTo        float64 // the hold; 0: there is none
}

// Event is a step, a take-off or a landing.
type Event struct {
	Time float64
	Side string // left, right or both
	What string // "heel strike", "toe off", "take-off", "landing" and others
}

// Motion are the numbers of a walk, a run or a jump; 0 for others.
type Motion struct {
	Kind    string  `json:"kind"`
	Speed   float64 `json:"speed_m_s"`
	Cadence float64 `json:"cadence_steps_min"`
	Stride  float64 `json:"stride_m"`
	Step    float64 `json:"step_m"`
	Stance  float64 `json:"stance_share"`
	Flight  float64 `json:"flight_s"`
	Height  float64 `json:"jump_height_m"`
	Hold    float64 `json:"hold_s"` // of a stance on one leg
}

// RenderedNames returns the names of the rendered movies, in order.
func RenderedNames(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), truths, "*.json.gz"))
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d truth files of rendered movies (%v)", len(paths), err)
	}
	for i, path := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(path), ".json.gz")
	}
	return paths
}

// Truth returns the truth file of a rendered movie, such as "squat_60": JSON of the format motion-truth/1.
func Truth(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(Root(t), truths, name+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Truths returns a folder with the truth files of all rendered movies, NAME.json, for programs.
func Truths(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range RenderedNames(t) {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), Truth(t, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Rendered returns what is known of a rendered movie, such as "squat_60".
func Rendered(t testing.TB, name string) Movie {
	t.Helper()
	return MovieOf(t, Truth(t, name))
}

// MovieOf returns what a truth file says.
func MovieOf(t testing.TB, truth []byte) Movie {
	t.Helper()
	var err error
	var d struct {
		Motion Motion
		Body   struct {
			Height float64 `json:"height_m"`
		}
		Movie struct {
			Width, Height int
			Mirrored      bool
		}
		Camera struct {
			Focal float64 `json:"f_px"`
		}
		Reps []struct {
			Start, Turn, End float64
			Depth            float64 `json:"depth_share"`
			From             float64 `json:"turn_from"`
			To               float64 `json:"turn_to"`
		}
		Events []struct {
			T          float64
			Side, What string
		}
		Parts  []string
		Frames struct {
			T              []float64
			XY, World, Cam [][][]float64
		}
		Angles map[string][]float64 `json:"angles3d"`
	}
	if err = json.Unmarshal(truth, &d); err != nil {
		t.Fatal(err)
	}
	if d.Movie.Mirrored {
		for name := range d.Angles {
			if joint, ok := strings.CutPrefix(name, "left_"); ok {
				l, r := d.Angles[name], d.Angles["right_"+joint]
				d.Angles[name], d.Angles["right_"+joint] = r, l
			}
		}
		for i := range d.Angles["trunk_side"] {
			d.Angles["trunk_side"][i] *= -1
		}
	}
	m := Movie{Motion: d.Motion, Height: d.Body.Height, Angles: d.Angles, places: make([]keypoint.Positions, len(d.Frames.T)), Seq: keypoint.Sequence{Times: d.Frames.T, Size: image.Pt(d.Movie.Width, d.Movie.Height)}}
	for _, r := range d.Reps {
		m.Reps = append(m.Reps, Rep{r.Start, r.Turn, r.End, r.Depth, r.From, r.To})
	}
	for _, e := range d.Events {
		if d.Movie.Mirrored {
			e.Side = map[string]string{"left": "right", "right": "left"}[e.Side]
		}
		m.Events = append(m.Events, Event{e.T, e.Side, e.What})
	}
	parts := make([]keypoint.Part, len(d.Parts))
	for k, name := range d.Parts {
		if parts[k], err = keypoint.ParsePart(camel(name)); err != nil {
			t.Fatal(err)
		}
		if d.Movie.Mirrored {
			parts[k] = parts[k].Mirror()
		}
	}
	scale := func(left string) float64 {
		k := slices.Index(d.Parts, left)
		var scales []float64
		for i := range d.Frames.Cam {
			scales = append(scales, (d.Frames.Cam[i][k][2]+d.Frames.Cam[i][k+1][2])/2/d.Camera.Focal)
		}
		slices.Sort(scales)
		return scales[len(scales)/2]
	}
	m.AtHips, m.AtFeet = scale("left_hip"), scale("left_ankle")
	for i := range d.Frames.T {
		var f keypoint.Frame
		for k, p := range parts {
			if at := d.Frames.World[i][k]; d.Movie.Mirrored {
				m.places[i].Set(p, keypoint.Position{-at[0], at[1], at[2]}, 0)
			} else {
				m.places[i].Set(p, keypoint.Position(at), 0)
			}
			x, y := d.Frames.XY[i][k][0], d.Frames.XY[i][k][1]
			if x >= 0 && y >= 0 && x <= float64(d.Movie.Width) && y <= float64(d.Movie.Height) {
				f.Set(p, keypoint.Point{x, y}, 1)
			}
		}
		m.Seq.Frames = append(m.Seq.Frames, f)
	}
	return m
}

// camel turns left_big_toe into leftBigToe.
func camel(name string) string {
	words := strings.Split(name, "_")
	for k := 1; k < len(words); k++ {
		words[k] = strings.ToUpper(words[k][:1]) + words[k][1:]
	}
	return strings.Join(words, "")
}
