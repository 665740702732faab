package keypoint

// People returns the frames of each person who is followed, one after the other: first and last
// frame, inclusive. A sequence without PersonChanges has one; one without frames has none.
func (s Sequence) People() [][2]int {
	var spans [][2]int
	first := 0
	for _, frame := range s.PersonChanges {
		spans = append(spans, [2]int{first, frame - 1})
		first = frame
	}
	if first < s.Len() {
		spans = append(spans, [2]int{first, s.Len() - 1})
	}
	return spans
}

// MainPerson returns the first and the last frame, inclusive, of the person who is seen in the
// most frames; of equals, the first. Without frames it returns 0 and −1.
func (s Sequence) MainPerson() (first, last int) {
	last = -1
	most := -1
	for _, span := range s.People() {
		seen := 0
		for i := span[0]; i <= span[1]; i++ {
			if !s.Frames[i].Empty() {
				seen++
			}
		}
		if seen > most {
			first, last, most = span[0], span[1], seen
		}
	}
	return first, last
}

// samePerson reports whether frames i and i+1 show the same person, as far as is known.
func (s Sequence) samePerson(i int) bool {
	for _, frame := range s.PersonChanges {
		if frame == i+1 {
			return false
		}
	}
	return true
}
