package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/keypoint"
)

//go:embed *.py
var scripts embed.FS

// racer processes a movie once per run.
type racer struct {
	name string
	run  func(ctx context.Context, path string) (lap, error)
	// look finds the keypoints of another movie or of a picture; nil if it cannot tell them.
	look    func(ctx context.Context, path string, picture bool) (keypoint.Sequence, error)
	close   func()
	members []*member // of our ensembles
}

const mediaPipe = "MediaPipe Pose, full"

// lap is one run over a movie.
type lap struct {
	frames    int
	took, cpu time.Duration // cpu is summed over all cores
}

// estimator is an estimator of this module.
type estimator interface {
	inference.Estimator
	io.Closer
}

// choice is an estimator of this module by name.
type choice struct {
	name string
	open func(pose.Options) (estimator, error)
}

// fast is the index of Fast in choices.
const fast = 1

// choices are the estimators of package pose.
func choices() []choice {
	return []choice{
		{"Balanced", func(opt pose.Options) (estimator, error) { return opened(pose.Balanced(opt)) }},
		{"Fast", func(opt pose.Options) (estimator, error) { return opened(pose.Fast(opt)) }},
		{"Accurate", func(opt pose.Options) (estimator, error) { return opened(pose.Accurate(opt, heavy.Model())) }},
	}
}

// opened returns no estimator with an error: a nil pointer in an interface is not nil.
func opened(e *pose.Estimator, err error) (estimator, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// enter prepares all installed racers, this module's estimators first, and reports the missing ones on
// out. The others look at a few frames of the movie first. The caller closes what enter returns, even with an error.
func enter(ctx context.Context, o options, ours []choice, dir, movie string, out io.Writer) ([]*racer, error) {
	var racers []*racer
	for _, c := range ours {
		est, err := c.open(pose.Options{Options: onnxruntime.Options{Library: o.library}})
		if err != nil {
			return racers, err
		}
		r, err := extraction(c.name, est)
		racers = append(racers, r)
		if err != nil {
			return racers, err
		}
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
func extraction(name string, est estimator) (*racer, error) {
	r := &racer{name: name, close: func() { est.Close() }}
	if e, ok := est.(*pose.Estimator); ok {
		var err error
		if e.Network, r.members, err = counted(e.Network); err != nil {
			return r, err
		}
	}
	x := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}
	r.run = func(ctx context.Context, path string) (lap, error) {
		start, used := time.Now(), cpu.Time()
		seq, err := x.File(ctx, path)
		return lap{seq.Len(), time.Since(start), cpu.Time() - used}, err
	}
	r.look = func(ctx context.Context, path string, _ bool) (keypoint.Sequence, error) { return x.File(ctx, path) }
	return r, nil
}

// member is a member of an ensemble that counts how often it is asked.
type member struct {
	inference.Network
	name  string
	asked atomic.Int64
}

// Look implements inference.Network.
func (m *member) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	m.asked.Add(1)
	return m.Network.Look(ctx, img, r)
}

// counted returns the ensemble with members that count, those who follow first.
func counted(n inference.Network) (inference.Network, []*member, error) {
	whole, ok := n.(*ensemble.Network)
	if !ok {
		return n, nil, nil
	}
	var members []*member
	wrap := func(list []inference.Network) []inference.Network {
		list = slices.Clone(list)
		for i, n := range list {
			k := slices.IndexFunc(members, func(m *member) bool { return m.Network == n })
			if k < 0 {
				family, _, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", n), "*"), ".")
				k, members = len(members), append(members, &member{Network: n, name: family})
			}
			list[i] = members[k]
		}
		return list
	}
	opt := whole.Options()
	opt.Following, opt.Finding = wrap(opt.Following), wrap(opt.Finding)
	counting, err := ensemble.New(opt)
	return counting, members, err
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
	r := &racer{
		name: name,
		run: func(_ context.Context, path string) (l lap, err error) {
			line, err := ask("go " + path)
			if err != nil {
				return l, err
			}
			if _, err := fmt.Sscan(line, &l.frames, (*int64)(&l.took), (*int64)(&l.cpu)); err != nil {
				return l, fmt.Errorf("it printed %q: %w", line, err)
			}
			return l, nil
		},
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
	if line == "ready" {
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
