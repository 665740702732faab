package keypoint

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
