package keypoint

import (
	"fmt"
	"slices"
	"sort"
)

// Span is a part of a recording: the frames First to Last, inclusive.
type Span struct {
	First int `json:"from"`
	Last  int `json:"to"`
}

// Len returns the number of frames.
func (s Span) Len() int { return s.Last - s.First + 1 }

// Between returns the frames with times from one number of seconds to another; to 0 means to the end. From 0 to 0 are
// all frames, also of a sequence without times. If there are no frames between them, the error is an ErrInvalid.
func (s Sequence) Between(from, to float64) (Span, error) {
	const slack = 1e-6 // times are written with six decimals
	span := Span{Last: s.Len() - 1}
	if from == 0 && to == 0 {
		return span, nil
	}
	span.First = sort.SearchFloat64s(s.Times, from-slack)
	if to > 0 {
		span.Last = sort.SearchFloat64s(s.Times, to+slack) - 1
	}
	if len(s.Times) == 0 || span.First > span.Last {
		where := fmt.Sprintf("at %g s or later", from)
		if to > 0 {
			where = fmt.Sprintf("between %g s and %g s", from, to)
		}
		return span, fmt.Errorf("%w part of the recording: no frame is %s, and the last one is at %.3g s", ErrInvalid, where, s.Duration())
	}
	return span, nil
}

// Cut returns the frames of a span as a sequence that shares memory with s. A span that s does not have
// is an ErrInvalid; only a sequence without frames has the empty span 0 to −1.
func (s Sequence) Cut(span Span) (Sequence, error) {
	if s.Times != nil && len(s.Times) != s.Len() {
		return s, s.Validate()
	}
	if span.First < 0 || span.Last >= s.Len() || span.Last < span.First && span != (Span{Last: s.Len() - 1}) {
		return s, fmt.Errorf("%w span: frames %d to %d of a recording with %d", ErrInvalid, span.First, span.Last, s.Len())
	}
	return s.Slice(span.First, span.Last), nil
}

// Mask returns the sequence with nobody outside a span. Frames keep their numbers.
func (s Sequence) Mask(span Span) Sequence {
	if span == (Span{Last: s.Len() - 1}) {
		return s
	}
	s = s.Clone()
	for i := range s.Frames {
		if i < span.First || i > span.Last {
			s.Frames[i] = Frame{}
		}
	}
	s.PersonChanges = slices.DeleteFunc(s.PersonChanges, func(i int) bool { return i <= span.First || i > span.Last })
	return s
}

// People returns the frames of each person who is followed, one after the other. A sequence without PersonChanges has
// one, and one without frames has none. A change that Validate refuses does not count.
func (s Sequence) People() []Span {
	var spans []Span
	first := 0
	for _, frame := range s.PersonChanges {
		if frame <= first || frame >= s.Len() {
			continue
		}
		spans = append(spans, Span{first, frame - 1})
		first = frame
	}
	if first < s.Len() {
		spans = append(spans, Span{first, s.Len() - 1})
	}
	return spans
}

// MainPerson returns the frames of the person who is seen in the most frames; of equals, the first.
// Without frames it returns the empty span 0 to −1.
func (s Sequence) MainPerson() Span {
	best, most := Span{Last: -1}, -1
	for _, span := range s.People() {
		seen := 0
		for i := span.First; i <= span.Last; i++ {
			if !s.Frames[i].Empty() {
				seen++
			}
		}
		if seen > most {
			best, most = span, seen
		}
	}
	return best
}
