package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/say"
)

// course is what is asked of the recordings of one person.
type course struct {
	by      *exercise.Definition
	measure analyze.Type
	number  string // trend.Statistic
	side    string
	report  report.Report // language, subject and examiner
	pdf     bool

	mu   sync.Mutex
	jobs []*job
}

// sides are the values of --side.
var sides = []string{string(analyze.LeftSide), string(analyze.RightSide)}

func courseCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "course", Short: "Follow one person over several recordings",
		Long: `Put the movies of one person in order of the date of filming, and write what has changed: course.trend.csv,
course.trend.json and course.trend.png have a value of each movie with its uncertainty, and the smallest
change that is real; course.report.html is the report of the last movie with all of it. Each movie is
measured as by "motion analyze".

The date is that in the movie; without one, that in the name of the file, such as 2026-11-20; without that,
the date of the file, with a question mark. Notes are taken from a text file beside the movie, such as
squats.txt of squats.mp4: a note a line, which may begin with its seconds in the movie and a colon, such as "2.4: leans".`,
		Example: `  motion course --out mika --height 1.80 --exercise squat clips
  motion course --out mika --measure kneeFlexion --side right --name Mika clips`,
	}
	w := &course{}
	chosen := formatFlag(c, "HTML", []format[bool]{{name: "pdf"}})
	judging := exerciseFlag(c)
	f := c.Flags()
	f.StringVar((*string)(&w.measure), "measure", "", "what is followed: "+strings.Join(followed(), ", ")+"; by default what counts the repetitions of --exercise, or moves most in the last movie")
	complete(c, "measure", followed()...)
	numbers := strings.Fields(strings.Trim(fmt.Sprint(trend.Statistics()), "[]"))
	setup.Choice(c, &w.number, "statistic", numbers[0], "which number of each movie is followed: peak, of the best repetition; turn, the mean of all repetitions; min, such as of a knee that is to become straight; range", numbers...)
	f.StringVar(&w.side, "side", "", "the side that is treated or trained: left or right; by default both are followed")
	complete(c, "side", sides...)
	f.StringVar(&w.report.Subject.Name, "name", "", "the person's name, for the report")
	f.StringVar(&w.report.Examiner, "examiner", "", "who has examined, for the report")
	language := ""
	setup.Choice(c, &language, "language", string(say.English), "language of the report: en or ja", string(say.English), string(say.Japanese))
	return onFilesThen(c, func() (func(*job) ([]output, error), error) {
		formats, err := chosen()
		by, err2 := judging()
		switch {
		case w.measure != "" && !slices.Contains(followed(), string(w.measure)):
			err = join(err, wrong("measure", w.measure, followed()...))
		case w.side != "" && !slices.Contains(sides, w.side):
			err = join(err, wrong("side", w.side, sides...))
		case w.side != "" && w.measure != "" && !w.measure.Sided():
			err = join(err, fmt.Errorf("--side: %s has no sides", w.measure))
		}
		if w.pdf = len(formats) > 0; w.pdf && err == nil {
			_, err = browser()
		}
		w.by, w.report.Language, w.report.Zone, w.report.Subject.Side = by, say.Language(language), time.Local, analyze.Side(w.side)
		return func(j *job) ([]output, error) {
			if j.still { // which shows no movement
				return nil, nil
			}
			w.mu.Lock()
			w.jobs = append(w.jobs, j)
			w.mu.Unlock()
			return j.analyses(nil, by, nil), nil
		}, join(err, err2)
	}, w.write)
}

// followed are the values of --measure.
func followed() (names []string) {
	for _, t := range append(analyze.Angles(), analyze.HipHeight) {
		names = append(names, string(t))
	}
	return names
}

