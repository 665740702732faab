package evalpose

import "github.com/bodymotion/motion/keypoint"

// FalsePositives counts what was found in pictures with nobody.
type FalsePositives struct {
	Pictures Share // those in which a part was found, of those with nobody
	Parts    int   // found in them, 0 to 17 a picture
}

// Plus returns the count with one more picture. One that shows somebody, or a crowd,
// changes nothing.
func (c FalsePositives) Plus(l *Labelled, found *keypoint.Frame) FalsePositives {
	if !l.Nobody() {
		return c
	}
	c.Pictures = c.Pictures.with(!found.Empty())
	c.Parts += found.Len()
	return c
}

// Missed tells, as a share of one or of nothing, whether nobody was found in a picture
// with a dominant person.
func Missed(l *Labelled, found *keypoint.Frame) Share {
	if l.Dominant < 0 {
		return Share{}
	}
	return Share{}.with(found.Empty())
}

// Chosen tells, as a share of one or of nothing, whether the dominant person was chosen:
// of the people in the picture the found one is most similar, by OKS, to that one (see
// Best). Pictures without a dominant person, with fewer than two scored people, or in
// which nobody was found are left out. A found person similar to nobody is a wrong
// choice.
func Chosen(l *Labelled, found *keypoint.Frame) Share {
	if l.Dominant < 0 || !l.Several() || found.Empty() {
		return Share{}
	}
	i, _, ok := Best(l.People, found)
	return Share{}.with(ok && i == l.Dominant)
}
