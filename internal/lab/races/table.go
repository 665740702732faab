package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bodymotion/motion/internal/lab/internal/score"
)

// race is all rounds of a movie.
type race struct {
	name string
	laps [][]lap // of each racer
}

// row is what is told of a racer: of a movie, or of all, where it has a value of each.
type row struct {
	frames        int
	took, cpu     time.Duration
	rate, core    score.Values // times MediaPipe's frames per second and CPU time
	within, close score.Values // agreement within 0.2 and 0.1 torso lengths
}

// row returns that of racer i. theirs is MediaPipe, or -1.
func (r *race) row(i, theirs int, s *score.Movie) row {
	l := row{frames: r.laps[i][0].frames, took: r.laps[i][0].took, cpu: r.laps[i][0].cpu, within: s.Within, close: s.Close}
	for _, lap := range r.laps[i] {
		l.took, l.cpu = min(l.took, lap.took), min(l.cpu, lap.cpu)
	}
	if theirs >= 0 {
		l.rate, l.core = ratio(r.laps[theirs], r.laps[i], took), ratio(r.laps[i], r.laps[theirs], used)
	}
	return l
}

func took(l lap) time.Duration { return l.took }
func used(l lap) time.Duration { return l.cpu }

// ratio returns a duration of laps divided by that of others in the same round: the median.
func ratio(laps, others []lap, of func(lap) time.Duration) score.Values {
	var ratios score.Values
	for i := range laps {
		ratios = append(ratios, float64(of(laps[i]))/float64(of(others[i])))
	}
	median, _ := ratios.Median()
	return score.Values{median}
}

// plus returns the sum of both.
func (l row) plus(o row) row {
	return row{l.frames + o.frames, l.took + o.took, l.cpu + o.cpu, l.rate.Plus(o.rate), l.core.Plus(o.core), l.within.Plus(o.within), l.close.Plus(o.close)}
}

// cells are those of a line of the table after the names.
func (l row) cells() []string {
	mean := func(v score.Values) float64 { mean, _ := v.Mean(); return mean }
	return []string{
		fmt.Sprint(l.frames), fmt.Sprintf("%.1f", float64(l.frames)/l.took.Seconds()), fmt.Sprintf("%.1f", 1000*l.cpu.Seconds()/float64(l.frames)),
		number("%.2f ×", l.rate, slices.Min), number("%.2f ×", l.core, slices.Max), number("%.3f", l.within, mean), number("%.3f", l.close, mean),
	}
}

// number writes one value of many, "-" if there are none.
func number(format string, v score.Values, of func(score.Values) float64) string {
	if len(v) == 0 {
		return "-"
	}
	return fmt.Sprintf(format, of(v))
}

// table writes a line for each movie and racer, and one for each racer over all movies.
func table(out io.Writer, racers []*racer, races []race, all []scores) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "movie\t\tframes\tframes/s\tms of cores\tMediaPipe's frames/s\tits cores\tagreement@0.2\t@0.1")
	theirs := slices.IndexFunc(racers, func(r *racer) bool { return r.name == mediaPipe })
	sums := make([]row, len(racers))
	line := func(name string, i int, l row) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, racers[i].name, strings.Join(l.cells(), "\t"))
	}
	for k := range races {
		for i := range racers {
			l := races[k].row(i, theirs, &all[i].clips[k])
			sums[i] = sums[i].plus(l)
			line(races[k].name, i, l)
		}
	}
	for i := range racers {
		line("all", i, sums[i])
	}
	return w.Flush()
}
