package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/lab/internal/cpu"
	"github.com/bodymotion/motion/keypoint"
)

// jobs returns racers that do the whole job of a movie: the tool of this module, which is built first, from its start to the drawn
// movie, the analysis and the report, and those of the others that draw, with the networks loaded before.
func jobs(ctx context.Context, racers []*racer, dir string) (list []*racer, err error) {
	tool := filepath.Join(dir, "motion")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", tool, "github.com/bodymotion/motion/cmd/motion").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tool cannot be built: %w: %s", err, text)
	}
	for _, name := range []string{"Balanced", "Fast"} {
		list = append(list, &racer{name: "motion, " + name, run: func(ctx context.Context, path string) (l lap, err error) {
			out, err := os.MkdirTemp(dir, "job")
			if err != nil {
				return l, err
			}
			defer os.RemoveAll(out)
			start, used := time.Now(), cpu.Time()
			text, err := exec.CommandContext(ctx, tool, "--setting", strings.ToLower(name), "--out", out, path).CombinedOutput()
			if err != nil {
				return l, fmt.Errorf("%w: %s", err, text)
			}
			l.took, l.cpu = time.Since(start), cpu.Time()-used
			b, err := os.ReadFile(filepath.Join(out, filepath.Base(path)+".keypoints.json"))
			if err != nil {
				return l, err
			}
			var seq keypoint.Sequence
			err = json.Unmarshal(b, &seq)
			l.frames = seq.Len()
			return l, err
		}})
	}
	for _, r := range racers {
		if r.draw != nil {
			list = append(list, &racer{name: r.name, run: func(ctx context.Context, path string) (lap, error) {
				return r.draw(ctx, path, filepath.Join(dir, "drawn.mp4"))
			}})
		}
	}
	return list, nil
}
