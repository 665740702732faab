package ensemble

import "github.com/bodymotion/motion/keypoint"

const (
	share = 0.27 // of the frames in which the last member may look, over time
	most  = 3.0  // looks that it may have saved
	fresh = 0.3  // weight of its latest look in what is known of its offset
)

// memory is what an ensemble knows of the person it follows.
type memory struct {
	credit float64                          // looks that the last member may take
	parts  keypoint.Parts                   // of which the last member's offset is known
	offset [keypoint.NumBody]keypoint.Point // of its looks from the first member's, torso lengths: a mean
}

func recall(known any) memory {
	if m, ok := known.(memory); ok {
		return m
	}
	return memory{credit: most}
}

// after returns what is known after a look of the first member; last is that of the last member at the same frame, nil if it was not asked.
func (m memory) after(first, last *keypoint.Frame) memory {
	m.credit = min(m.credit+share, most)
	if last == nil {
		return m
	}
	m.credit--
	torso := size([]keypoint.Frame{*first, *last})
	for p := range keypoint.Part(keypoint.NumBody) {
		a, ok := first.At(p)
		b, also := last.At(p)
		if d := b.Sub(a).Mul(1 / torso); ok && also && d.Len() <= agreement {
			if m.parts.Has(p) {
				d = m.offset[p].Mul(1 - fresh).Add(d.Mul(fresh))
			}
			m.parts, m.offset[p] = m.parts|keypoint.PartsOf(p), d
		}
	}
	return m
}

// apply moves the parts of the first look to the middle of it and the look that the last member would have.
func (m *memory) apply(first *keypoint.Frame) {
	torso := size([]keypoint.Frame{*first})
	for _, p := range (m.parts & first.Present()).List() {
		at, _ := first.At(p)
		first.Set(p, at.Add(m.offset[p].Mul(torso/2)), first.Confidence(p))
	}
}
