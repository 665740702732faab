package analyze

import "github.com/bodymotion/motion/keypoint"

// RunPart is Run of the frames of a span, as if the recording had no others: statistics,
// repetitions, symmetry, rates and the side to which the person faces come from these alone. The results
// are those of the whole recording, with its frame numbers: values of the frames outside are absent, but
// Coverage is that of the part. A part that the sequence does not have is a keypoint.ErrInvalid.
func RunPart(seq keypoint.Sequence, rules []Rule, span keypoint.Span) ([]Result, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	part, err := seq.Cut(span)
	if err != nil {
		return nil, err
	}
	results, err := Run(part, rules)
	for k := range results {
		results[k].place(span.First, seq.Len())
	}
	return results, err
}

// place makes the result of a part, which begins at a frame, one of the whole recording of n frames.
func (r *Result) place(first, n int) {
	r.Values = padded(r.Values, first, n)
	if r.Uncertainty != nil {
		r.Uncertainty = padded(r.Uncertainty, first, n)
	}
	for i := range r.Warnings {
		r.Warnings[i].From += first
		r.Warnings[i].To += first
	}
	if r.Repetitions != nil {
		for k := range r.Repetitions.List {
			c := &r.Repetitions.List[k].Cycle
			c.Start, c.Turn, c.End = c.Start+first, c.Turn+first, c.End+first
		}
	}
	if r.Symmetry != nil {
		r.Symmetry.OtherSide.place(first, n)
	}
}

// padded returns the values of n frames, absent before and after those of a part.
func padded(values []Value, first, n int) []Value {
	all := make([]Value, n)
	copy(all[first:], values)
	return all
}
