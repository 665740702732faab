package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/internal/lab/internal/estimators"
	"github.com/bodymotion/motion/keypoint"
)

//go:embed *.py
var scripts embed.FS

// racer processes a movie once per run.
type racer struct {
	name string
	run  func(ctx context.Context, path string) (lap, error)
	// look finds the keypoints of another movie or of a picture; nil if it cannot tell them.
	look func(ctx context.Context, path string, picture bool) (keypoint.Sequence, error)
	// draw does the same as run, and writes the movie with what was found drawn onto it; nil if it does not draw.
	draw  func(ctx context.Context, path, to string) (lap, error)
	close func()
}

const mediaPipe = "MediaPipe Pose, full"

// lap is one run over a movie.
type lap struct {
	frames    int
	took, cpu time.Duration // cpu is summed over all cores
}

// choice is an estimator of this module by name.
type choice struct {
	name string
	open func() (estimators.Estimator, error)
}

// choices are the estimators of package pose.
func choices() (list []choice) {
	for _, name := range []string{"Balanced", "Fast", "Accurate"} {
		list = append(list, choice{name, func() (estimators.Estimator, error) { return estimators.Open(strings.ToLower(name), 0, 0) }})
	}
	return list
}

// enter prepares all installed racers, this module's estimators first, and reports the missing ones on
// out. The others look at a few frames of the movie first. The caller closes what enter returns, even with an error.
func enter(ctx context.Context, o options, ours []choice, dir, movie string, out io.Writer) ([]*racer, error) {
	var racers []*racer
	for _, c := range ours {
		est, err := c.open()
		if err != nil {
			return racers, err
		}
		racers = append(racers, extraction(c.name, est))
	}
	if o.python == "" {
		return racers, nil
	}
	if err := os.CopyFS(dir, scripts); err != nil {
		return racers, err
	}
	networks := []movenet.Model{thunder.Model(), lightning.Model()}
	for _, m := range networks {
		if err := os.WriteFile(filepath.Join(dir, m.Name+".onnx"), m.ONNX, 0o666); err != nil {
			return racers, err
		}
	}
	var files []string
	weights := ", random weights"
	if o.detector != "" {
		files, weights = []string{o.detector, o.pose}, ""
	}
	others := [][]string{{mediaPipe, "mediapipe_pose.py", movie}}
	for _, every := range []string{"1", "10"} {
		name := fmt.Sprintf("rtmlib balanced, detecting in every %sth frame%s", every, weights)
		if every == "1" {
			name = fmt.Sprintf("rtmlib balanced%s", weights)
		}
		others = append(others, append([]string{name, "rtmlib_body.py", movie, every}, files...))
	}
	for _, m := range networks {
		others = append(others, []string{"OpenCV + onnxruntime loop, " + m.Name, "plain_loop.py", movie, filepath.Join(dir, m.Name+".onnx"), fmt.Sprint(m.Size)})
	}
	for _, other := range others {
		if !strings.Contains(other[0], o.only) {
			continue
		}
		r, err := script(ctx, o.python, other[0], append([]string{filepath.Join(dir, other[1])}, other[2:]...))
		if err != nil {
			fmt.Fprintf(out, "%s does not take part: %v\n", other[0], err)
			continue
		}
		racers = append(racers, r)
	}
	return racers, nil
}

// extraction is the racer of this module.
func extraction(name string, est estimators.Estimator) *racer {
	x := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}, FindOptions: motion.FindOptions{Uncleaned: true}}
	look := func(ctx context.Context, path string, _ bool) (keypoint.Sequence, error) {
		seq, _, err := x.File(ctx, path)
		return seq, err
	}
	return &racer{
		name: name, close: func() { est.Close() }, look: look,
		run: func(ctx context.Context, path string) (lap, error) {
			start, used := time.Now(), cpu.Time()
			seq, err := look(ctx, path, false)
			return lap{seq.Len(), time.Since(start), cpu.Time() - used}, err
		},
	}
}

// script is a program in Python that answers as contestant.py says. An error says why it
// cannot take part.
func script(ctx context.Context, python, name string, args []string) (*racer, error) {
	cmd := exec.CommandContext(ctx, python, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; -python names another interpreter, -python \"\" none", err)
	}
	answers := bufio.NewReader(pipe)
	answer := func() (string, error) {
		line, err := answers.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("it stopped (%v): %s", cmd.Wait(), complaints.Bytes())
		}
		return line, nil
	}
	ask := func(order string) (string, error) {
		if _, err := fmt.Fprintln(in, order); err != nil {
			return "", err
		}
		return answer()
	}
	goes := func(order string) (l lap, err error) {
		line, err := ask(order)
		if err != nil {
			return l, err
		}
		if _, err := fmt.Sscan(line, &l.frames, (*int64)(&l.took), (*int64)(&l.cpu)); err != nil {
			return l, fmt.Errorf("it printed %q: %w", line, err)
		}
		return l, nil
	}
	r := &racer{
		name: name,
		run:  func(_ context.Context, path string) (lap, error) { return goes("go " + path) },
		close: func() {
			in.Close()
			cmd.Wait()
		},
	}
	line, err := answer()
	if err != nil {
		return nil, err
	}
	line = strings.TrimSpace(line)
	if why, ok := strings.CutPrefix(line, "not ready: "); ok {
		r.close()
		return nil, errors.New(why)
	}
	if strings.Contains(line, "draws") {
		r.draw = func(_ context.Context, path, to string) (lap, error) { return goes("draw " + path + "\t" + to) }
	}
	if strings.Contains(line, "looks") {
		r.look = func(_ context.Context, path string, picture bool) (keypoint.Sequence, error) {
			order := "movie "
			if picture {
				order = "picture "
			}
			line, err := ask(order + path)
			if err != nil {
				return keypoint.Sequence{}, err
			}
			return decode([]byte(line))
		}
	}
	return r, nil
}
