package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// view is a recording of somebody with its camera as it truly is.
type view struct {
	name   string
	seq    keypoint.Sequence
	camera keypoint.Camera // metres
	truth  *truth.Truth    // nil for a real person
}

// group is the views of one movement: at least two.
type group struct {
	name  string
	views []view
}

// seqs returns the keypoints of the views.
func (g group) seqs() (list []keypoint.Sequence) {
	for _, v := range g.views {
		list = append(list, v.seq)
	}
	return list
}

// cameras returns the true cameras.
func (g group) cameras() (list []keypoint.Camera) {
	for _, v := range g.views {
		list = append(list, v.camera)
	}
	return list
}

// joined returns the source of what is joined, cleaned: of true keypoints with noise, if there are no others.
func (o options) joined(ctx context.Context) (read source, end func() error, err error) {
	if read, end, err = o.source(ctx); read == nil {
		read = projected(o.noise)
	}
	return cleaned(read), end, err
}

// pairs prints what several cameras make of the pairs of a folder.
func pairs(ctx context.Context, o options, folder string, out io.Writer) error {
	read, end, err := o.joined(ctx)
	if err != nil {
		return err
	}
	list, err := groups(folder, read)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	return cameras(out, list, o.table)
}

// groups reads the pairs NAME.json of a folder, and those of them that have three views or more once again with these.
func groups(folder string, read source) (list []group, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		var d struct {
			Format, Name, A, B string
			Offset             float64 `json:"offset_s"`
			More               []struct {
				Movie  string
				Offset float64 `json:"offset_s"`
			}
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if d.Format != "motion-pair/1" {
			continue
		}
		movies, offsets := []string{d.A, d.B}, []float64{0, d.Offset}
		for _, m := range d.More {
			movies, offsets = append(movies, m.Movie), append(offsets, m.Offset)
		}
		g := group{name: d.Name}
		for k, movie := range movies {
			v := view{name: strings.TrimSuffix(movie, ".mp4")}
			movie = filepath.Join(folder, movie)
			if v.truth, err = truth.Of(movie); err == nil && v.truth == nil {
				err = fs.ErrNotExist
			}
			if err == nil {
				v.seq, err = read(movie)
			}
			if errors.Is(err, fs.ErrNotExist) && k > 1 {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", movie, err)
			}
			first := v.truth
			if k > 0 {
				first = g.views[0].truth
			}
			v.camera = renderedBy(first, v.truth, offsets[k])
			g.views = append(g.views, v)
		}
		list = append(list, g)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no pair in %q", folder)
	}
	return list, nil
}

// renderedBy returns the camera of a rendered movie, which began offset seconds after the first, in the world of the first: by
// least squares over all frames and parts.
func renderedBy(first, t *truth.Truth, offset float64) keypoint.Camera {
	c := keypoint.Camera{Offset: offset, Focal: t.Focal, Size: t.Parts.Size}
	var from, to []keypoint.Position
	for i, at := range t.Parts.Times {
		j, _ := slices.BinarySearch(first.Parts.Times, at+offset)
		if j == 0 || j >= len(first.World) {
			continue
		}
		share := (at + offset - first.Parts.Times[j-1]) / (first.Parts.Times[j] - first.Parts.Times[j-1])
		for p := range keypoint.Part(keypoint.NumParts) {
			a, b := first.World[j-1][p], first.World[j][p]
			from, to = append(from, a.Add(b.Sub(a).Mul(share))), append(to, t.Seen[i][p])
		}
	}
	c.Rotation, c.Translation = rigid(from, to)
	return c
}

// rigid returns the rotation and the translation that bring one list of points to another, by least squares (Arun, Huang
// and Blostein, IEEE PAMI 9, 1987, 698–700).
func rigid(from, to []keypoint.Position) (r mgl64.Mat3, t keypoint.Position) {
	var a, b keypoint.Position
	for k := range from {
		a, b = a.Add(from[k].Mul(1/float64(len(from)))), b.Add(to[k].Mul(1/float64(len(to))))
	}
	h := mat.NewDense(3, 3, nil)
	for k := range from {
		for i := range 3 {
			for j := range 3 {
				h.Set(i, j, h.At(i, j)+(to[k][i]-b[i])*(from[k][j]-a[j]))
			}
		}
	}
	var svd mat.SVD
	svd.Factorize(h, mat.SVDFull)
	var u, v, m mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	m.Mul(&u, mat.NewDiagDense(3, []float64{1, 1, math.Copysign(1, mat.Det(&u)*mat.Det(&v))}))
	m.Mul(&m, v.T())
	for i := range 3 {
		for j := range 3 {
			r.Set(i, j, m.At(i, j))
		}
	}
	return r, b.Sub(r.Mul3x1(a))
}

// turned returns the angle of a rotation in degrees.
func turned(r mgl64.Mat3) float64 {
	return math.Acos(min(max((r.Trace()-1)/2, -1), 1)) * 180 / math.Pi
}

// projected returns a function that reads the true projections of a rendered movie, with noise of so many pixels, the same each
// time.
func projected(noise float64) source {
	return func(movie string) (keypoint.Sequence, error) {
		t, err := truth.Of(movie)
		if err == nil && t == nil {
			err = fmt.Errorf("%s: nothing is known of it", movie)
		}
		if err != nil {
			return keypoint.Sequence{}, err
		}
		chance := rand.New(rand.NewPCG(1, uint64(len(movie)))) //nolint:gosec // the same each time
		for i := range t.Parts.Frames {
			f := &t.Parts.Frames[i]
			for _, p := range f.Present().List() {
				at, _ := f.At(p)
				f.Set(p, at.Add(keypoint.Point{noise * chance.NormFloat64(), noise * chance.NormFloat64()}), 1)
			}
		}
		return t.Parts, nil
	}
}
