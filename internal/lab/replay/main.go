// Command replay chooses when the members of an ensemble are asked. It records once what every network
// sees in each frame of movies, and then replays policies through the real inference.Extract and
// inference/ensemble, which takes seconds:
//
//	go run ./internal/lab/replay -movies FOLDER -looks LOOKS
//
// The networks look where pose.Balanced follows the person, so that a policy which loses the person
// elsewhere is replayed less exactly; internal/lab/eval runs the one that is chosen. LOOKS keeps the
// looks; delete a file there to record it again. The movies are those of internal/lab/eval.
//
// The table has for each policy, over the even and the odd movies by name: its cost in multiples of
// BlazePose full alone, the shares of frames in which each member was asked, the shares of parts within
// 0.2 and within 0.1 torso lengths of the reference before cleaning, the exchanged pairs before and
// after it, the root mean square of the knee's error after cleaning, without each movie's bias, and the
// jitter before it.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint/clean"
)

func main() {
	var movies, looks, only string
	var each bool
	flag.StringVar(&movies, "movies", "", "`folders` of movies with references, separated by commas")
	flag.StringVar(&looks, "looks", "", "`folder` of recorded looks")
	flag.StringVar(&only, "only", "", "only policies that contain this `text`")
	flag.BoolVar(&each, "each", false, "print every movie")
	flag.Parse()
	if err := run(context.Background(), strings.Split(movies, ","), looks, only, each, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, looks, only string, each bool, out io.Writer) error {
	if err := os.MkdirAll(looks, 0o777); err != nil {
		return err
	}
	var clips []evaldata.Clip
	for _, folder := range folders {
		c, err := evaldata.Clips(folder)
		if err != nil {
			return err
		}
		clips = append(clips, c...)
	}
	slices.SortFunc(clips, func(a, b evaldata.Clip) int { return cmp.Compare(a.Name, b.Name) })
	var open *networks
	films := make([]*film, len(clips))
	for i, c := range clips {
		var err error
		films[i], err = readFilm(looks, c.Name)
		if errors.Is(err, fs.ErrNotExist) {
			if open == nil {
				if open, err = openNetworks(); err != nil {
					return err
				}
			}
			fmt.Fprintln(os.Stderr, c.Name)
			if films[i], err = record(ctx, open, c.Path); err == nil {
				err = films[i].write(looks, c.Name)
			}
		}
		if err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "policy\tmovies\tcost\tasked\twithin .2\t.1\texchanged\tcleaned\tknee\tjitter")
	for _, p := range policies {
		if !strings.Contains(p.name, only) {
			continue
		}
		halves := [3]tally{}
		for i := range clips {
			if clips[i].Reference == nil {
				continue
			}
			t, err := replay(ctx, p, films[i], &clips[i])
			if err != nil {
				return fmt.Errorf("%s: %w", clips[i].Name, err)
			}
			if each {
				t.print(w, p.name, clips[i].Name)
			}
			halves[i%2] = halves[i%2].plus(t)
			halves[2] = halves[2].plus(t)
		}
		for i, name := range []string{"even", "odd", "all"} {
			halves[i].print(w, p.name, name)
		}
	}
	return w.Flush()
}

// tally is what a policy did in movies.
type tally struct {
	movies, frames     int
	cost               float64
	asked              map[string]int
	within, close      evalpose.Values
	exchanged, cleaned evalpose.Share
	knee, jitter       evalpose.Values
}

func (t tally) plus(o tally) tally {
	sum := map[string]int{}
	for _, asked := range []map[string]int{t.asked, o.asked} {
		for name, n := range asked {
			sum[name] += n
		}
	}
	return tally{t.movies + o.movies, t.frames + o.frames, t.cost + o.cost, sum, append(t.within, o.within...), append(t.close, o.close...),
		t.exchanged.Plus(o.exchanged), t.cleaned.Plus(o.cleaned), append(t.knee, o.knee...), append(t.jitter, o.jitter...)}
}

func (t tally) print(w io.Writer, policy, movies string) {
	var asked []string
	for _, name := range []string{"full", "lightning", "thunder", "multipose"} {
		asked = append(asked, fmt.Sprintf("%s %.2f", name[:1], float64(t.asked[name])/float64(t.frames)))
	}
	within, _ := t.within.Mean()
	close, _ := t.close.Mean()
	knee, _ := t.knee.RMS()
	jitter, _ := t.jitter.Mean()
	fmt.Fprintf(w, "%s\t%s\t%.2f\t%s\t%.4f\t%.4f\t%d/%d\t%d/%d\t%.2f\t%.4f\n", policy, movies, t.cost/float64(t.frames), strings.Join(asked, " "),
		within, close, t.exchanged.Count, t.exchanged.Of, t.cleaned.Count, t.cleaned.Of, knee, jitter)
}

// costs are the processor time of a look in multiples of one of BlazePose full with the rest of a frame's work.
var costs = map[string]float64{"full": 1, "lightning": 0.45, "thunder": 1.7, "multipose": 1.8, "thunder-mirrored": 1.65, "lightning-mirrored": 0.5}

func replay(ctx context.Context, p policy, f *film, c *evaldata.Clip) (t tally, err error) {
	asked := &count{times: map[string]int{}}
	network, err := p.network(f, asked)
	if err != nil {
		return t, err
	}
	est := inference.TopDown{Network: network, Finder: finder{f, asked}}
	grey := &image.Gray{Pix: make([]byte, f.Size.X), Rect: image.Rectangle{Max: f.Size}}
	found, err := inference.Extract(ctx, &replayed{film: f, grey: grey}, est, inference.ExtractOptions{Feet: true})
	if err != nil {
		return t, err
	}
	t = tally{movies: 1, frames: len(f.Times), asked: asked.times}
	for name, n := range asked.times {
		t.cost += costs[name] * float64(n)
	}
	pairs, err := evalpose.Match(*c.Reference, found, 0)
	if err != nil {
		return t, err
	}
	cleaned, _, err := clean.Run(found, clean.Default())
	if err != nil {
		return t, err
	}
	within, _ := evalpose.Agreement(*c.Reference, found, pairs, .2).Value()
	close, _ := evalpose.Agreement(*c.Reference, found, pairs, .1).Value()
	if j, ok := evalpose.Jitter(found); ok {
		t.jitter = evalpose.Values{j}
	}
	t.within, t.close = evalpose.Values{within}, evalpose.Values{close}
	t.exchanged, _ = evalpose.Exchanged(*c.Reference, found, pairs)
	t.cleaned, _ = evalpose.Exchanged(*c.Reference, cleaned, pairs)
	if c.Truth != nil {
		for _, a := range evalpose.Angles() {
			if !strings.HasSuffix(a.Name, "knee") {
				continue
			}
			errors := evalpose.AngleErrors(c.Truth, cleaned, pairs, a)
			bias, _ := errors.Mean()
			for _, e := range errors {
				t.knee = append(t.knee, e-bias)
			}
		}
	}
	return t, nil
}
