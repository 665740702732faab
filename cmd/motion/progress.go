package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
)

// display shows the progress of all files and of each on a terminal, and the errors anywhere.
type display struct {
	mu   sync.Mutex
	w    io.Writer
	bars *mpb.Progress // nil: no terminal
	all  *mpb.Bar
}

func onTerminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// newDisplay begins to show the progress of some files, with bars if w is a terminal.
func newDisplay(w io.Writer, terminal bool, files int) *display {
	d := &display{w: w}
	if terminal {
		d.bars = mpb.New(mpb.WithOutput(w), mpb.WithAutoRefresh())
		d.all = d.bars.AddBar(int64(files), mpb.BarPriority(1<<30), // the last line
			mpb.PrependDecorators(decor.Name("all", decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.CountersNoUnit("%d of %d files "), decor.Elapsed(decor.ET_STYLE_GO)))
	}
	return d
}

// frames writes how many frames are done: nothing before the first, and no number of all while it is unknown.
func frames(s decor.Statistics) string {
	switch {
	case s.Total <= 0:
		return ""
	case s.Total == s.Current:
		return fmt.Sprintf("%d frames ", s.Current)
	}
	return fmt.Sprintf("%d of %d frames ", s.Current, s.Total)
}

// begin shows that a file is begun. progress shows how many of its frames are done, where total is 0 if it is unknown; end removes its bar.
func (d *display) begin(name string) (progress func(done, total int), end func()) {
	if d.bars == nil {
		return nil, func() {}
	}
	bar := d.bars.AddBar(0, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name(setup.Visible(name), decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Any(frames), decor.AverageSpeed(0, "%.0f/s")))
	progress = func(done, total int) {
		bar.SetTotal(int64(max(total, done)), false) // end removes it
		bar.SetCurrent(int64(done))
	}
	return progress, func() { bar.Abort(true); d.all.Increment() }
}

// oneLine returns an error of a file as one line, without the file's name.
func oneLine(path string, err error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), path+": ")), " ")
}

// fail prints what is wrong with a file.
func (d *display) fail(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.w
	if d.bars != nil {
		w = d.bars // above the bars
	}
	fmt.Fprintf(w, "motion: %s: %s\n", setup.Visible(path), setup.Visible(text))
}

// close ends the display; the line of all files stays.
func (d *display) close() {
	if d.bars != nil {
		if !d.all.Completed() {
			d.all.Abort(false)
		}
		d.bars.Wait()
	}
}
