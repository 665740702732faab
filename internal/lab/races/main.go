// Command races times the extraction of movies by this module and by other programs on the same cores:
// MediaPipe Pose, rtmlib, and a plain loop of OpenCV and onnxruntime with the networks of this module. They
// take turns in rounds, so that other load affects all of them.
//
//	python3 -m venv venv && venv/bin/pip install mediapipe==0.10.14 rtmlib==0.0.16 onnxruntime onnx
//	go run ./internal/lab/races -python venv/bin/python MOVIE-OR-FOLDER...
//
// Each movie is first converted to H.264 with 720 lines and at most
// -frames frames. The time is from opening that file to its last keypoints; the networks are loaded before.
// Programs that are not installed are reported and left out. rtmlib's networks cannot be installed with it:
// -detector and -pose name their files; without them it runs the same architectures with random weights,
// which take the same time.
//
// Accuracy is measured too: on the whole movies as they are, where a reference or the
// truth lies beside them, and with -annotations on labelled pictures. Movies and labels are those of
// internal/lab/proof. Each program is asked for its keypoints as it gives them by default; a program that tells
// of a part that it is not sure of is not punished for it, and one that does not tell has not found it. rtmlib
// is not asked: it finds several people.
//
// With -job the whole job is timed instead of that: the tool of this module, from its start to the keypoints, the analysis, the report
// and the drawn movie, beside MediaPipe's keypoints and a movie drawn by its own solution and written by OpenCV.
//
// For each movie the table has the frames per second of the best round; the lowest CPU time per frame, over
// all cores, which is more meaningful on a busy machine; how many times MediaPipe's frames per second and its CPU
// time these are, the median over the rounds; and the share of parts that agree with the reference within 0.2 and
// within 0.1 torso lengths. The last rows are of all movies: the least of MediaPipe's frames per second and the
// most of the CPU times, and the mean agreement. A second table has COCO's average recall of the dominant
// person in each set of pictures, and in how many of its pictures without people somebody was found.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
)

func main() {
	var o options
	flag.StringVar(&o.python, "python", "python3", "Python `interpreter` with the other programs installed; \"\" for none")
	flag.IntVar(&o.frames, "frames", 120, "maximum number of frames of each movie in the race")
	flag.IntVar(&o.rounds, "rounds", 5, "number of rounds")
	flag.StringVar(&o.detector, "detector", "", "`file` of rtmlib's YOLOX-m; needs -pose")
	flag.StringVar(&o.pose, "pose", "", "`file` of rtmlib's RTMPose-m; needs -detector")
	flag.StringVar(&o.only, "only", "", "only run other programs whose names contain this `text`, for example "+mediaPipe)
	flag.BoolVar(&o.job, "job", false, "race for the whole job: keypoints, what is made of them, and the drawn movie")
	flag.StringVar(&o.annotations, "annotations", "", "`file` of labels, or a quoted pattern for several")
	flag.Parse()
	o.movies = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, choices(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

type options struct {
	python, only, detector, pose string
	movies                       []string
	annotations                  string
	frames, rounds               int
	job                          bool
}

func (o options) check() error {
	switch {
	case len(o.movies) == 0:
		return fmt.Errorf("there is no movie: name movies, or folders with movies, after the flags")
	case o.frames < 1 || o.rounds < 1:
		return fmt.Errorf("-frames is %d and -rounds is %d, want 1 or more", o.frames, o.rounds)
	case (o.detector == "") != (o.pose == ""):
		return fmt.Errorf("-detector and -pose are given together or not at all")
	}
	return nil
}

// run runs all rounds and writes the tables to out.
func run(ctx context.Context, o options, ours []choice, out io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	e, err := exam(o)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "motion-races")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	paths := make([]string, len(e.clips))
	for k := range e.clips {
		paths[k] = filepath.Join(dir, fmt.Sprintf("movie%d.mp4", k))
		if err := make720p(ctx, e.clips[k].Path, paths[k], o.frames); err != nil {
			return err
		}
	}
	racers, err := enter(ctx, o, ours, dir, paths[0], out)
	defer func() {
		for _, r := range racers {
			r.close()
		}
	}()
	if err != nil {
		return err
	}
	racing := racers
	if o.job {
		if racing, err = jobs(ctx, racers, dir); err != nil {
			return err
		}
	}
	races := make([]race, len(paths))
	for k, path := range paths {
		if races[k], err = hold(ctx, racing, path, o.rounds, e.clips[k].Name); err != nil {
			return err
		}
	}
	all, err := e.measure(ctx, racing)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d movies, at most %d frames each, %d rounds, %d cores\n", len(races), o.frames, o.rounds, runtime.NumCPU())
	if err := table(out, racing, races, all); err != nil {
		return err
	}
	return e.writeSets(out, racing, all)
}

// hold lets all racers go through a movie in turn, in every second round from the last to the first.
func hold(ctx context.Context, racers []*racer, path string, rounds int, name string) (r race, err error) {
	r = race{name: name, laps: make([][]lap, len(racers))}
	for round := range rounds {
		order := slices.Clone(racers)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, racer := range order {
			l, err := racer.run(ctx, path)
			if err != nil {
				return r, fmt.Errorf("%s: %s: %w", racer.name, name, err)
			}
			i := slices.Index(racers, racer)
			r.laps[i] = append(r.laps[i], l)
			fmt.Fprintf(os.Stderr, "%s, round %d: %s: %.1f frames/s\n", name, round+1, racer.name, float64(l.frames)/l.took.Seconds())
		}
	}
	for i, racer := range racers {
		if n, want := r.laps[i][0].frames, r.laps[0][0].frames; n != want || n == 0 {
			return r, fmt.Errorf("%s found %d frames in %s, %s %d", racer.name, n, name, racers[0].name, want)
		}
	}
	return r, nil
}

// make720p converts the movie to H.264 with 720 lines.
func make720p(ctx context.Context, from, to string, frames int) error {
	cmd := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-loglevel", "error", "-i", from, "-an", "-frames:v", fmt.Sprint(frames),
		"-vf", "scale='if(gt(iw,ih),-2,720)':'if(gt(iw,ih),720,-2)'", "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p", to)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg cannot convert %s to 720 lines: %w: %s", from, err, text)
	}
	return nil
}
