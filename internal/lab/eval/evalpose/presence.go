package evalpose

import "github.com/bodymotion/motion/keypoint"

// FalsePositives counts detections in pictures without people.
type FalsePositives struct {
	Pictures Share // those in which a part was found, of those with nobody
	Parts    int   // found in them, 0 to 17 a picture
}

// Plus returns the count with one more picture. A picture with a person or a crowd changes nothing.
func (c FalsePositives) Plus(l *Labelled, found *keypoint.Frame) FalsePositives {
	if !l.Nobody() {
		return c
	}
	c.Pictures = c.Pictures.with(!found.Empty())
	c.Parts += found.Len()
	return c
}

// Missed returns 1 of 1 if nobody was found in a picture with a dominant person, 0 of 1 if somebody
// was, and an empty share for other pictures.
func Missed(l *Labelled, found *keypoint.Frame) Share {
	if l.Dominant < 0 {
		return Share{}
	}
	return Share{}.with(found.Empty())
}

// Chosen returns 1 of 1 if the dominant person was chosen: the detection is most similar to that
// person by OKS (see Best). Otherwise, and if it is similar to nobody, it returns 0 of 1. The share is
// empty for pictures without a dominant person, with fewer than two scored people, or in which nobody
// was found.
func Chosen(l *Labelled, found *keypoint.Frame) Share {
	if l.Dominant < 0 || !l.Several() || found.Empty() {
		return Share{}
	}
	i, _, ok := Best(l.People, found)
	return Share{}.with(ok && i == l.Dominant)
}

// Single returns what AveragePrecision judges of a program that finds one person in a picture: that
// person, with the Confidence, beside the dominant one. ok is false for pictures with people of whom
// none is dominant: they have no single right answer.
func Single(l *Labelled, found *keypoint.Frame) (p Picture, ok bool) {
	p.Found = []Detection{{Parts: *found, Score: Confidence(found)}}
	if l.Dominant >= 0 {
		p.People = []Person{l.People[l.Dominant]}
	}
	return p, l.Dominant >= 0 || l.Nobody()
}
