package main

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// printer shows what is known of live pictures while they come: lines of JSON, or one line that changes on a terminal.
type printer struct {
	rules          []analyze.Rule
	stdout, stderr io.Writer
	json           bool // lines of JSON, and nothing else, on stdout
	terminal       bool // stderr is one

	size     image.Point // of the pictures
	names    []string    // of the rules
	looks    int
	dropped  int
	found    int // looks that show somebody
	first    float64
	last     float64   // time of the latest look, seconds
	shown    time.Time // of the line on the terminal
	occupied bool      // it stands there
}

// refresh is the time between two lines on a terminal.
const refresh = 100 * time.Millisecond

// silence is how long no picture must come to be told, seconds.
const silence = 2

// update shows an update.
func (p *printer) update(u live.Update) error {
	if p.looks == 0 {
		p.first = u.Time
		results, err := analyze.Run(keypoint.Sequence{}, p.rules)
		if err != nil {
			return err
		}
		for _, r := range results {
			p.names = append(p.names, r.Name)
		}
	} else if gap := u.Time - p.last; gap > silence {
		p.clear()
		fmt.Fprintf(p.stderr, "there was no picture for %.1f s\n", gap)
	}
	p.looks, p.dropped, p.last = p.looks+1, p.dropped+u.Dropped, u.Time
	if !u.Keypoints.Empty() {
		p.found++
	}
	if p.json {
		return p.print(u.Message(p.size, p.rules))
	}
	if p.terminal && time.Since(p.shown) > refresh {
		p.shown = time.Now()
		p.rewrite(p.line(u))
	}
	return nil
}

// line returns the values and repetitions as text.
func (p *printer) line(u live.Update) string {
	words := []string{fmt.Sprintf("%.1f s", u.Time)}
	if u.Keypoints.Empty() {
		words = append(words, "nobody is seen")
	}
	for i, r := range p.rules {
		value, why := u.Shown(r, i)
		text := "–"
		if why == quality.CodeOutOfPlane && !value.Present {
			text = "not from here"
		}
		if value.Present && r.Type.Pair() {
			text = fmt.Sprintf("%.0f, %.0f px", value.X, value.Y)
		} else if value.Present {
			text = say.Measured(string(r.Type), value.X, u.Uncertainty[i].X, r.Type.Unit()).String()
		}
		if r.Repetitions != nil {
			text += fmt.Sprintf(", %d ×", u.Counts[i].Found)
			if c := u.Counts[i]; c.Found > 0 && !c.Settled {
				text += " …" // the newest one goes on
			}
		}
		words = append(words, p.names[i]+" "+text)
	}
	for _, note := range u.Verdict.Notes {
		words = append(words, note.Detail)
	}
	if p.dropped > 0 {
		words = append(words, fmt.Sprintf("%d dropped", p.dropped))
	}
	return strings.Join(words, "   ")
}

// rewrite replaces the line on the terminal.
func (p *printer) rewrite(line string) {
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if letters := []rune(line); err == nil && len(letters) >= width {
		line = string(letters[:max(width-1, 0)])
	}
	fmt.Fprintf(p.stderr, "\r%s\x1b[K", line)
	p.occupied = true
}

// clear removes the line on the terminal.
func (p *printer) clear() {
	if p.occupied {
		fmt.Fprint(p.stderr, "\r\x1b[K")
		p.occupied = false
	}
}

// end shows what was counted in all.
func (p *printer) end(counts []analyze.Count) error {
	p.clear()
	if p.json {
		return p.print(live.EndOf(p.looks, p.dropped, counts, p.rules))
	}
	if p.looks == 0 {
		return nil // the error says why
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d pictures in %.1f s, %d dropped, somebody seen in %.0f %%\n", p.looks, p.last-p.first, p.dropped, 100*float64(p.found)/float64(p.looks))
	for i, name := range p.names {
		if p.rules[i].Repetitions != nil {
			fmt.Fprintf(&text, "%s: %d repetitions, %d complete\n", name, counts[i].Found, counts[i].Complete)
		}
	}
	_, err := io.WriteString(p.stdout, text.String())
	return err
}

func (p *printer) print(line any) error { return json.NewEncoder(p.stdout).Encode(line) }
