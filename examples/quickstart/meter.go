package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/bodymotion/motion"
)

// meter shows how far the work is: a bar on a terminal, lines elsewhere.
type meter struct {
	mu       sync.Mutex
	w        *os.File
	terminal bool
	title    string
	bar      *progressbar.ProgressBar
	said     time.Time // of the last line
}

func newMeter(w *os.File) *meter {
	return &meter{w: w, terminal: term.IsTerminal(int(w.Fd()))}
}

func (m *meter) begin(title string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.title, m.bar, m.said = title, nil, time.Now()
	if !m.terminal {
		fmt.Fprintf(m.w, "%s …\n", title)
	}
}

func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar != nil {
		m.bar.Finish()
		fmt.Fprintln(m.w)
	}
	m.title, m.bar = "", nil
}

func (m *meter) progress(p motion.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.title == "" {
		return
	}
	if !m.terminal {
		if time.Since(m.said) > 2*time.Second {
			m.said = time.Now()
			fmt.Fprintf(m.w, "%s: frame %d of %d\n", m.title, p.Done, p.Total)
		}
		return
	}
	if m.bar == nil {
		total := p.Total
		if total == 0 {
			total = -1
		}
		m.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(m.w), progressbar.OptionSetDescription(m.title),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("frames"))
	}
	m.bar.Set(p.Done)
}

// printTable ends the run: what was found, how fast, and where it is.
func printTable(w io.Writer, results []*result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "input\tframes\tfps\tparts found\tframes/s\tfiles")
	for _, r := range results {
		fps := "–"
		if f, ok := r.seq.FrameRate(); ok {
			fps = fmt.Sprintf("%.2f", f)
		}
		found := 0
		for i := range r.seq.Frames {
			found += r.seq.Frames[i].Len()
		}
		percent := 100 * float64(found) / float64(17*r.seq.Len())
		speed := float64(r.seq.Len()) / r.took.Seconds()
		for i, path := range r.files {
			if i == 0 {
				fmt.Fprintf(t, "%s\t%d\t%s\t%.0f %%\t%.1f\t%s\n", r.name, r.seq.Len(), fps, percent, speed, path)
			} else {
				fmt.Fprintf(t, "\t\t\t\t\t%s\n", path)
			}
		}
	}
	return t.Flush()
}