// write writes what is made of all movies.
func (w *course) write(ctx context.Context, b *batch, _ []input) error {
	type filmed struct {
		*job
		at  time.Time
		sum trend.Recording
	}
	var all []filmed
	for _, j := range w.jobs {
		seq, err := j.sequence()
		if err != nil {
			return err
		}
		shown, err := study.Run(seq, j.record.Quality)
		if err != nil {
			return err
		}
		at, undated, err := j.filmed(ctx)
		if err != nil {
			return err
		}
		all = append(all, filmed{j, at, trend.Recording{RecordedAt: at, Undated: undated, Summary: trend.Summarize(seq, shown, j.record.Quality.Views)}})
		j.seq = nil // there may be many
	}
	if len(all) == 0 {
		return errors.New("there is no movie: a course is made of movies")
	}
	slices.SortStableFunc(all, func(a, b filmed) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.in.name, b.in.name)) })
	var list []trend.Recording
	for i := range all {
		all[i].sum.KeypointID = int64(i + 1) // its number in the course
		list = append(list, all[i].sum)
	}
	trends := w.trends(list)
	if trends[0].Measure == "" {
		return errors.New("nothing moves in these movies: say with --measure what to follow")
	}
	last := all[len(all)-1]
	r := w.report
	r.Trend, r.Recorded, r.Subject.BodyHeight = trends, last.at, b.found.Height
	var err error
	if r.Notes, err = notes(last.in.path); err != nil {
		return err
	}
	files := []struct {
		name  string
		write func(path string) error
	}{
		{"course.trend.json", func(path string) error { return writeJSON(path, trends) }},
		{"course.trend.csv", func(path string) error {
			return writeFile(path, func(out io.Writer) error { return trend.WriteCSV(out, trends...) })
		}},
		{"course.trend.png", func(path string) error {
			m, err := chart.TrendImage(trends, chart.TrendOptions{Options: chart.Options{Width: 1200, Height: 520, Title: titleOf(trends)}, Zone: time.Local})
			if err != nil {
				return err
			}
			return writeFile(path, func(out io.Writer) error { return png.Encode(out, m) })
		}},
		{"course.report.html", func(path string) error { return last.report(ctx, r, w.by, path) }},
		{"course.report.pdf", func(path string) error { return printPDF(ctx, filepath.Join(b.store.dir, "course.report.html"), path) }},
	}
	for _, f := range files[:len(files)-either(w.pdf, 0, 1)] {
		path := filepath.Join(b.store.dir, f.name)
		if err := b.keepsInputs(path); err != nil {
			return err
		}
		if _, err := b.store.put(path, f.write); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if b.json {
		return nil
	}
	for _, t := range trends {
		if len(trends) > 1 && t.Change == nil { // it does not say of which side it is
			continue
		}
		if _, err := fmt.Fprintln(b.stdout, t.Sentence[say.English]); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(b.stdout, "course.trend.csv, .json and .png and course.report.html are in %s\n", b.out)
	return err
}

func either(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// trends follows one side, or if none was asked for, both sides of a measure that has two and is known of both.
func (w *course) trends(list []trend.Recording) []trend.Trend {
	measure := w.measure
	if measure == "" && w.by != nil && w.by.Lead != nil {
		measure = w.by.Lead.Type
	}
	first := trend.Of(trend.Request{Measure: measure, Side: analyze.Side(w.side), Statistic: trend.Statistic(w.number)}, list)
	trends := []trend.Trend{first}
	if w.side != "" || first.Side == "" {
		return trends
	}
	other := analyze.LeftSide
	if first.Side == analyze.LeftSide {
		other = analyze.RightSide
	}
	second := trend.Of(trend.Request{Measure: first.Measure, Side: other, Statistic: first.Statistic}, list)
	if !slices.ContainsFunc(second.Sessions, func(s trend.Session) bool { return s.Value.Present }) {
		return trends
	}
	if trends = append(trends, second); other == analyze.LeftSide {
		slices.Reverse(trends)
	}
	return trends
}

// titleOf names what trends are of.
func titleOf(trends []trend.Trend) string {
	name := say.Name(string(trends[0].Measure)).String() + ", " + string(trends[0].Statistic)
	switch {
	case len(trends) > 1:
		name += ": left with circles, right with squares"
	case trends[0].Side != "":
		name = string(trends[0].Side) + " " + name
	}
	return name
}

// dated finds the date in the name of a file: 2026-11-20 or 20261120.
var dated = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)-?([01]\d)-?([0-3]\d)(?:\D|$)`)

// filmed returns when a movie was filmed; undated if only the date of the file is known.
func (j *job) filmed(ctx context.Context) (at time.Time, undated bool, err error) {
	f, info, err := openFile(j.in.path)
	if err != nil {
		return at, false, err
	}
	defer f.Close()
	if !j.in.given() {
		parts, err := j.parts()
		if err != nil {
			return at, false, err
		}
		if info, err := parts.Decoder.Probe(ctx, f); err == nil && !info.Recorded.IsZero() {
			return info.Recorded, false, nil
		}
	}
	if m := dated.FindStringSubmatch(filepath.Base(j.in.path)); m != nil {
		if at, err := time.ParseInLocation("20060102", m[1]+m[2]+m[3], time.Local); err == nil {
			return at, false, nil
		}
	}
	return info.ModTime(), true, nil
}

// Limits of notes: those of the API.
const (
	mostNotes = 100
	longest   = 2000 // bytes
)

// notes returns the notes in the text file beside a movie, none if there is no such file.
func notes(movie string) (list []report.Note, err error) {
	path := strings.TrimSuffix(movie, filepath.Ext(movie)) + ".txt"
	f, _, err := openFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); ; {
		if !lines.Scan() {
			return list, join(lines.Err())
		}
		n := report.Note{Text: strings.TrimSpace(strings.ToValidUTF8(lines.Text(), "�"))}
		if first, rest, ok := strings.Cut(n.Text, ": "); ok {
			if s, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(first, "s")), 64); err == nil && s >= 0 && s < 1e6 {
				n.Time, n.Text = &s, strings.TrimSpace(rest)
			}
		}
		switch {
		case n.Text == "":
			continue
		case len(n.Text) > longest:
			return nil, fmt.Errorf("%s: a line has %d bytes, want at most %d", path, len(n.Text), longest)
		case len(list) == mostNotes:
			return nil, fmt.Errorf("%s: more than %d notes", path, mostNotes)
		}
		list = append(list, n)
	}
}
