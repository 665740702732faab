package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// agreements are the distances of an agreement in torso lengths.
var agreements = [2]float64{0.2, 0.1}

// scores are how accurate a racer was. The zero value stands for one that is not measured.
type scores struct {
	clips []agreement // nil if not measured
	sets  []setScore
}

// agreement is that with the reference of a movie, within each of the distances.
type agreement [len(agreements)]evalpose.Share

// setScore is the result on labelled pictures.
type setScore struct {
	recall *float64       // COCO's average recall of dominant people; nil if there are none
	empty  evalpose.Share // pictures with nobody in which somebody was found
}

// examined are the movies and pictures on which accuracy is measured.
type examined struct {
	clips []evaldata.Clip // all with a reference
	sets  []evaldata.Set
}

// exam reads what is examined.
func exam(o options) (e examined, err error) {
	if e.sets, err = evaldata.Sets(o.annotations, "", 0); err != nil {
		return e, err
	}
	clips, err := evaldata.Clips(o.movies)
	e.clips = slices.DeleteFunc(clips, func(c evaldata.Clip) bool { return c.Reference == nil })
	return e, err
}

// measure measures the accuracy of every racer that tells its keypoints. The times of frames are
// those that the first racer tells.
func (e *examined) measure(ctx context.Context, racers []*racer) ([]scores, error) {
	all := make([]scores, len(racers))
	times := make([][]float64, len(e.clips))
	for i, r := range racers {
		if r.look == nil {
			continue
		}
		s := &all[i]
		s.clips = make([]agreement, len(e.clips))
		for k := range e.clips {
			c := &e.clips[k]
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
			pairs, err := evalpose.Match(*c.Reference, found, 0)
			if err != nil {
				return nil, err
			}
			for d, within := range agreements {
				s.clips[k][d] = evalpose.Agreement(*c.Reference, found, pairs, within)
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

// headers are the names of the columns of cells.
func (e *examined) headers() (names []string) {
	if len(e.clips) > 0 {
		names = append(names, fmt.Sprintf("agreement@%v", agreements[0]), fmt.Sprintf("@%v", agreements[1]))
	}
	for _, s := range e.sets {
		if slices.ContainsFunc(s.Pictures, func(l evalpose.Labelled) bool { return l.Dominant >= 0 }) {
			names = append(names, "AR "+s.Name)
		}
		if slices.ContainsFunc(s.Pictures, func(l evalpose.Labelled) bool { return l.Nobody() }) {
			names = append(names, "somebody in "+s.Name)
		}
	}
	return names
}

// cells are the results of a racer, a cell for each of the headers. The agreement is the mean over
// the movies.
func (e *examined) cells(s *scores) (cells []string) {
	if s.clips == nil {
		return slices.Repeat([]string{"-"}, len(e.headers()))
	}
	if len(e.clips) > 0 {
		for d := range agreements {
			var each evalpose.Values
			for _, c := range s.clips {
				if v, ok := c[d].Value(); ok {
					each = append(each, v)
				}
			}
			mean, _ := each.Mean()
			cells = append(cells, fmt.Sprintf("%.3f", mean))
		}
	}
	for _, set := range s.sets {
		if set.recall != nil {
			cells = append(cells, fmt.Sprintf("%.3f", *set.recall))
		}
		if set.empty.Of > 0 {
			cells = append(cells, fmt.Sprintf("%d/%d", set.empty.Count, set.empty.Of))
		}
	}
	return cells
}

// writeClips writes the agreement of each racer with each movie.
func (e *examined) writeClips(out io.Writer, racers []*racer, all []scores) error {
	if len(e.clips) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\nagreement within %v / %v torso lengths\n", agreements[0], agreements[1])
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, r := range racers {
		if all[i].clips != nil {
			fmt.Fprintf(w, "\t%s", r.name)
		}
	}
	fmt.Fprintln(w)
	for k, c := range e.clips {
		fmt.Fprint(w, c.Name)
		for i := range racers {
			if all[i].clips == nil {
				continue
			}
			near, _ := all[i].clips[k][0].Value()
			close, _ := all[i].clips[k][1].Value()
			fmt.Fprintf(w, "\t%.3f / %.3f", near, close)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
