// Command races times the extraction of a 720p movie by this module and by other programs on the
// same cores: MediaPipe Pose, rtmlib, and a plain loop of OpenCV and onnxruntime with the networks
// of this module. They take turns in rounds, so that other load affects all of them.
//
//	python3 -m venv venv && venv/bin/pip install mediapipe==0.10.14 rtmlib==0.0.16 onnxruntime onnx
//	go run ./internal/lab/races -movie walk.mp4 -python venv/bin/python
//
// The movie is first converted to H.264 with 720 lines and at most -frames frames. The time is from
// opening that file to its last keypoints; the networks are loaded before. Programs that are not
// installed are reported and left out. rtmlib's networks cannot be installed with it: -detector and
// -pose name their files; without them it runs the same architectures with random weights, which
// take the same time.
//
// With -movies, -annotations or both, accuracy is measured too:
//
//	go run ./internal/lab/races -movie walk.mp4 -movies videos -annotations 'pictures/*/annotations.json'
//
// Movies and labels are those of internal/lab/eval. Each program is asked for its keypoints as it gives
// them by default, uncleaned; a program that tells of a part that it is not sure of is not punished
// for it, and one that does not tell has not found it. rtmlib is not asked: it finds several people.
//
// The table has the frames per second of the best round; the lowest CPU time per frame, over all
// cores, which is more meaningful on a busy machine; and how many times faster Balanced and Fast
// were: median, minimum and maximum over the rounds. Then follow the share of parts that agree with
// the reference of a movie, within 0.2 and within 0.1 torso lengths, in the mean over the movies;
// COCO's average recall of the dominant person in each set of pictures; and in how many of its
// pictures without people somebody was found. A second table has the agreement in each movie.
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
	"strings"
	"text/tabwriter"
)

func main() {
	var o options
	flag.StringVar(&o.movie, "movie", "", "movie `file`; required")
	flag.StringVar(&o.python, "python", "python3", "Python `interpreter` with the other programs installed; \"\" for none")
	flag.IntVar(&o.frames, "frames", 120, "maximum number of frames")
	flag.IntVar(&o.rounds, "rounds", 5, "number of rounds")
	flag.StringVar(&o.detector, "detector", "", "`file` of rtmlib's YOLOX-m; needs -pose")
	flag.StringVar(&o.pose, "pose", "", "`file` of rtmlib's RTMPose-m; needs -detector")
	flag.StringVar(&o.only, "only", "", "only run other programs whose names contain this `text`, for example MediaPipe")
	flag.StringVar(&o.movies, "movies", "", "`folder` of movies and their reference keypoints")
	flag.StringVar(&o.annotations, "annotations", "", "`file` of labels, or a quoted pattern for several")
	flag.StringVar(&o.library, "library", "", "`path` of onnxruntime (default: found by package movenet)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, choices(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

type options struct {
	movie, python, only, detector, pose, library string
	movies, annotations                          string
	frames, rounds                               int
}

func (o options) check() error {
	switch {
	case o.movie == "":
		return fmt.Errorf("-movie is missing")
	case o.frames < 1 || o.rounds < 1:
		return fmt.Errorf("-frames is %d and -rounds is %d, want 1 or more", o.frames, o.rounds)
	case (o.detector == "") != (o.pose == ""):
		return fmt.Errorf("-detector and -pose are given together or not at all")
	}
	return nil
}

// run runs all rounds and writes the table to out. There are two or more of ours.
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
	movie := filepath.Join(dir, "movie.mp4")
	if err := make720p(ctx, o.movie, movie, o.frames); err != nil {
		return err
	}
	racers, err := enter(ctx, o, ours, dir, movie, out)
	defer func() {
		for _, r := range racers {
			r.close()
		}
	}()
	if err != nil {
		return err
	}
	laps := make([][]lap, len(racers))
	for round := range o.rounds {
		for i, r := range racers {
			l, err := r.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			laps[i] = append(laps[i], l)
			if n := laps[0][0].frames; l.frames != n || n == 0 {
				return fmt.Errorf("%s found %d frames in the movie, %s %d", r.name, l.frames, racers[0].name, n)
			}
			fmt.Fprintf(os.Stderr, "round %d: %s: %.1f frames/s\n", round+1, r.name, float64(l.frames)/l.took.Seconds())
		}
	}
	all, err := e.measure(ctx, racers)
	if err != nil {
		return err
	}
	if err := table(out, racers, laps, &e, all); err != nil {
		return err
	}
	return e.writeClips(out, racers, all)
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

// table writes the results; the other programs are compared with the first two.
func table(out io.Writer, racers []*racer, laps [][]lap, e *examined, all []scores) error {
	frames := laps[0][0].frames
	fmt.Fprintf(out, "%d frames, %d rounds, %d cores\n", frames, len(laps[0]), runtime.NumCPU())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(append([]string{"", "frames/s", "ms of cores", racers[0].name, racers[1].name}, e.headers()...), "\t"))
	for i, r := range racers {
		took, cpu := laps[i][0].took, laps[i][0].cpu
		for _, l := range laps[i] {
			took, cpu = min(took, l.took), min(cpu, l.cpu)
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f", r.name, float64(frames)/took.Seconds(), 1000*cpu.Seconds()/float64(frames))
		for ours := range 2 {
			if i != ours {
				fmt.Fprintf(w, "\t%s", faster(laps[ours], laps[i]))
			} else {
				fmt.Fprint(w, "\t")
			}
		}
		for _, cell := range e.cells(&all[i]) {
			fmt.Fprintf(w, "\t%s", cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// faster returns how many times faster a is than b.
func faster(a, b []lap) string {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = float64(b[i].took) / float64(a[i].took)
	}
	slices.Sort(ratios)
	n := len(ratios)
	return fmt.Sprintf("%.2f × (%.2f–%.2f)", (ratios[(n-1)/2]+ratios[n/2])/2, ratios[0], ratios[n-1])
}
