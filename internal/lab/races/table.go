package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
)

// race is all rounds of a movie.
type race struct {
	name  string
	laps  [][]lap            // of each racer
	asked [][]evalpose.Share // frames in which each of a racer's members was asked
}

// row is what is told of a racer: of a movie, or of all, where it has a value of each.
type row struct {
	frames     int
	took, cpu  time.Duration
	rate, core evalpose.Values // times MediaPipe's frames per second and CPU time
	fast       evalpose.Values // times the CPU time of Fast
	agreement  [len(agreements)]evalpose.Values
	exchanged  evalpose.Share
	asked      []evalpose.Share
}

// row returns that of racer i. theirs is MediaPipe, or -1.
func (r *race) row(i, theirs int, s *clipScore) row {
	l := row{frames: r.laps[i][0].frames, took: r.laps[i][0].took, cpu: r.laps[i][0].cpu, exchanged: s.exchanged, asked: r.asked[i]}
	for _, lap := range r.laps[i] {
		l.took, l.cpu = min(l.took, lap.took), min(l.cpu, lap.cpu)
	}
	l.fast = ratio(r.laps[i], r.laps[fast], used)
	if theirs >= 0 {
		l.rate, l.core = ratio(r.laps[theirs], r.laps[i], took), ratio(r.laps[i], r.laps[theirs], used)
	}
	for d := range s.agreement {
		if v, ok := s.agreement[d].Value(); ok {
			l.agreement[d] = evalpose.Values{v}
		}
	}
	return l
}

func took(l lap) time.Duration { return l.took }
func used(l lap) time.Duration { return l.cpu }

// ratio returns a duration of laps divided by that of others in the same round: the median.
func ratio(laps, others []lap, of func(lap) time.Duration) evalpose.Values {
	var ratios evalpose.Values
	for i := range laps {
		ratios = append(ratios, float64(of(laps[i]))/float64(of(others[i])))
	}
	median, _ := ratios.Median()
	return evalpose.Values{median}
}

// plus returns the sum of both.
func (l row) plus(o row) row {
	l.frames, l.took, l.cpu, l.exchanged = l.frames+o.frames, l.took+o.took, l.cpu+o.cpu, l.exchanged.Plus(o.exchanged)
	l.rate, l.core, l.fast = append(l.rate, o.rate...), append(l.core, o.core...), append(l.fast, o.fast...)
	for d := range l.agreement {
		l.agreement[d] = append(l.agreement[d], o.agreement[d]...)
	}
	asked := slices.Clone(o.asked)
	for m := range l.asked {
		asked[m] = asked[m].Plus(l.asked[m])
	}
	l.asked = asked
	return l
}

// cells are those of a line of the table after the names.
func (l row) cells(members []*member) []string {
	cells := []string{
		fmt.Sprint(l.frames), fmt.Sprintf("%.1f", float64(l.frames)/l.took.Seconds()), fmt.Sprintf("%.1f", 1000*l.cpu.Seconds()/float64(l.frames)),
		number("%.2f ×", l.rate, slices.Min), number("%.2f ×", l.core, slices.Max), number("%.2f ×", l.fast, slices.Max),
	}
	for d := range l.agreement {
		cells = append(cells, number("%.3f", l.agreement[d], func(v evalpose.Values) float64 { mean, _ := v.Mean(); return mean }))
	}
	cells = append(cells, "-")
	if l.exchanged.Of > 0 {
		cells[len(cells)-1] = fmt.Sprintf("%d/%d", l.exchanged.Count, l.exchanged.Of)
	}
	var asked []string
	for m, s := range l.asked {
		v, _ := s.Value()
		asked = append(asked, fmt.Sprintf("%s %.2f", members[m].name, v))
	}
	return append(cells, strings.Join(asked, ", "))
}

// number writes one value of many, "-" if there are none.
func number(format string, v evalpose.Values, of func(evalpose.Values) float64) string {
	if len(v) == 0 {
		return "-"
	}
	return fmt.Sprintf(format, of(v))
}

// table writes a line for each movie and racer, and one for each racer over all movies.
func table(out io.Writer, racers []*racer, races []race, all []scores) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "movie\t\tframes\tframes/s\tms of cores\tMediaPipe's frames/s\tits cores\t%s's cores\tagreement@%v\t@%v\texchanged\tasked\n",
		racers[fast].name, agreements[0], agreements[1])
	theirs := slices.IndexFunc(racers, func(r *racer) bool { return r.name == mediaPipe })
	sums := make([]row, len(racers))
	line := func(name string, i int, l row) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, racers[i].name, strings.Join(l.cells(racers[i].members), "\t"))
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
