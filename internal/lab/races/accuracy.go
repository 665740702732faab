package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// scores are how accurate a racer was.
type scores struct {
	clips []score.Movie    // of each movie; the zero value stands for one that is not measured
	sets  []score.Pictures // nil if not measured
}

// examined are the movies of the races, and the pictures on which accuracy is measured.
type examined struct {
	clips []truth.Recording
	sets  []truth.Set
}

// exam reads them.
func exam(o options) (e examined, err error) {
	if e.sets, err = truth.Sets(o.annotations); err != nil {
		return e, err
	}
	for _, movies := range o.movies {
		clips, err := truth.Recordings(movies)
		if err != nil {
			return e, err
		}
		e.clips = append(e.clips, clips...)
	}
	return e, nil
}

// measure measures the accuracy of every racer that tells its keypoints. The times of frames are
// those that the first racer tells.
func (e *examined) measure(ctx context.Context, racers []*racer) ([]scores, error) {
	all := make([]scores, len(racers))
	times := make([][]float64, len(e.clips))
	for i, r := range racers {
		s := &all[i]
		s.clips = make([]score.Movie, len(e.clips))
		if r.look == nil {
			continue
		}
		for k := range e.clips {
			c := &e.clips[k]
			if c.Truth == nil {
				continue
			}
			fmt.Fprintf(os.Stderr, "%s: %s\n", r.name, c.Name)
			found, err := r.look(ctx, c.Path, false)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.name, c.Path, err)
			}
			if i == 0 {
				times[k] = found.Times
			}
			if found.Len() != len(times[k]) {
				return nil, fmt.Errorf("%s found %d frames in %s, %s %d", r.name, found.Len(), c.Path, racers[0].name, len(times[k]))
			}
			found.Times = times[k]
			if s.clips[k], err = score.Judge(c.Truth, found); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.name, c.Path, err)
			}
		}
		for k := range e.sets {
			fmt.Fprintf(os.Stderr, "%s: %s\n", r.name, e.sets[k].Name)
			found, err := pictures(ctx, r, &e.sets[k])
			if err != nil {
				return nil, err
			}
			s.sets = append(s.sets, found)
		}
	}
	return all, nil
}

// pictures measures a racer on labelled pictures.
func pictures(ctx context.Context, r *racer, set *truth.Set) (s score.Pictures, err error) {
	for i := range set.Pictures {
		l := &set.Pictures[i]
		found, err := r.look(ctx, l.Image, true)
		if err == nil && found.Len() != 1 {
			err = fmt.Errorf("%d frames", found.Len())
		}
		if err != nil {
			return s, fmt.Errorf("%s: %s: %w", r.name, l.Image, err)
		}
		body := found.Frames[0].Only(keypoint.Body)
		s.Add(l, &body)
	}
	return s, nil
}

// decode reads the keypoints that a script answers: for each frame 17 times x, y and score in the
// order of COCO, or nothing for nobody.
func decode(line []byte) (seq keypoint.Sequence, err error) {
	var frames [][][3]float64
	if err := json.Unmarshal(line, &frames); err != nil {
		return seq, err
	}
	for i, points := range frames {
		if n := len(points); n != 0 && n != keypoint.NumBody {
			return seq, fmt.Errorf("frame %d has %d points, want 17 or none", i, n)
		}
		var f keypoint.Frame
		for p, v := range points {
			f.Set(keypoint.Part(p), keypoint.Point{v[0], v[1]}, v[2])
		}
		seq.Frames = append(seq.Frames, f)
	}
	return seq, nil
}

// writeSets writes a line for each racer that tells keypoints.
func (e *examined) writeSets(out io.Writer, racers []*racer, all []scores) error {
	if len(e.sets) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w)
	for _, s := range e.sets {
		fmt.Fprintf(w, "\tAR %s\tsomebody", s.Name)
	}
	fmt.Fprintln(w)
	for i, r := range racers {
		if all[i].sets == nil {
			continue
		}
		fmt.Fprint(w, r.name)
		for _, s := range all[i].sets {
			recall := "-"
			if p, ok := score.AveragePrecision(s.Judged); ok {
				recall = fmt.Sprintf("%.3f", p.AR)
			}
			fmt.Fprintf(w, "\t%s\t%v", recall, s.Empty)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
