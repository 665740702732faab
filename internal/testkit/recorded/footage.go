package recorded

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// Footage is a recording of a person with markers by one camera: what NAME.json tells, and the numbers of NAME.bin, float32, block
// after block, of each frame and of each part in their order; NaN where nothing is known.
type Footage struct {
	Name, Kind, Person, Take string
	Cam, Lag, N, W, H        int
	Rate, Focal, Height      float64
	R                        [3]keypoint.Position // rows: the camera has a place p, metres and y up, at R·p + T
	T                        keypoint.Position

	Clip *Clip // nil: of another source

	path    string
	numbers []float32
}

// The blocks of the numbers.
const (
	ByNetwork   = iota // x and y in pixels, confidence, visibility
	byMarkers          // place in metres
	projections        // of the markers in pixels
	byDepth            // place from the middle of the hips in metres, as the network guesses it
	Straight           // x and y of the network as a lens without distortion would see them, around the middle of the picture
)

// widths are how many numbers each part has in the blocks.
var widths = [...]int{ByNetwork: 4, byMarkers: 3, projections: 2, byDepth: 3, Straight: 2}

// at returns the numbers of a part in a block.
func (f *Footage) at(block, frame int, p keypoint.Part) []float64 {
	first := (frame*keypoint.NumParts + int(p)) * widths[block]
	for _, w := range widths[:block] {
		first += f.N * keypoint.NumParts * w
	}
	list := make([]float64, widths[block])
	for k := range list {
		list[k] = float64(f.numbers[first+k])
	}
	return list
}

// Load returns the recording with its numbers.
func (f Footage) Load() (*Footage, error) {
	if f.Clip != nil {
		f.show()
		return &f, nil
	}
	data, err := os.ReadFile(strings.TrimSuffix(f.path, ".json") + ".bin")
	if err != nil {
		return nil, err
	}
	if f.N < 1 || f.Rate <= 0 || len(data)/4 != f.N*keypoint.NumParts*14 {
		return nil, fmt.Errorf("%s: %d bytes for %d frames, %v a second", f.path, len(data), f.N, f.Rate)
	}
	f.numbers = make([]float32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, f.numbers)
	return &f, err
}

// show makes the numbers of a clip, as a network finds it.
func (f *Footage) show() {
	camera := f.Camera()
	found, exact := f.Clip.Seen(camera, true), f.Clip.Seen(camera, false)
	var blocks [len(widths)][]float32
	put := func(block int, numbers ...float64) {
		for _, v := range numbers {
			blocks[block] = append(blocks[block], float32(v))
		}
	}
	none := math.NaN()
	for i := range found.Frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			a, ok := found.Frames[i].At(p)
			b, w := keypoint.Point{none, none}, keypoint.Position{none, none, none}
			if at, known := exact.Frames[i].At(p); known {
				b, w = at, f.Clip.World[i][p]
			}
			if !ok {
				a = keypoint.Point{none, none}
			}
			put(ByNetwork, a[0], a[1], found.Frames[i].Confidence(p), none)
			put(byMarkers, w[:]...)
			put(projections, b[:]...)
			put(byDepth, none, none, none)
			put(Straight, a[:]...)
		}
	}
	f.numbers = nil
	for _, block := range blocks {
		f.numbers = append(f.numbers, block...)
	}
}

// Views are those from which clips are seen.
var Views = []float64{0, 30, 60, 90, 135, 180}

// Footages returns the recordings in a folder or in its folders: NAME.json with NAME.bin beside it, and clips NAME.json.gz from several views.
func Footages(folder string) (list []*Footage, err error) {
	for _, pattern := range []string{"*.json", "*/*.json", "*.json.gz"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			var more []*Footage
			if f := (&Footage{path: path}); err == nil && pattern == "*.json.gz" {
				var c *Clip
				if c, err = Read(data); err == nil {
					more = c.Footages()
				}
			} else if err == nil {
				err, more = json.Unmarshal(data, f), []*Footage{f}
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, f := range more {
				if f.Kind != "" && (f.Kind != "A" || f.Cam != 2) { // camera 2 of A is off by 28 pixels
					list = append(list, f)
				}
			}
		}
	}
	return list, nil
}

// Footages returns the recordings of a clip from the Views.
func (c *Clip) Footages() (list []*Footage) {
	for _, view := range Views {
		camera := c.Camera(view)
		list = append(list, &Footage{
			Name: fmt.Sprintf("%s_%.0f", c.Name, view), Kind: "clip", Person: c.Person, Take: c.Name, Cam: int(view), N: len(c.World), W: camera.Size.X, H: camera.Size.Y,
			Rate: 1 / c.Times[1], Focal: camera.Focal, Height: c.Height, R: [3]keypoint.Position{camera.Rotation.Row(0), camera.Rotation.Row(1), camera.Rotation.Row(2)},
			T: camera.Translation, Clip: c,
		})
	}
	return list
}

