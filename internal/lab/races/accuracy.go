package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// agreements are the distances of an agreement in torso lengths.
var agreements = [2]float64{0.2, 0.1}

// scores are how accurate a racer was.
type scores struct {
	clips []clipScore // of each movie
	sets  []setScore  // nil if not measured
}

// clipScore is the result in a movie. The zero value stands for one that is not measured.
type clipScore struct {
	agreement [len(agreements)]evalpose.Share // with the reference, within each of the distances
	exchanged evalpose.Share                  // pairs after cleaning
}

// setScore is the result on labelled pictures.
type setScore struct {
	recall *float64       // COCO's average recall of dominant people; nil if there are none
	empty  evalpose.Share // pictures with nobody in which somebody was found
}

// examined are the movies of the races, and the pictures on which accuracy is measured.
type examined struct {
	clips []evaldata.Clip
	sets  []evaldata.Set
}

// exam reads them.
func exam(o options) (e examined, err error) {
	if e.sets, err = evaldata.Sets(o.annotations, "", 0); err != nil {
		return e, err
	}
	for _, movies := range o.movies {
		clips, err := evaldata.Clips(movies)
		if err != nil {
			return e, err
		}
		e.clips = append(e.clips, clips...)
	}
	return e, nil
}

// measure measures the accuracy of every racer that tells its keypoints. The times of frames are
// those that the first racer tells.
func (e *examined) measure(ctx context.Context, racers []*racer, movies bool) ([]scores, error) {
	all := make([]scores, len(racers))
	times := make([][]float64, len(e.clips))
	for i, r := range racers {
		s := &all[i]
		s.clips = make([]clipScore, len(e.clips))
		if r.look == nil {
			continue
		}
		for k := range e.clips {
			c := &e.clips[k]
			if !movies || c.Reference == nil {
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
			if s.clips[k], err = compare(*c.Reference, found); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.name, c.Path, err)
			}
		}
		for k := range e.sets {
			fmt.Fprintf(os.Stderr, "%s: %s\n", r.name, e.sets[k].Name)
			score, err := pictures(ctx, r, &e.sets[k])
			if err != nil {
				return nil, err
			}
			s.sets = append(s.sets, score)
		}
	}
	return all, nil
}

// compare compares what was found in a movie with its reference.
func compare(reference, found keypoint.Sequence) (s clipScore, err error) {
	pairs, err := evalpose.Match(reference, found, 0)
	if err != nil {
		return s, err
	}
	for d, within := range agreements {
		s.agreement[d] = evalpose.Agreement(reference, found, pairs, within)
	}
	cleaned, _, err := clean.Run(found, clean.Default())
	if err == nil {
		s.exchanged, _ = evalpose.Exchanged(reference, cleaned, pairs)
	}
	return s, err
}

// pictures measures a racer on labelled pictures.
func pictures(ctx context.Context, r *racer, set *evaldata.Set) (s setScore, err error) {
	var judged []evalpose.Picture
	var empty evalpose.FalsePositives
	for i := range set.Pictures {
		l := &set.Pictures[i]
		found, err := r.look(ctx, set.Path(i), true)
		if err == nil && found.Len() != 1 {
			err = fmt.Errorf("%d frames", found.Len())
		}
		if err != nil {
			return s, fmt.Errorf("%s: %s: %w", r.name, set.Path(i), err)
		}
		body := found.Frames[0].Only(keypoint.Body)
		empty = empty.Plus(l, &body)
		if p, ok := evalpose.Single(l, &body); ok {
			judged = append(judged, p)
		}
	}
	s.empty = empty.Pictures
	if p, ok := evalpose.AveragePrecision(judged, evalpose.AllSizes); ok {
		s.recall = &p.AR
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
			recall, empty := "-", "-"
			if s.recall != nil {
				recall = fmt.Sprintf("%.3f", *s.recall)
			}
			if s.empty.Of > 0 {
				empty = fmt.Sprintf("%d/%d", s.empty.Count, s.empty.Of)
			}
			fmt.Fprintf(w, "\t%s\t%s", recall, empty)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
