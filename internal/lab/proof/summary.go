package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint/quality"
)

// summary prints one table of what is told of all recordings, in Markdown: for each measure in how many recordings it is told, how
// many of its values are (of those known), their bias, 95 % limits of agreement and root mean square error against the truth in space,
// this without the bias of each side of each recording, the least and the greatest of these biases, and the root mean square error of
// every second recording by name and of the others. A measure that is told of one recording has no halves.
func summary(out io.Writer, recordings []recording) error {
	var rows quantities
	for i, r := range recordings {
		said, err := study.Run(r.Sequence, r.judged)
		if err != nil {
			return fmt.Errorf("%s: %w", r.truth.Name, err)
		}
		samples, err := r.told(said)
		if err != nil {
			return fmt.Errorf("%s: %w", r.truth.Name, err)
		}
		for _, s := range samples {
			rows.add(i, s)
		}
	}
	fmt.Fprintln(out, "| measure | recordings | values | bias | limits of agreement | RMSE | without bias | bias of single ones | RMSE of halves |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	for _, q := range rows {
		if q.of > 0 {
			q.print(out)
		}
	}
	return nil
}

// print writes a row of the summary.
func (q *quantity) print(out io.Writer) {
	if len(q.recordings) == 0 {
		fmt.Fprintf(out, "| %s | 0 | 0 of %d | | | | | | |\n", q.what, q.of)
		return
	}
	a := agree.Of(q.recordings)
	values := fmt.Sprint(a.Pairs)
	if q.of > a.Pairs {
		values += fmt.Sprintf(" of %d", q.of)
	}
	if q.wrong > 0 {
		values += fmt.Sprintf(", %d wrong", q.wrong)
	}
	halves, unbiased := "", ""
	if len(q.recordings) > 1 && q.halves[0].N > 0 && q.halves[1].N > 0 {
		halves = digits(q.halves[0].RMSE()) + "; " + digits(q.halves[1].RMSE())
	}
	if a.Pairs > len(q.biases) {
		unbiased = digits(q.unbiased.RMSE())
	}
	fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %s | %s | %s to %s | %s |\n", q.what, len(q.recordings), values, digits(a.Bias), limits(a),
		digits(a.RMSE), unbiased, digits(slices.Min(q.biases)), digits(slices.Max(q.biases)), halves)
}

// told returns the errors of what is told of a recording: angles in each frame, of their peaks and of their ranges, in degrees; the
// times of repetitions, steps and jumps in milliseconds; lengths.
func (r recording) told(said study.Study) (list []sample, err error) {
	all, err := r.readings(said)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		list = append(list, s.told()...)
	}
	for _, m := range []measure{{"", "ms", tempo}, {"", "ms", events}, {"", "%", pace}, {"", "ms", flights}, {"", "cm", jumps}} {
		samples, err := m.errors(r)
		if err != nil {
			return nil, err
		}
		for _, s := range samples {
			if s.of = max(s.of, len(s.errors)); r.withheld(said, s.what) {
				s.errors, s.wrong = nil, 0
			}
			s.what += ", " + m.unit
			list = append(list, s)
		}
	}
	return list, nil
}

// withheld reports whether a study does not tell of a quantity of gait, or warns that lengths are those along the picture.
func (r recording) withheld(said study.Study, what string) bool {
	switch what {
	case truth.HeelStrike, truth.ToeOff, "cadence", "stance share":
		return said.Gait == nil
	case "stride length", "step length", "speed":
		return said.Gait == nil || slices.ContainsFunc(said.Gait.Warnings, func(w quality.Warning) bool { return w.Code == quality.CodeOutOfPlane })
	}
	return false
}

// told returns the errors of the values of an angle, of its peak and of its range, against the truth in space.
func (s *series) told() []sample {
	frames := sample{what: string(s.kind) + ", each frame, °"}
	for _, x := range s.readings {
		if x.known {
			frames.of++
		}
		if x.told() && s.measure.Trust != quality.TrustWithheld {
			frames.errors = append(frames.errors, math.Remainder(x.value-x.want, 360))
		}
	}
	list := []sample{frames}
	both, ok := s.readOuts()
	both[0].value += s.offset
	for k, x := range both {
		one := sample{what: string(s.kind) + [...]string{", peak, °", ", range, °"}[k]}
		if ok {
			one.of = 1
		}
		if ok && x.told() {
			one.errors = []float64{x.value - x.want}
		}
		list = append(list, one)
	}
	return list
}