const (
	// centres are the joints whose places the markers tell.
	centres = keypoint.UpperBody | keypoint.LowerBody
	// bending are those of whose visibility networks tell something.
	bending = centres&^(1<<keypoint.LeftShoulder|1<<keypoint.RightShoulder|1<<keypoint.LeftHip|1<<keypoint.RightHip) | keypoint.Feet
)

// empty returns a sequence without keypoints.
func (f *Footage) empty() (seq keypoint.Sequence) {
	seq = keypoint.Sequence{Frames: make([]keypoint.Frame, f.N), Times: make([]float64, f.N), Size: image.Pt(f.W, f.H)}
	for i := range seq.Times {
		seq.Times[i] = float64(i) / f.Rate
	}
	return seq
}

// Found returns what the network has found, x and y out of a block, or with exact the true projections in its place. It lacks the
// nose in B, which is the true one with noise of 8 pixels: without it nobody could tell where the person faces.
func (f *Footage) Found(block int, exact bool) keypoint.Sequence {
	seq := f.empty()
	chance := rand.New(rand.NewPCG(1, uint64(f.Cam))) //nolint:gosec // the same each time
	for i := range seq.Frames {
		frame := &seq.Frames[i]
		var places keypoint.Positions
		for p := range keypoint.Part(keypoint.NumParts) {
			at, looks, depth := f.at(block, i, p), f.at(ByNetwork, i, p), f.at(byDepth, i, p)
			frame.Set(p, keypoint.Point(at[:2]), looks[2])
			if bending.Has(p) {
				frame.SetVisibility(p, looks[3])
			}
			places.Set(p, keypoint.Position(depth), 0)
			if flat := f.at(projections, i, p); exact && !math.IsNaN(flat[0]) {
				frame.Set(p, keypoint.Point(flat), 1)
			}
		}
		if nose := f.at(projections, i, keypoint.Nose); f.Kind == "B" && !exact {
			frame.Set(keypoint.Nose, keypoint.Point{nose[0] + 8*chance.NormFloat64(), nose[1] + 8*chance.NormFloat64()}, 1)
		}
		frame.SetPositions(&places)
	}
	return seq
}

// Camera returns the camera.
func (f *Footage) Camera() keypoint.Camera {
	return keypoint.Camera{
		Offset: float64(max(0, -f.Lag)) / f.Rate, Focal: f.Focal, Rotation: mgl64.Mat3FromRows(f.R[0], f.R[1], f.R[2]), Translation: f.T, Size: image.Pt(f.W, f.H),
	}
}

// Truth returns what the markers tell: the joints in space and in the picture.
func (f *Footage) Truth() *rendered.Truth {
	t := &rendered.Truth{Name: f.Name, Height: f.Height, Parts: f.empty()}
	t.Parts.Space = &keypoint.Space{Unit: keypoint.Metres, Cameras: []keypoint.Camera{}}
	camera := f.Camera()
	for i := range t.Parts.Frames {
		frame, inside := &t.Parts.Frames[i], 0.0
		var w rendered.World
		var places keypoint.Positions
		for _, p := range centres.List() {
			w[p] = keypoint.Position(f.at(byMarkers, i, p))
			places.Set(p, w[p], 0)
			at := keypoint.Point(f.at(projections, i, p))
			frame.Set(p, at, 1)
			if at[0] >= 0 && at[1] >= 0 && at[0] < float64(f.W) && at[1] < float64(f.H) {
				inside++
			}
		}
		frame.SetPositions(&places)
		t.World, t.View, t.Inside = append(t.World, w), append(t.View, viewOf(&w, camera.Eye())), append(t.Inside, inside/float64(centres.Len()))
	}
	return t
}

// viewOf returns the view of a person from a place, as in a Truth.
func viewOf(w *rendered.World, place keypoint.Position) float64 {
	left := w[keypoint.LeftHip].Sub(w[keypoint.RightHip]).Sub(w[keypoint.RightShoulder].Sub(w[keypoint.LeftShoulder]))
	forward := left.Cross(keypoint.Position{0, 1, 0})
	left = keypoint.Position{0, 1, 0}.Cross(forward)
	to := place.Sub(w[keypoint.LeftHip])
	return math.Atan2(to.Dot(left), to.Dot(forward)) * 180 / math.Pi
}
