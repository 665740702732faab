package testkit

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit/rendered"
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

// Rendered returns what is known of a rendered movie, such as "squat_60".
func Rendered(t testing.TB, name string) Movie {
	t.Helper()
	return MovieOf(t, Truth(t, name))
}

// MovieOf returns what a truth file says.
func MovieOf(t testing.TB, truth []byte) Movie {
	t.Helper()
	known, err := rendered.Read(truth)
	if err != nil {
		t.Fatal(err)
	}
	p := known.Pace
	m := Movie{
		Motion: Motion{known.Motion, p.Speed, p.Cadence, p.Stride, p.Step, p.Stance, p.Flight, p.Height, p.Hold},
		Height: known.Height, Angles: known.Angles3D, Seq: known.Parts, places: make([]keypoint.Positions, known.Parts.Len()),
		AtHips: rank.Upper(known.Scale), AtFeet: rank.Upper(known.FloorScale),
	}
	for _, r := range known.Reps {
		m.Reps = append(m.Reps, Rep(r))
	}
	for _, e := range known.Events {
		m.Events = append(m.Events, Event(e))
	}
	across := 1.0
	if known.Mirrored {
		across = -1
	}
	for i := range m.Angles["trunk_side"] {
		m.Angles["trunk_side"][i] *= across
	}
	for i := range known.World {
		for _, part := range known.Known.List() {
			at := known.World[i][part]
			m.places[i].Set(part, keypoint.Position{across * at[0], at[1], at[2]}, 0)
		}
	}
	return m
}
