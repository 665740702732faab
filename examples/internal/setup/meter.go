package setup

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/bodymotion/motion/keypoint"
)

// Meter shows the progress of one task on standard error: a bar on a terminal, a line every
// two seconds elsewhere.
type Meter struct {
	title       string
	begun, said time.Time
	terminal    bool
	bar         *progressbar.ProgressBar
}

// Begin begins a task.
func (p *Parts) Begin(title string) *Meter {
	m := &Meter{title: title, begun: time.Now(), said: time.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if !m.terminal {
		fmt.Fprintf(os.Stderr, "%s …\n", title)
	}
	return m
}

// Progress shows that some frames are done; total is 0 if it is unknown.
func (m *Meter) Progress(done, total int) {
	if !m.terminal {
		if time.Since(m.said) > 2*time.Second {
			m.said = time.Now()
			fmt.Fprintf(os.Stderr, "%s: frame %d of %d\n", m.title, done, total)
		}
		return
	}
	if m.bar == nil {
		if total == 0 {
			total = -1
		}
		m.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(m.title),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("frames"))
	}
	m.bar.Set(done)
}

// Found ends the search for keypoints and prints what was found.
func (m *Meter) Found(seq keypoint.Sequence) {
	m.end()
	found := 0
	for i := range seq.Frames {
		found += seq.Frames[i].Len()
	}
	fmt.Printf("%s: %d frames of %d × %d pixels, %.0f %% of the parts found, %.1f frames a second\n", m.title, seq.Len(), seq.Size.X, seq.Size.Y,
		100*float64(found)/float64(keypoint.NumParts*seq.Len()), float64(seq.Len())/time.Since(m.begun).Seconds())
}

func (m *Meter) end() {
	if m.bar != nil {
		m.bar.Finish()
		fmt.Fprintln(os.Stderr)
	}
}
