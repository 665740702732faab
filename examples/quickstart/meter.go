package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// meter shows the progress of one task on standard error: a bar on a terminal, a line every
// two seconds elsewhere.
type meter struct {
	title       string
	begun, said time.Time
	terminal    bool
	quality     quality.Report
	bar         *progressbar.ProgressBar
}

// begin begins a task.
func begin(title string) *meter {
	m := &meter{title: title, begun: time.Now(), said: time.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if !m.terminal {
		fmt.Fprintf(os.Stderr, "%s …\n", title)
	}
	return m
}

// progress shows that some frames are done; total is 0 if it is unknown.
func (m *meter) progress(done, total int) {
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

// judged notes the quality of the keypoints for found.
func (m *meter) judged(r quality.Report) { m.quality = r }

// found ends the search for keypoints and prints what was found, and how far it can be relied on.
func (m *meter) found(seq keypoint.Sequence) {
	m.end()
	parts := 0
	for i := range seq.Frames {
		parts += (seq.Frames[i].Present() & keypoint.Body).Len()
	}
	fmt.Printf("%s: %d frames of %d × %d pixels, %.0f %% of the parts found, %.1f frames a second\n", m.title, seq.Len(), seq.Size.X, seq.Size.Y,
		100*float64(parts)/float64(keypoint.NumBody*seq.Len()), float64(seq.Len())/time.Since(m.begun).Seconds())
	if m.quality.Verdict == "" {
		return
	}
	if m.quality.Verdict != quality.Nobody {
		fmt.Printf("  the recording is %s\n", m.quality.Verdict)
	}
	for _, w := range m.quality.Warnings {
		if seq.Times == nil {
			fmt.Printf("  %s: %s\n", w.Code, w.Detail)
			continue
		}
		fmt.Printf("  %s, %.1f s to %.1f s: %s\n", w.Code, seq.Times[w.From], seq.Times[w.To], w.Detail)
	}
}

// shown prints the movement, the measure to read first of both sides, and the repetitions.
func (m *meter) shown(s study.Study) {
	fmt.Printf("  it shows: %s\n", s.Movement)
	for _, one := range s.Measures {
		if s.Lead != nil && one.Type == s.Lead.Type {
			fmt.Printf("  %s: %s\n", one.Name, one)
		}
	}
	if s.Repetitions == nil {
		return
	}
	for i, c := range s.Repetitions.List {
		fmt.Printf("  repetition %d: %.1f s to %.1f s\n", i+1, c.Start.Time, c.End.Time)
	}
}

func (m *meter) end() {
	if m.bar != nil {
		m.bar.Finish()
		fmt.Fprintln(os.Stderr)
	}
}
